// Products that are rounded to half keep the sign of a zero
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

/// A product that the code generator would make part of v_fma_mixlo_f16.
static Instruction *mixedProduct(const Instruction &inst) {
  if (!isa<FPTruncInst>(inst) || !inst.getType()->getScalarType()->isHalfTy())
    return nullptr;
  auto *product = dyn_cast<Instruction>(inst.getOperand(0));
  return product && product->getOpcode() == Instruction::FMul &&
                 product->getType()->getScalarType()->isFloatTy() &&
                 !product->hasNoSignedZeros()
             ? product
             : nullptr;
}

/// The same number, of which the code generator does not know where it is from.
static Value *opaque(IRBuilder<> &builder, Value *number) {
  if (auto *vector = dyn_cast<FixedVectorType>(number->getType())) {
    Value *result = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(
          result, opaque(builder, builder.CreateExtractElement(number, i)), i);
    return result;
  }
  Type *type = number->getType();
  return builder.CreateCall(
      InlineAsm::get(FunctionType::get(type, {type}, false), "", "=v,0",
                     /*hasSideEffects=*/false),
      {number});
}

void fixHalfProducts(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (Instruction *product = mixedProduct(inst)) {
        IRBuilder<> builder(&inst);
        inst.setOperand(0, opaque(builder, product));
      }
}

} // namespace xcc::amdgcn
