// Selects between two local variables
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

/// Whether a value is the address of a local variable or computed from one.
static bool isOfFrame(const Value *value, unsigned depth = 0) {
  if (isa<AllocaInst>(value))
    return true;
  const auto *made = dyn_cast<Instruction>(value);
  return depth < 6 && made &&
         (isa<GetElementPtrInst, CastInst, BinaryOperator, FreezeInst>(made)) &&
         any_of(
             made->operands(),
             [&](const Use &operand) { return isOfFrame(operand, depth + 1); });
}

void fixFrameChoices(Module &module) {
  SmallVector<SelectInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *choice = dyn_cast<SelectInst>(&inst);
          choice && choice->getCondition()->getType()->isIntegerTy(1) &&
          (isOfFrame(choice->getTrueValue()) ||
           isOfFrame(choice->getFalseValue())))
        found.push_back(choice);
  for (SelectInst *choice : found) {
    IRBuilder<> builder(choice);
    Type *word = builder.getInt32Ty();
    Value *condition = builder.CreateCall(
        InlineAsm::get(FunctionType::get(word, {word}, false), "", "=v,0",
                       /*hasSideEffects=*/false),
        {builder.CreateZExt(choice->getCondition(), word)});
    choice->setCondition(builder.CreateIsNotNull(condition));
  }
}

} // namespace xcc::amdgcn
