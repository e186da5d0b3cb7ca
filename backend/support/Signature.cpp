// Functions that get another type
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc {

Function *
changeType(Function &old, FunctionType *type,
           function_ref<void(IRBuilderBase &, Argument &, Argument &)> argument,
           function_ref<Value *(IRBuilderBase &, Value *)> result) {
  auto *made = Function::Create(type, old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), made);
  made->copyAttributesFrom(&old);
  made->setComdat(old.getComdat());
  made->copyMetadata(&old, 0);
  made->takeName(&old);
  if (!old.isDeclaration()) {
    made->splice(made->begin(), &old);
    BasicBlock &entry = made->getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    for (auto [from, to] : zip_equal(old.args(), made->args())) {
      to.takeName(&from);
      argument(builder, from, to);
    }
    for (BasicBlock &block : *made)
      if (auto *leave = dyn_cast<ReturnInst>(block.getTerminator());
          leave && leave->getReturnValue() && result) {
        IRBuilder<> before(leave);
        leave->setOperand(0, result(before, leave->getReturnValue()));
      }
  }
  old.replaceAllUsesWith(made);
  old.eraseFromParent();
  return made;
}

} // namespace xcc
