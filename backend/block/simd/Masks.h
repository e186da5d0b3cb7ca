// Masks of lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask has an element for each lane. If the machine has no registers for
// masks, an element is an integer as wide as the lanes' values, with all bits
// set or all clear, as comparisons leave it: vectors of i1 would be packed and
// unpacked at every block.

#ifndef XCC_BACKEND_BLOCK_SIMD_MASKS_H
#define XCC_BACKEND_BLOCK_SIMD_MASKS_H

#include "Shapes.h"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class TargetTransformInfo;
}

namespace xcc::block::simd {

class Masks {
public:
  Masks(Width width, const llvm::TargetTransformInfo &target,
        llvm::IRBuilder<> &b);

  llvm::Type *type() const { return t; }
  llvm::Constant *none() const { return llvm::Constant::getNullValue(t); }
  /// \p mask, with null (all lanes) replaced by an explicit mask.
  llvm::Value *orAll(llvm::Value *mask) const {
    return mask ? mask : llvm::Constant::getAllOnesValue(t);
  }
  /// The lanes of \p mask for which \p condition holds: a vector of i1, which may
  /// be poison in other lanes, or an i1 for all lanes.
  llvm::Value *where(llvm::Value *mask, llvm::Value *condition);
  /// The lanes of \p mask that are not in \p part, a subset of it.
  llvm::Value *without(llvm::Value *mask, llvm::Value *part);
  /// \p mask as a vector of i1. Null stays null.
  llvm::Value *asBools(llvm::Value *mask);
  /// Whether \p mask has a lane, an i1.
  llvm::Value *any(llvm::Value *mask);
  /// How many lanes \p mask has, an i64.
  llvm::Value *count(llvm::Value *mask);

private:
  llvm::Value *bits(llvm::Value *mask);
  bool isBool() const { return t->getScalarType()->isIntegerTy(1); }

  unsigned lanes;
  llvm::IRBuilder<> &b;
  llvm::Type *t;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_MASKS_H
