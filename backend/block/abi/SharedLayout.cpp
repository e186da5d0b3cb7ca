// Laying out block-shared variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLayout.h"
#include "Abi.h"
#include "block/Diagnose.h"
#include "block/Intrinsics.h"

#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace xcc::block {

bool SharedLayout::prepare(Module &m) {
  bool ok = true;
  SmallVector<Constant *, 8> variables;
  for (GlobalVariable &g : m.globals())
    if (isBlockShared(g))
      variables.push_back(&g);
  convertUsersOfConstantsToInstructions(variables);
  for (Constant *g : variables) {
    // llvm.used and alike: the variable lives as long as its users do.
    g->removeDeadConstantUsers();
    for (User *u : make_early_inc_range(g->users())) {
      if (isa<Instruction>(u))
        continue;
      reportError(m, "the address of block-shared variable '" + g->getName() +
                         "' is not a constant: it differs from block to "
                         "block, so no static initializer can hold it");
      ok = false;
      break;
    }
  }
  return ok;
}

void SharedLayout::addVariablesOf(const Function &f) {
  const DataLayout &dl = f.getDataLayout();
  for (GlobalVariable &g : const_cast<Module *>(f.getParent())->globals()) {
    if (!isBlockShared(g) || offsets.contains(&g))
      continue;
    bool used = any_of(g.users(), [&](const User *u) {
      return cast<Instruction>(u)->getFunction() == &f;
    });
    if (!used)
      continue;
    Align a = std::max(Align(16), dl.getPreferredAlign(&g));
    end = alignTo(end, a);
    offsets[&g] = end;
    end += dl.getTypeAllocSize(g.getValueType());
  }
}

void SharedLayout::replaceIn(Function &f, Value *shared,
                             Instruction *where) const {
  for (auto [g, offset] : offsets) {
    Value *address = nullptr;
    for (Use &u : make_early_inc_range(g->uses())) {
      if (cast<Instruction>(u.getUser())->getFunction() != &f)
        continue;
      if (!address) {
        IRBuilder<> b(where);
        address = byteOffset(b, shared, offset);
      }
      u.set(address);
    }
  }
}

bool SharedLayout::isUsedIn(const Function &f) const {
  return any_of(offsets, [&](const auto &entry) {
    return any_of(entry.first->users(), [&](const User *u) {
      return cast<Instruction>(u)->getFunction() == &f;
    });
  });
}

void SharedLayout::removeVariables(Module &m) {
  for (GlobalVariable &g : make_early_inc_range(m.globals()))
    if (isBlockShared(g) && g.use_empty())
      g.eraseFromParent();
}

} // namespace xcc::block
