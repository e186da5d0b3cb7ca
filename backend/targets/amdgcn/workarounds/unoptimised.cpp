// Fixes for the code generator without optimisation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

void fixUnoptimised(Module &module) {
  SmallVector<BinaryOperator *> quotients;
  SmallVector<IntrinsicInst *> swaps;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      unsigned bits = inst.getType()->isIntegerTy()
                          ? inst.getType()->getIntegerBitWidth()
                          : 0;
      if (inst.isIntDivRem() && (bits == 32 || bits == 64))
        quotients.push_back(cast<BinaryOperator>(&inst));
      else if (auto *call = dyn_cast<IntrinsicInst>(&inst);
               call && call->getIntrinsicID() == Intrinsic::bswap && bits == 64)
        swaps.push_back(call);
    }
  for (BinaryOperator *quotient : quotients)
    for (Use &operand : quotient->operands()) {
      if (isa<Constant>(operand))
        continue;
      IRBuilder<> builder(quotient);
      Type *type = operand->getType();
      operand = builder.CreateCall(
          InlineAsm::get(FunctionType::get(type, {type}, false), "", "=v,0",
                         /*hasSideEffects=*/false),
          {operand});
    }
  for (IntrinsicInst *swap : swaps) {
    IRBuilder<> builder(swap);
    Type *half = builder.getInt32Ty(), *whole = swap->getType();
    Value *from = swap->getArgOperand(0);
    Value *low = builder.CreateTrunc(from, half);
    Value *high = builder.CreateTrunc(builder.CreateLShr(from, 32), half);
    low = builder.CreateUnaryIntrinsic(Intrinsic::bswap, low);
    high = builder.CreateUnaryIntrinsic(Intrinsic::bswap, high);
    swap->replaceAllUsesWith(
        builder.CreateOr(builder.CreateShl(builder.CreateZExt(low, whole), 32),
                         builder.CreateZExt(high, whole)));
    swap->eraseFromParent();
  }
}

} // namespace xcc::amdgcn
