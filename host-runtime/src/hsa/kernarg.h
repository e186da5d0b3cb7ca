// Filling a kernarg segment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernarg segment holds the explicit arguments and then the implicit ones,
// which the compiler places where code object version 5 or 6 has them and
// lists in the image's table. They tell the kernel of its launch.

#ifndef XCC_SRC_HSA_KERNARG_H
#define XCC_SRC_HSA_KERNARG_H

#include "abi.h"
#include "metadata.h"

namespace xcc::rt::hsa {

/// What implicit arguments may tell a kernel.
struct LaunchFacts {
  const uint32_t *Grid;  ///< [3], blocks
  const uint32_t *Block; ///< [3], threads
  uint32_t DynamicLds;   ///< bytes
  uint16_t Dimensions;   ///< 1 to 3, as in the packet
  const AmdQueue *Queue; ///< null: a queue that is not AMD's
  void *Heap;            ///< the device heap's block; null when none asks
  void *Hostcall;        ///< where calls to the host go; null until there are
                         ///< any (the RPC buffer's place)
};

/// Writes \p Segment bytes: \p Explicit bytes of arguments, then zeros and, at
/// their offsets, the implicit arguments.
void fillKernarg(void *To, uint32_t Segment, const void *Arguments,
                 uint32_t Explicit, const HiddenArgument *Hidden,
                 uint32_t HiddenCount, const LaunchFacts &Facts);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_KERNARG_H
