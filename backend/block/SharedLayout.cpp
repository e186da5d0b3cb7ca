// Laying out block-shared variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLayout.h"
#include "Abi.h"
#include "Diagnose.h"
#include "Intrinsics.h"

#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace xcc::block {

bool SharedLayout::prepare(Module &M) {
  bool Ok = true;
  SmallVector<Constant *, 8> Variables;
  for (GlobalVariable &G : M.globals())
    if (isBlockShared(G))
      Variables.push_back(&G);
  convertUsersOfConstantsToInstructions(Variables);
  for (Constant *G : Variables) {
    // llvm.used and alike: the variable lives as long as its users do.
    G->removeDeadConstantUsers();
    for (User *U : make_early_inc_range(G->users())) {
      if (isa<Instruction>(U))
        continue;
      reportError(M, "the address of block-shared variable '" + G->getName() +
                         "' is not a constant: it differs from block to "
                         "block, so no static initializer can hold it");
      Ok = false;
      break;
    }
  }
  return Ok;
}

void SharedLayout::addVariablesOf(const Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (GlobalVariable &G : const_cast<Module *>(F.getParent())->globals()) {
    if (!isBlockShared(G) || Offsets.contains(&G))
      continue;
    bool Used = any_of(G.users(), [&](const User *U) {
      return cast<Instruction>(U)->getFunction() == &F;
    });
    if (!Used)
      continue;
    Align A = std::max(Align(16), DL.getPreferredAlign(&G));
    End = alignTo(End, A);
    Offsets[&G] = End;
    End += DL.getTypeAllocSize(G.getValueType());
  }
}

void SharedLayout::replaceIn(Function &F, Value *Shared,
                             Instruction *Where) const {
  for (auto [G, Offset] : Offsets) {
    Value *Address = nullptr;
    for (Use &U : make_early_inc_range(G->uses())) {
      if (cast<Instruction>(U.getUser())->getFunction() != &F)
        continue;
      if (!Address) {
        IRBuilder<> B(Where);
        Address = byteOffset(B, Shared, Offset);
      }
      U.set(Address);
    }
  }
}

void SharedLayout::removeVariables(Module &M) {
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (isBlockShared(G) && G.use_empty())
      G.eraseFromParent();
}

} // namespace xcc::block
