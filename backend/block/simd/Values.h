// Values of the vector form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the vector form, a value of one thread becomes a scalar for lane 0 if it
// is uniform or affine, else a vector. Between blocks, values are kept in stack
// slots, which become SSA values at the end. Masks skip blocks and blend values
// where the scalar code has edges and phis, so no SSA form is kept before.

#ifndef XCC_BACKEND_BLOCK_SIMD_VALUES_H
#define XCC_BACKEND_BLOCK_SIMD_VALUES_H

#include "Shapes.h"

#include "llvm/IR/IRBuilder.h"

namespace xcc::block::simd {

class Values {
public:
  Values(llvm::Function &f, const llvm::Loop &threads, const Shapes &shapes,
         unsigned lanes, llvm::IRBuilder<> &b)
      : f(f), threads(threads), shapes(shapes), lanes(lanes), b(b) {}

  /// The value of \p v, which is not varying, for lane 0.
  llvm::Value *scalar(llvm::Value *v);
  /// The values of all lanes.
  llvm::Value *vector(llvm::Value *v);
  /// One of both, by the shape of \p v.
  llvm::Value *natural(llvm::Value *v) {
    return shapes.of(v).isVarying() ? vector(v) : scalar(v);
  }
  /// Defines the value of \p i, in the form that its shape requires.
  void define(llvm::Instruction &i, llvm::Value *value);
  /// Forgets all but the slots, where a new block of the scalar code begins.
  void forget() {
    scalars.clear();
    vectors.clear();
  }

  /// The distance in lanes from the first lane in memory order to lane 0, for a
  /// \p shape with swapped lanes.
  llvm::Value *firstSwapped(Shape shape, llvm::Type *t);

  /// The number of each lane, or of the lane with which \p shape swaps it.
  llvm::Value *laneNumbers(Shape shape);

  llvm::VectorType *vectorOf(llvm::Type *t) const {
    return llvm::FixedVectorType::get(t, lanes);
  }
  llvm::Type *naturalType(const llvm::Value *v) const {
    return shapes.of(v).isVarying() ? vectorOf(v->getType()) : v->getType();
  }

  llvm::AllocaInst *slotOf(const llvm::Value *v);
  llvm::AllocaInst *makeSlot(llvm::Type *t, const llvm::Twine &name);
  /// Makes the value of \p v poison.
  void reset(const llvm::Value *v);

  /// \p mask, a vector of i1, with null (all lanes) replaced by an explicit
  /// mask.
  llvm::Value *maskOrAll(llvm::Value *mask);
  /// The lanes of \p mask as the bits of an integer.
  llvm::Value *bits(llvm::Value *mask);

  void promoteSlots();

private:
  llvm::Value *swappedSteps(Shape shape, llvm::IntegerType *t);

  llvm::Function &f;
  const llvm::Loop &threads;
  const Shapes &shapes;
  unsigned lanes;
  llvm::IRBuilder<> &b;
  llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *> slots;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars, vectors;
  llvm::SmallVector<llvm::AllocaInst *> all;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_VALUES_H
