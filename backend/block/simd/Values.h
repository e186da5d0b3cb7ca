// Values of the vector form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value of one thread is in the vector form: a scalar for lane 0 if it is
// uniform or affine, else a vector. Between blocks values are kept in stack
// slots, which become SSA values at the end: masks skip blocks and blend values
// where the scalar code has edges and phis, and need no SSA form before.

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

  /// Of a value that is not varying: that of lane 0.
  llvm::Value *scalar(llvm::Value *v);
  /// The values of all lanes.
  llvm::Value *vector(llvm::Value *v);
  /// Either, as the shape of \p v says.
  llvm::Value *natural(llvm::Value *v) {
    return shapes.of(v).isVarying() ? vector(v) : scalar(v);
  }
  /// Says what \p i is, in the form that its shape asks for.
  void define(llvm::Instruction &i, llvm::Value *value);
  /// A new block of the scalar code begins: only slots are known.
  void forget() {
    scalars.clear();
    vectors.clear();
  }

  /// By how many lanes lane 0 is away from the first one, of what has \p shape with
  /// lanes swapped.
  llvm::Value *firstSwapped(Shape shape, llvm::Type *t);

  /// The number of each lane, or of the one that \p shape swaps it with.
  llvm::Value *laneNumbers(Shape shape);

  llvm::VectorType *vectorOf(llvm::Type *t) const {
    return llvm::FixedVectorType::get(t, lanes);
  }
  llvm::Type *naturalType(const llvm::Value *v) const {
    return shapes.of(v).isVarying() ? vectorOf(v->getType()) : v->getType();
  }

  llvm::AllocaInst *slotOf(const llvm::Value *v);
  llvm::AllocaInst *makeSlot(llvm::Type *t, const llvm::Twine &name);
  /// Nothing is known of \p v any more.
  void reset(const llvm::Value *v);

  /// \p mask, a vector of i1, of which null is all lanes, as one that is not null.
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
