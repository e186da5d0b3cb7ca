// Conversions between floating point and integers of more than 64 bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A back end without such conversions calls library functions, which do not
// exist for a GPU, or have no name, as for _BitInt(200). For up to 128 bits,
// the device runtime converts. Wider integers are converted by shifts here.

#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

bool isSigned(const CastInst &cast) {
  return cast.getOpcode() == Instruction::FPToSI ||
         cast.getOpcode() == Instruction::SIToFP;
}
bool converts(const CastInst &cast) {
  return isSigned(cast) || cast.getOpcode() == Instruction::FPToUI ||
         cast.getOpcode() == Instruction::UIToFP;
}

/// The type in which a floating-point type is computed.
Type *computedAs(Type *real) {
  return real->isHalfTy() || real->isBFloatTy()
             ? Type::getFloatTy(real->getContext())
             : real;
}

/// Calls a function with the names of GCC's library: __fixunsdfti, __floattisf, ...
Value *byCall(IRBuilder<> &builder, CastInst *cast, Value *value, Type *real) {
  bool from = value->getType()->isIntegerTy(), sign = isSigned(*cast);
  Type *wide = builder.getInt128Ty();
  StringRef mode = real->isFloatTy() ? "sf" : "df";
  std::string name = from ? "__float" : "__fix";
  name += sign ? "" : "un";
  name += from ? "ti" + mode.str() : (sign ? "" : "s") + mode.str() + "ti";
  if (from)
    value = builder.CreateIntCast(value, wide, sign);
  FunctionCallee callee = cast->getModule()->getOrInsertFunction(
      name, FunctionType::get(from ? real : wide, {value->getType()}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee());
      function && function->isDeclaration()) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
  }
  return builder.CreateCall(callee, {value});
}

/// Shifts the mantissa by the exponent. The result is undefined if it does not
/// fit.
Value *toWide(IRBuilder<> &builder, CastInst *cast, Value *value) {
  auto *wide = cast->getDestTy();
  Type *word = builder.getInt64Ty();
  Value *bits = builder.CreateBitCast(
      builder.CreateFPExt(value, builder.getDoubleTy()), word);
  Value *exponent = builder.CreateAnd(builder.CreateLShr(bits, 52), 0x7ff);
  Value *mantissa = builder.CreateOr(
      builder.CreateAnd(bits, (uint64_t(1) << 52) - 1), uint64_t(1) << 52);
  auto constant = [&](uint64_t n) { return ConstantInt::get(word, n); };
  Value *small = builder.CreateICmpULT(exponent, constant(1023 + 52));
  Value *below = builder.CreateSub(constant(1023 + 52), exponent);
  Value *above = builder.CreateSub(exponent, constant(1023 + 52));
  Value *nothing = builder.CreateICmpULT(exponent, constant(1023));
  below = builder.CreateSelect(nothing, constant(53), below);
  below = builder.CreateSelect(small, below, constant(0));
  above = builder.CreateSelect(small, constant(0), above);
  Value *result = builder.CreateZExt(builder.CreateLShr(mantissa, below), wide);
  result = builder.CreateShl(result, builder.CreateZExt(above, wide));
  return builder.CreateSelect(builder.CreateICmpSLT(bits, constant(0)),
                              builder.CreateNeg(result), result);
}

/// Converts the highest 64 bits times a power of two. The lowest of these bits
/// stands for all bits below, so that the result is rounded like the number
/// itself.
Value *fromWide(IRBuilder<> &builder, CastInst *cast, Value *value,
                Type *real) {
  auto *wide = cast->getSrcTy();
  const unsigned width = wide->getIntegerBitWidth();
  Value *zero = ConstantInt::get(wide, 0);
  Value *negative =
      isSigned(*cast) ? builder.CreateICmpSLT(value, zero) : builder.getFalse();
  Value *size = builder.CreateSelect(negative, builder.CreateNeg(value), value);
  Value *zeros = builder.CreateIntrinsic(wide, Intrinsic::ctlz,
                                         {size, builder.getFalse()});
  Value *most = ConstantInt::get(wide, width - 64);
  Value *shift = builder.CreateSelect(builder.CreateICmpULT(zeros, most),
                                      builder.CreateSub(most, zeros), zero);
  Value *top = builder.CreateLShr(size, shift);
  Value *rest = builder.CreateICmpNE(builder.CreateShl(top, shift), size);
  top = builder.CreateOr(builder.CreateTrunc(top, builder.getInt64Ty()),
                         builder.CreateZExt(rest, builder.getInt64Ty()));
  const bool isDouble = real->isDoubleTy();
  Type *bits = isDouble ? builder.getInt64Ty() : builder.getInt32Ty();
  const uint64_t bias = isDouble ? 1023 : 127, infinite = isDouble ? 2047 : 255;
  Value *scale = builder.CreateAdd(builder.CreateTrunc(shift, bits),
                                   ConstantInt::get(bits, bias));
  scale = builder.CreateBinaryIntrinsic(Intrinsic::umin, scale,
                                        ConstantInt::get(bits, infinite));
  scale =
      builder.CreateBitCast(builder.CreateShl(scale, isDouble ? 52 : 23), real);
  Value *result = builder.CreateFMul(builder.CreateUIToFP(top, real), scale);
  return builder.CreateSelect(negative, builder.CreateFNeg(result), result);
}

void lower(CastInst *cast) {
  Type *from = cast->getSrcTy(), *to = cast->getDestTy();
  Type *integer = from->isIntegerTy() ? from : to;
  Type *real = integer == from ? to : from, *compute = computedAs(real);
  if (!compute->isFloatTy() && !compute->isDoubleTy())
    return;
  IRBuilder<> builder(cast);
  Value *value = cast->getOperand(0);
  if (real == from)
    value = builder.CreateFPCast(value, compute);
  if (integer->getIntegerBitWidth() <= 128)
    value = byCall(builder, cast, value, compute);
  else if (integer == from)
    value = fromWide(builder, cast, value, compute);
  else
    value = toWide(builder, cast, value);
  value = integer == from ? builder.CreateFPCast(value, to)
                          : builder.CreateIntCast(value, to, false);
  cast->replaceAllUsesWith(value);
  cast->eraseFromParent();
}

} // namespace

/// By LLVM's rules, contraction, which is the default on GPUs, may also merge
/// two conversions. But one conversion rounds differently from float(x)
/// followed by a conversion to __bf16.
void roundEachTime(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isa<FPTruncInst>(inst) && !inst.isFast())
        inst.setHasAllowContract(false);
}

void lowerWideConversions(Module &module) {
  SmallVector<Instruction *> casts, whole;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *cast = dyn_cast<CastInst>(&inst);
      if (!cast || !converts(*cast))
        continue;
      Type *from = cast->getSrcTy()->getScalarType(),
           *to = cast->getDestTy()->getScalarType();
      Type *integer = from->isIntegerTy() ? from : to;
      if (integer->getIntegerBitWidth() > 64)
        (cast->getType()->isVectorTy() ? whole : casts).push_back(cast);
    }
  for (Instruction *inst : whole)
    append_range(casts, scalarize(inst));
  for (Instruction *inst : casts)
    lower(cast<CastInst>(inst));
}

} // namespace xcc::gpu
