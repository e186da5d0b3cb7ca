// Run-time checks whether accesses overlap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two pointers that a kernel got may be to the same memory. If each thread
// accesses an element that its index selects, the memory that all threads of a
// loop access is known before the loop and can be compared there.

#ifndef XCC_BACKEND_BLOCK_SIMD_OVERLAPS_H
#define XCC_BACKEND_BLOCK_SIMD_OVERLAPS_H

#include "Shapes.h"

namespace llvm {
class SCEVExpander;
}

namespace xcc::block::simd {

/// The memory that an access may reach in all iterations of a thread loop:
/// addresses in [begin, end).
struct AddressRange {
  const llvm::SCEV *begin, *end;
  bool operator==(const AddressRange &) const = default;
};
struct Overlap {
  AddressRange one, other;
  bool operator==(const Overlap &) const = default;
};

/// The memory to compare for two accesses in \p l; none if it is not known
/// before the loop, or if both accesses have the same base pointer.
std::optional<Overlap> overlapOf(llvm::Instruction &one,
                                 llvm::Instruction &other, const llvm::Loop &l,
                                 const Shapes &shapes,
                                 llvm::ScalarEvolution &se);

/// Whether the accesses overlap, computed at \p place.
llvm::Value *expand(const Overlap &overlap, llvm::SCEVExpander &expander,
                    llvm::Instruction *place);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_OVERLAPS_H
