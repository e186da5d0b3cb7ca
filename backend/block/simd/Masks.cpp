// Masks of lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Masks.h"

#include "llvm/Analysis/TargetTransformInfo.h"

using namespace llvm;

namespace xcc::block::simd {

/// The bits of a mask's element: 1 if the machine has registers for masks, as
/// machines with legal scatters have.
static unsigned elementBits(Width width, const TargetTransformInfo &target,
                            IRBuilder<> &b) {
  unsigned ofOne = width.lanes / width.vectors;
  if (target.isLegalMaskedScatter(FixedVectorType::get(b.getInt32Ty(), ofOne),
                                  Align(4)))
    return 1;
  unsigned bits =
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  return std::clamp(bits / ofOne, 8u, 64u);
}

Masks::Masks(Width width, const TargetTransformInfo &target, IRBuilder<> &b)
    : lanes(width.lanes), b(b),
      t(FixedVectorType::get(b.getIntNTy(elementBits(width, target, b)),
                             lanes)) {}

Value *Masks::where(Value *mask, Value *condition) {
  bool once = !condition->getType()->isVectorTy();
  Type *wider = once ? t->getScalarType() : t;
  Value *wide = isBool() ? condition : b.CreateSExt(condition, wider);
  if (mask)
    wide = b.CreateFreeze(wide);
  if (once)
    wide = b.CreateVectorSplat(lanes, wide);
  return mask ? b.CreateAnd(mask, wide) : wide;
}

Value *Masks::without(Value *mask, Value *part) {
  return mask ? b.CreateXor(mask, part) : b.CreateNot(part);
}

Value *Masks::asBools(Value *mask) {
  if (!mask || isBool())
    return mask;
  return b.CreateICmpSLT(mask, none());
}

Value *Masks::bits(Value *mask) {
  return b.CreateBitCast(asBools(mask), b.getIntNTy(lanes));
}

Value *Masks::any(Value *mask) {
  return b.CreateICmpNE(bits(mask), b.getIntN(lanes, 0));
}

Value *Masks::count(Value *mask) {
  return b.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                b.CreateZExt(bits(mask), b.getInt64Ty()));
}

} // namespace xcc::block::simd
