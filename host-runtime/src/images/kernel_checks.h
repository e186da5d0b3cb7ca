// What every kind of device asks of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_KERNEL_CHECKS_H
#define XCC_SRC_KERNEL_CHECKS_H

#include "../device.h"

#include <algorithm>

namespace xcc::rt {

/// Do host and image agree about the arguments?
xcc_status checkArguments(const xcc_kernel_info &Info, uint32_t Size,
                          uint64_t Fingerprint, const ErrorSite &Site);

/// Does the device have the kernel's static block-shared memory?
xcc_status checkShared(const xcc_kernel_info &Info, uint32_t Bytes,
                       const Device &On, const ErrorSite &Site);

/// The largest block of a kernel that was compiled for \p Compiled threads (0:
/// for any number).
inline uint32_t largestBlock(uint32_t Compiled, uint32_t OfDevice) {
  return Compiled && Compiled < OfDevice ? Compiled : OfDevice;
}

/// The size of block with the most threads resident, of the usual ones; 256
/// among equals, which suits most kernels. \p Resident says how many threads
/// for a size.
template <class Fn>
uint32_t busiestBlock(uint32_t Least, uint32_t Most, Fn Resident) {
  uint32_t Best = 0;
  uint64_t BestThreads = 0;
  for (uint32_t Size : {256u, 512u, 128u, 1024u, 64u, 32u}) {
    if (Size > Most || Size < Least)
      continue;
    if (uint64_t Threads = Resident(Size); Threads > BestThreads) {
      BestThreads = Threads;
      Best = Size;
    }
  }
  return Best ? Best : std::min(Most, 256u);
}

} // namespace xcc::rt
#endif // XCC_SRC_KERNEL_CHECKS_H
