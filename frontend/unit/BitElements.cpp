// Workaround: elements of vectors of bool
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BitElements.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace xcc {

void fixBitElements(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(&inst);
      if (!insert)
        continue;
      llvm::Type *wanted = insert->getType()->getElementType();
      llvm::Value *given = insert->getOperand(1);
      if (given->getType() == wanted || !wanted->isIntegerTy(1) ||
          !given->getType()->isIntegerTy())
        continue;
      llvm::IRBuilder<> builder(insert);
      insert->setOperand(1, builder.CreateTrunc(given, wanted));
    }
}

} // namespace xcc
