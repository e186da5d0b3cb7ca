// Accesses that may be to the same memory, as only the run knows
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two pointers that a kernel got may be to the same memory. Where each thread
// accesses an element that its index selects, what all threads of a loop reach is
// known before the loop: there it can be compared.

#ifndef XCC_BACKEND_BLOCK_SIMD_OVERLAPS_H
#define XCC_BACKEND_BLOCK_SIMD_OVERLAPS_H

#include "Shapes.h"

namespace llvm {
class SCEVExpander;
}

namespace xcc::block::simd {

/// What an access reaches in all iterations of a thread loop, at most: addresses
/// from begin on, below end.
struct Reach {
  const llvm::SCEV *begin, *end;
  bool operator==(const Reach &) const = default;
};
struct Overlap {
  Reach one, other;
  bool operator==(const Overlap &) const = default;
};

/// What has to be compared for two accesses in \p l; nothing if that is not known
/// before the loop, or they are to parts of one object.
std::optional<Overlap> overlapOf(llvm::Instruction &one,
                                 llvm::Instruction &other, const llvm::Loop &l,
                                 const Shapes &shapes,
                                 llvm::ScalarEvolution &se);

/// Whether they do, computed at \p place.
llvm::Value *expand(const Overlap &overlap, llvm::SCEVExpander &expander,
                    llvm::Instruction *place);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_OVERLAPS_H
