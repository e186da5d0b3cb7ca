// thread_local variables of several images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadVariables.h"
#include "LibraryImports.h"
#include "block/rewrites/ThreadLocals.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc {
namespace {

constexpr StringLiteral Prefix = "xcc.thread_local";

/// A name that contains the variable's size, so that builds of a library with
/// different sizes have different names. The record itself always has the same
/// size.
std::string recordName(const GlobalVariable &variable) {
  uint64_t size = variable.getDataLayout()
                      .getTypeAllocSize(variable.getValueType())
                      .getFixedValue();
  return (Prefix + Twine(size) + "." + variable.getName()).str();
}

/// Replaces the variable by calls that return the thread's own, and erases it.
void replaceUses(GlobalVariable &variable, GlobalVariable &record) {
  Module &module = *variable.getParent();
  removeFromUsedLists(
      module, [&](Constant *constant) { return constant == &variable; });
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (alias.getAliaseeObject() == &variable) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
  convertUsersOfConstantsToInstructions({&variable});
  variable.removeDeadConstantUsers();
  auto addressBefore = [&](Instruction *where) {
    IRBuilder<> builder(where);
    return block::callThreadLocal(builder, record);
  };
  if (any_of(variable.users(), [](User *u) { return !isa<Instruction>(u); }))
    return; // no initial value can have a thread's address
  while (!variable.use_empty()) {
    Use &use = *variable.use_begin();
    auto *user = cast<Instruction>(use.getUser());
    if (auto *call = dyn_cast<IntrinsicInst>(user);
        call && call->getIntrinsicID() == Intrinsic::threadlocal_address) {
      call->replaceAllUsesWith(addressBefore(call));
      call->eraseFromParent();
      continue;
    }
    auto *phi = dyn_cast<PHINode>(user);
    Value *address =
        addressBefore(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
    // A phi has the same value for all edges from one block.
    if (phi)
      phi->setIncomingValueForBlock(phi->getIncomingBlock(use), address);
    else
      use.set(address);
  }
  variable.eraseFromParent();
}

} // namespace

void shareThreadVariables(Module &unit) {
  for (GlobalVariable &variable : make_early_inc_range(unit.globals())) {
    if (!variable.isThreadLocal() || !variable.hasInitializer() ||
        variable.hasAvailableExternallyLinkage())
      continue;
    std::string name = recordName(variable);
    GlobalVariable *record =
        block::makeThreadLocalRecord(variable, variable.getLinkage(), name);
    record->setVisibility(variable.getVisibility());
    record->setComdat(variable.getComdat());
    record->setAttributes(variable.getAttributes());
    record->copyMetadata(&variable, 0);
    record->eraseMetadata(LLVMContext::MD_dbg);
    replaceUses(variable, *record);
  }
}

void useThreadVariables(Module &module, ArrayRef<DeviceModule *> inputs) {
  StringSet<> exported;
  for (const DeviceModule *input : inputs)
    for (const SharedVariable &shared : sharedVariables(input->exports))
      if (shared.binding != "local")
        exported.insert(shared.name);
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (!variable.isThreadLocal() || !variable.isDeclarationForLinker())
      continue;
    std::string name = recordName(variable);
    GlobalVariable *record = module.getGlobalVariable(name);
    if (!record && exported.contains(name))
      record = block::declareThreadLocalRecord(module, name);
    if (record)
      replaceUses(variable, *record);
  }
}

StringRef nameOfVariable(StringRef symbol) {
  StringRef name = symbol;
  if (!name.consume_front(Prefix))
    return symbol;
  return name.drop_while([](char c) { return c >= '0' && c <= '9'; })
      .drop_front();
}

} // namespace xcc
