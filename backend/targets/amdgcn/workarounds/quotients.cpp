// Quotients of integers that have few significant bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

void splitQuotients(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *vector = dyn_cast<FixedVectorType>(inst.getType());
      if (!vector || !inst.isIntDivRem())
        continue;
      IRBuilder<> builder(&inst);
      Value *result = PoisonValue::get(vector);
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        result = builder.CreateInsertElement(
            result,
            builder.CreateBinOp(
                cast<BinaryOperator>(inst).getOpcode(),
                builder.CreateExtractElement(inst.getOperand(0), i),
                builder.CreateExtractElement(inst.getOperand(1), i)),
            i);
      inst.replaceAllUsesWith(result);
      inst.eraseFromParent();
    }
}

void fixQuotients(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<BinaryOperator *> quotients;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (inst.getOpcode() == Instruction::SDiv)
        quotients.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *quotient : quotients) {
    Value *n = quotient->getOperand(0), *d = quotient->getOperand(1);
    Type *type = quotient->getType();
    unsigned width = type->getIntegerBitWidth();
    // A freeze hides known bits from us, but not from the code generator.
    auto frozen = [](Value *x) {
      while (auto *freeze = dyn_cast<FreezeInst>(x))
        x = freeze->getOperand(0);
      return x;
    };
    unsigned bits = std::max(ComputeMaxSignificantBits(frozen(n), layout),
                             ComputeMaxSignificantBits(frozen(d), layout));
    if (width > 64 || bits >= width || bits > (width == 64 ? 32u : 24u) ||
        computeKnownBits(n, layout).isNonNegative() ||
        computeKnownBits(d, layout).isNonNegative() ||
        (isa<ConstantInt>(d) && !cast<ConstantInt>(d)->isMinusOne()))
      continue;
    IRBuilder<> builder(quotient);
    Type *i32 = builder.getInt32Ty();
    n = builder.CreateSExtOrTrunc(n, i32);
    if (bits < 24) {
      n = builder.CreateCall(
          InlineAsm::get(FunctionType::get(i32, {i32}, false), "", "=v,0",
                         /*hasSideEffects=*/false),
          {n});
      n = builder.CreateTrunc(n, builder.getIntNTy(bits + 1));
      quotient->setOperand(0, builder.CreateSExtOrTrunc(n, type));
      continue;
    }
    d = builder.CreateSExtOrTrunc(d, i32);
    Value *sign = builder.CreateAShr(builder.CreateXor(n, d), 31);
    auto magnitude = [&](Value *x) {
      return builder.CreateBinaryIntrinsic(Intrinsic::abs, x,
                                           builder.getFalse());
    };
    Value *result = builder.CreateUDiv(magnitude(n), magnitude(d));
    result = builder.CreateZExtOrTrunc(result, type);
    sign = builder.CreateSExtOrTrunc(sign, type);
    result = builder.CreateSub(builder.CreateXor(result, sign), sign);
    quotient->replaceAllUsesWith(result);
    quotient->eraseFromParent();
  }
}

void fixLongQuotients(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<Instruction *> quotients;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (inst.getOpcode() == Instruction::UDiv ||
          inst.getOpcode() == Instruction::URem)
        quotients.push_back(&inst);
  for (Instruction *quotient : quotients) {
    auto bits = [&](const Value *x) {
      while (auto *freeze = dyn_cast<FreezeInst>(x))
        x = freeze->getOperand(0);
      return computeKnownBits(x, layout).countMaxActiveBits();
    };
    Value *n = quotient->getOperand(0), *d = quotient->getOperand(1);
    Type *type = quotient->getType();
    if (type->getScalarSizeInBits() > 64 || bits(n) != 24 || bits(d) > 24)
      continue;
    IRBuilder<> builder(quotient);
    // A zero that the optimiser does not know.
    Type *word = builder.getInt32Ty();
    Value *zero = builder.CreateCall(
        InlineAsm::get(FunctionType::get(word, false), "v_mov_b32 $0, 0", "=v",
                       /*hasSideEffects=*/false));
    Type *scalar = type->getScalarSizeInBits() > 32 ? builder.getInt64Ty()
                                                    : builder.getInt32Ty();
    Type *wide = type->getWithNewType(scalar);
    zero = builder.CreateZExt(zero, scalar);
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      zero = builder.CreateVectorSplat(vector->getNumElements(), zero);
    n = builder.CreateOr(builder.CreateZExt(n, wide), zero);
    d = builder.CreateZExt(d, wide);
    Value *result = quotient->getOpcode() == Instruction::UDiv
                        ? builder.CreateUDiv(n, d)
                        : builder.CreateURem(n, d);
    quotient->replaceAllUsesWith(builder.CreateTrunc(result, type));
    quotient->eraseFromParent();
  }
}

} // namespace xcc::amdgcn
