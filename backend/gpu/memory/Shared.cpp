// Moves block_shared variables to shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end marks block_shared variables by their section. This pass moves
// each to the address space of shared memory, and its uses too if they are
// constant addresses. Other uses become generic pointers, which the back ends
// trace back themselves.

#include "gpu/AddressSpaces.h"
#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc::gpu {

void placeShared(Module &module) {
  SmallVector<GlobalVariable *> shared;
  for (GlobalVariable &global : module.globals())
    if (global.getSection() == ".xcc.shared")
      shared.push_back(&global);
  for (GlobalVariable *old : shared) {
    // Templates and inline functions share a variable across units by its name.
    // A linked module is complete, so the variable can be internal.
    auto *placed = new GlobalVariable(
        module, old->getValueType(), /*isConstant=*/false,
        GlobalValue::InternalLinkage, PoisonValue::get(old->getValueType()), "",
        old, GlobalValue::NotThreadLocal, SharedAddressSpace);
    placed->takeName(old);
    placed->setAlignment(old->getAlign());
    Constant *generic = ConstantExpr::getPointerBitCastOrAddrSpaceCast(
        placed, PointerType::get(module.getContext(), 0));
    for (User *user : make_early_inc_range(old->users()))
      if (auto *cast = dyn_cast<AddrSpaceCastOperator>(user))
        if (cast->getType() == generic->getType()) {
          cast->replaceAllUsesWith(generic);
          if (auto *inst = dyn_cast<Instruction>(cast))
            inst->eraseFromParent();
        }
    old->removeDeadConstantUsers();
    if (!old->use_empty())
      old->replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(
          generic, old->getType()));
    old->eraseFromParent();
  }
}

} // namespace xcc::gpu
