// Keeps the sign of zero in products that are rounded to half
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

/// Returns the product if the code generator would use v_fma_mixlo_f16 for it.
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

/// Returns the same number, but hides from the code generator how it is
/// computed.
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
