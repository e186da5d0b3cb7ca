// Filling a kernarg segment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernarg segment holds the explicit arguments and then the implicit ones,
// which describe the launch. The compiler places these as code object versions
// 5 and 6 do, and lists them in the image's table.

#ifndef XCC_SRC_HSA_IMAGE_KERNARG_H
#define XCC_SRC_HSA_IMAGE_KERNARG_H

#include "hsa/driver/abi.h"
#include "metadata.h"

namespace xcc::rt::hsa {

/// The values of implicit arguments.
struct LaunchFacts {
  const uint32_t *grid;  ///< [3], blocks
  const uint32_t *block; ///< [3], threads
  uint32_t dynamicLds;   ///< bytes
  uint16_t dimensions;   ///< 1 to 3, as in the packet
  const AmdQueue *queue; ///< null if the queue is not an amd_queue_t
  void *heap;            ///< the device heap's state; null if not needed
  void *hostcall;        ///< the RPC buffer for calls of the host; null until
                         ///< there are any
};

/// Writes \p segment bytes: \p explicitSize bytes of arguments, then zeros,
/// with the implicit arguments at their offsets.
void fillKernarg(void *to, uint32_t segment, const void *arguments,
                 uint32_t explicitSize, const HiddenArgument *hidden,
                 uint32_t hiddenCount, const LaunchFacts &facts);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_KERNARG_H
