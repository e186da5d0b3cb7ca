// Filling a kernarg segment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernarg segment holds the explicit arguments and then the implicit ones,
// which the compiler places where code object version 5 or 6 has them and
// lists in the image's table. They tell the kernel of its launch.

#ifndef XCC_SRC_HSA_IMAGE_KERNARG_H
#define XCC_SRC_HSA_IMAGE_KERNARG_H

#include "hsa/driver/abi.h"
#include "metadata.h"

namespace xcc::rt::hsa {

/// What implicit arguments may tell a kernel.
struct LaunchFacts {
  const uint32_t *grid;  ///< [3], blocks
  const uint32_t *block; ///< [3], threads
  uint32_t dynamicLds;   ///< bytes
  uint16_t dimensions;   ///< 1 to 3, as in the packet
  const AmdQueue *queue; ///< null: a queue that is not AMD's
  void *heap;            ///< the device heap's block; null when none asks
  void *hostcall;        ///< where calls to the host go; null until there are
                         ///< any (the RPC buffer's place)
};

/// Writes \p segment bytes: \p explicitSize bytes of arguments, then zeros and, at
/// their offsets, the implicit arguments.
void fillKernarg(void *to, uint32_t segment, const void *arguments,
                 uint32_t explicitSize, const HiddenArgument *hidden,
                 uint32_t hiddenCount, const LaunchFacts &facts);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_KERNARG_H
