// Lanes that exchange their elements
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Swaps.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace xcc::block::simd {

static unsigned lanesOf(const Value *v) {
  return cast<FixedVectorType>(v->getType())->getNumElements();
}

/// The instruction of AVX2 or AVX-512 that permutes a register in an order
/// known at run time. LLVM makes it of no IR but the intrinsic.
static Intrinsic::ID permutationOf(FixedVectorType *t,
                                   const TargetTransformInfo &target) {
  uint64_t registers =
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  if (t->getPrimitiveSizeInBits().getFixedValue() > registers ||
      target.getShuffleCost(TargetTransformInfo::SK_PermuteSingleSrc, t, t, {},
                            TargetTransformInfo::TCK_RecipThroughput) > 1)
    return Intrinsic::not_intrinsic;
  switch (t->getScalarSizeInBits() * 100 + t->getNumElements()) {
  case 3208:
    return Intrinsic::x86_avx2_permd;
  case 3216:
    return Intrinsic::x86_avx512_permvar_si_512;
  case 6408:
    return Intrinsic::x86_avx512_permvar_di_512;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// Integers as wide as \p t, with at least 32 bits.
static FixedVectorType *widened(Type *t, unsigned lanes) {
  unsigned bits = t->isPointerTy() ? 64 : t->getScalarSizeInBits();
  return FixedVectorType::get(
      IntegerType::get(t->getContext(), std::max(bits, 32u)), lanes);
}

static FixedVectorType *half(FixedVectorType *t) {
  return FixedVectorType::getHalfElementsVectorType(t);
}

/// Whether a vector of \p t is one register or several that an instruction can
/// permute.
static bool canPermute(FixedVectorType *t, const TargetTransformInfo &target) {
  while (t->getNumElements() > 4) {
    if (permutationOf(t, target) != Intrinsic::not_intrinsic)
      return true;
    t = half(t);
  }
  return false;
}

static Value *flips(Value *by, unsigned bit, IRBuilder<> &b) {
  return b.CreateICmpNE(b.CreateAnd(by, bit),
                        Constant::getNullValue(by->getType()));
}

static Value *withBitsFlipped(Value *v, unsigned bits, IRBuilder<> &b) {
  SmallVector<int> order;
  for (unsigned lane = 0; lane != lanesOf(v); ++lane)
    order.push_back(lane ^ bits);
  return b.CreateShuffleVector(v, order);
}

/// swapLanes, for a vector for which canPermute holds.
static Value *permuted(Value *v, Value *by, const TargetTransformInfo &target,
                       IRBuilder<> &b) {
  auto *t = cast<FixedVectorType>(v->getType());
  unsigned lanes = t->getNumElements();
  Intrinsic::ID id = permutationOf(t, target);
  if (id == Intrinsic::not_intrinsic) {
    auto part = [&](unsigned first) {
      SmallVector<int> order;
      for (unsigned n = 0; n != lanes / 2; ++n)
        order.push_back(first + n);
      return permuted(b.CreateShuffleVector(v, order), by, target, b);
    };
    Value *low = part(0), *high = part(lanes / 2);
    Value *exchanged = flips(by, lanes / 2, b);
    SmallVector<int> all;
    for (unsigned n = 0; n != lanes; ++n)
      all.push_back(n);
    return b.CreateShuffleVector(b.CreateSelect(exchanged, high, low),
                                 b.CreateSelect(exchanged, low, high), all);
  }
  SmallVector<Constant *> numbers;
  for (unsigned n = 0; n != lanes; ++n)
    numbers.push_back(ConstantInt::get(t->getElementType(), n));
  Value *bits =
      b.CreateZExtOrTrunc(b.CreateAnd(by, lanes - 1), t->getElementType());
  Value *order = b.CreateXor(b.CreateVectorSplat(lanes, bits),
                             ConstantVector::get(numbers));
  return b.CreateIntrinsic(t, id, {v, order});
}

Value *swapLanes(Value *v, Value *by, const TargetTransformInfo &target,
                 IRBuilder<> &b) {
  auto *t = cast<FixedVectorType>(v->getType());
  unsigned lanes = t->getNumElements();
  if (auto *constant = dyn_cast<ConstantInt>(by)) {
    unsigned bits =
        constant->getValue().extractBitsAsZExtValue(Log2_32(lanes), 0);
    return bits ? withBitsFlipped(v, bits, b) : v;
  }
  FixedVectorType *wide = widened(t->getElementType(), lanes);
  if (!canPermute(wide, target)) {
    for (unsigned bit = 1; bit != lanes; bit *= 2)
      v = b.CreateSelect(flips(by, bit, b), withBitsFlipped(v, bit, b), v);
    return v;
  }
  if (t->isIntOrIntVectorTy())
    return b.CreateTrunc(permuted(b.CreateSExt(v, wide), by, target, b), t);
  return b.CreateBitOrPointerCast(
      permuted(b.CreateBitOrPointerCast(v, wide), by, target, b), t);
}

double costOfSwap(Type *t, unsigned lanes, const Value *by,
                  const TargetTransformInfo &target) {
  if (isa<Constant>(by))
    return 1;
  FixedVectorType *wide = widened(t, lanes);
  if (!canPermute(wide, target))
    return 2 * Log2_32(lanes);
  return permutationOf(wide, target) != Intrinsic::not_intrinsic ? 1 : 4;
}

} // namespace xcc::block::simd
