// The threads that pass a comparison
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassingRange.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

static Value *min(IRBuilderBase &b, Value *x, Value *y) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y);
}
static Value *max(IRBuilderBase &b, Value *x, Value *y) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, x, y);
}

/// The number of indices, from the first on, that are below the bound, or equal
/// to it if \p inclusive.
static Value *countBelow(IRBuilderBase &b, const IndexComparison &c,
                         Value *count, bool inclusive) {
  // A positive distance is correct modulo the type's size.
  Value *distance = b.CreateSub(c.bound, c.first);
  CmpInst::Predicate p = inclusive ? CmpInst::ICMP_UGE : CmpInst::ICMP_UGT;
  if (CmpInst::isSigned(c.predicate))
    p = ICmpInst::getSignedPredicate(p);
  Value *any = b.CreateICmp(p, c.bound, c.first);
  Type *type = distance->getType();
  Type *wide = b.getIntNTy(std::max(type->getIntegerBitWidth(),
                                    count->getType()->getIntegerBitWidth()));
  Value *zero = ConstantInt::get(wide, 0), *one = ConstantInt::get(wide, 1);
  Value *all = b.CreateZExt(count, wide), *n;
  if (!inclusive && !c.step) {
    n = min(b, b.CreateSelect(any, b.CreateZExt(distance, wide), zero), all);
  } else {
    // The last index that passes, counted from 0. Adding 1 to it does not
    // overflow, because it is below the number of indices.
    if (!inclusive)
      distance = b.CreateSub(distance, ConstantInt::get(type, 1));
    if (c.step)
      distance =
          b.CreateUDiv(distance, max(b, c.step, ConstantInt::get(type, 1)));
    Value *last = min(b, b.CreateZExt(distance, wide), b.CreateSub(all, one));
    n = b.CreateSelect(any, b.CreateAdd(last, one), zero);
  }
  return b.CreateTrunc(n, count->getType());
}

void narrowToPassing(IRBuilderBase &b, const IndexComparison &c, Value *count,
                     Value *&low, Value *&high) {
  const CmpInst::Predicate p = c.predicate;
  if (p == CmpInst::ICMP_EQ) {
    // Indices are distinct, so at most one passes. A first index beyond the
    // bound leaves the range empty.
    Value *distance = b.CreateSub(c.bound, c.first);
    Value *is = b.CreateICmpULT(
        distance, b.CreateZExtOrTrunc(count, distance->getType()));
    Value *at =
        b.CreateShl(b.CreateZExtOrTrunc(distance, count->getType()), c.shift);
    Value *end =
        b.CreateAdd(at, ConstantInt::get(at->getType(), 1ull << c.shift));
    low = b.CreateSelect(is, max(b, low, at), low);
    high = b.CreateSelect(is, min(b, high, end),
                          ConstantInt::get(high->getType(), 0));
    return;
  }
  assert(ICmpInst::isRelational(p) && "inequalities pass at two ranges");
  const bool isLess = ICmpInst::isLT(p) || ICmpInst::isLE(p);
  // Indices that are equal to the bound are on the side of the smaller ones.
  const bool inclusive = ICmpInst::isLE(p) || ICmpInst::isGT(p);
  Value *at = b.CreateShl(countBelow(b, c, count, inclusive), c.shift);
  if (isLess)
    high = min(b, high, at);
  else
    low = max(b, low, at);
}

} // namespace xcc::block
