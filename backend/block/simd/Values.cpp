// Values of the vector form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Values.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block::simd {

AllocaInst *Values::makeSlot(Type *t, const Twine &name) {
  auto *slot = new AllocaInst(t, f.getDataLayout().getAllocaAddrSpace(), name,
                              f.getEntryBlock().begin());
  all.push_back(slot);
  return slot;
}

AllocaInst *Values::slotOf(const Value *v) {
  AllocaInst *&slot = slots[v];
  if (!slot)
    slot = makeSlot(naturalType(v), v->getName());
  return slot;
}

void Values::reset(const Value *v) {
  b.CreateStore(PoisonValue::get(naturalType(v)), slotOf(v));
}

Value *Values::scalar(Value *v) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !threads.contains(i))
    return v;
  Value *&known = scalars[v];
  if (!known)
    known = b.CreateLoad(v->getType(), slotOf(v), v->getName());
  return known;
}

/// 0, stride, 2 * stride, ... in \p t, an integer type.
static Constant *steps(IntegerType *t, int64_t stride, unsigned lanes) {
  SmallVector<Constant *> elements;
  for (unsigned lane = 0; lane != lanes; ++lane)
    elements.push_back(ConstantInt::get(
        t, APInt(64, uint64_t(stride) * lane).sextOrTrunc(t->getBitWidth())));
  return ConstantVector::get(elements);
}

Value *Values::firstSwapped(Shape shape, Type *t) {
  Value *by = const_cast<Value *>(shape.swap);
  return b.CreateZExtOrTrunc(
      b.CreateAnd(by, ConstantInt::get(by->getType(), lanes - 1)), t);
}

Value *Values::laneNumbers(Shape shape) {
  IntegerType *t = b.getInt32Ty();
  Value *number = steps(t, 1, lanes);
  if (!shape.swap)
    return number;
  return b.CreateXor(number,
                     b.CreateVectorSplat(lanes, firstSwapped(shape, t)));
}

/// The differences to lane 0's value if lanes are swapped.
Value *Values::swappedSteps(Shape shape, IntegerType *t) {
  Value *first = firstSwapped(shape, t);
  Value *lane =
      b.CreateXor(steps(t, 1, lanes), b.CreateVectorSplat(lanes, first));
  Value *away = b.CreateSub(lane, b.CreateVectorSplat(lanes, first));
  return b.CreateMul(
      away, ConstantVector::getSplat(ElementCount::getFixed(lanes),
                                     ConstantInt::get(t, shape.stride, true)));
}

Value *Values::vector(Value *v) {
  if (auto found = vectors.find(v); found != vectors.end())
    return found->second;
  Shape shape = shapes.of(v);
  auto stepsOf = [&](Shape s, IntegerType *t) -> Value * {
    return s.swap ? swappedSteps(s, t) : steps(t, s.stride, lanes);
  };
  Value *made;
  if (shape.isVarying()) {
    made = b.CreateLoad(naturalType(v), slotOf(v), v->getName());
  } else if (shape.isUniform()) {
    made = b.CreateVectorSplat(lanes, scalar(v));
  } else if (v->getType()->isPointerTy()) {
    made = b.CreatePtrAdd(scalar(v), stepsOf(shape, b.getInt64Ty()));
  } else {
    made = b.CreateAdd(b.CreateVectorSplat(lanes, scalar(v)),
                       stepsOf(shape, cast<IntegerType>(v->getType())));
  }
  vectors[v] = made;
  return made;
}

void Values::define(Instruction &i, Value *value) {
  (shapes.of(&i).isVarying() ? vectors : scalars)[&i] = value;
  b.CreateStore(value, slotOf(&i));
}

Value *Values::maskOrAll(Value *mask) {
  return mask ? mask : Constant::getAllOnesValue(vectorOf(b.getInt1Ty()));
}

Value *Values::bits(Value *mask) {
  return b.CreateBitCast(mask, b.getIntNTy(lanes));
}

void Values::promoteSlots() {
  DominatorTree dt(f);
  SmallVector<AllocaInst *> used;
  for (AllocaInst *slot : all)
    if (isAllocaPromotable(slot))
      used.push_back(slot);
  PromoteMemToReg(used, dt);
}

} // namespace xcc::block::simd
