// Checks of images and kernels that all kinds of devices share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_COMMON_KERNEL_CHECKS_H
#define XCC_SRC_COMMON_KERNEL_CHECKS_H

#include "devices/device.h"

#include <algorithm>

namespace xcc::rt {

/// Checks that host and image agree about the arguments.
xcc_status checkArguments(const xcc_kernel_info &info, uint32_t size,
                          uint64_t fingerprint, const ErrorSite &site);

/// Checks that the device has the kernel's static block-shared memory.
xcc_status checkShared(const xcc_kernel_info &info, uint32_t bytes,
                       const Device &on, const ErrorSite &site);

/// Fails because the device cannot load the image. \p form is " (PTX)" where a
/// device takes several forms of code.
xcc_status rejectImage(xcc_status status, const OffloadImage &image, Device &on,
                       const char *why, const char *form = "");

/// Fails because the image lacks the kernel. \p arch is the image's arch.
xcc_status notInImage(const xcc_kernel_info &info, const char *arch,
                      const char *why, const ErrorSite &site);

/// The largest block of a kernel that was compiled for \p compiled threads (0:
/// for any number).
inline uint32_t largestBlock(uint32_t compiled, uint32_t ofDevice) {
  return compiled && compiled < ofDevice ? compiled : ofDevice;
}

/// The usual block size with the most resident threads. Among equals, 256 is
/// preferred, because it suits most kernels. \p resident returns the number of
/// resident threads for a size.
template <class Fn>
uint32_t busiestBlock(uint32_t least, uint32_t most, Fn resident) {
  uint32_t best = 0;
  uint64_t bestThreads = 0;
  for (uint32_t size : {256u, 512u, 128u, 1024u, 64u, 32u}) {
    if (size > most || size < least)
      continue;
    if (uint64_t threads = resident(size); threads > bestThreads) {
      bestThreads = threads;
      best = size;
    }
  }
  return best ? best : std::min(most, 256u);
}

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_KERNEL_CHECKS_H
