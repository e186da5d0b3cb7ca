// Moves variables to global memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu/AddressSpaces.h"
#include "gpu/stages/BeforeLibraries.h"
#include "gpu/stages/EndOfUnit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

/// Lists of initialisers must name variables with generic pointers. If
/// variables have an address space, Clang uses others, which works in memory
/// but not in bitcode.
static void fixList(Module &module, StringRef name) {
  GlobalVariable *list = module.getNamedGlobal(name);
  auto *rows = list && list->hasInitializer()
                   ? dyn_cast<ConstantArray>(list->getInitializer())
                   : nullptr;
  if (!rows)
    return;
  auto *pointer = PointerType::getUnqual(module.getContext());
  SmallVector<Constant *> entries;
  for (Value *row : rows->operands()) {
    auto *entry = cast<ConstantStruct>(row);
    entries.push_back(ConstantStruct::getAnon(
        {entry->getOperand(0),
         ConstantExpr::getPointerBitCastOrAddrSpaceCast(entry->getOperand(1),
                                                        pointer),
         ConstantExpr::getPointerBitCastOrAddrSpaceCast(entry->getOperand(2),
                                                        pointer)}));
  }
  auto *type = ArrayType::get(entries.front()->getType(), entries.size());
  auto *fresh =
      new GlobalVariable(module, type, list->isConstant(), list->getLinkage(),
                         ConstantArray::get(type, entries), "", list);
  fresh->takeName(list);
  list->eraseFromParent();
}

void placeGlobals(Module &module) {
  fixList(module, "llvm.global_ctors");
  fixList(module, "llvm.global_dtors");
  for (GlobalVariable &old : make_early_inc_range(module.globals())) {
    if (old.getAddressSpace() == GlobalAddressSpace ||
        old.getName().starts_with("llvm."))
      continue;
    auto *placed = new GlobalVariable(
        module, old.getValueType(), old.isConstant(), old.getLinkage(), nullptr,
        "", &old, old.getThreadLocalMode(), GlobalAddressSpace,
        old.isExternallyInitialized());
    placed->takeName(&old);
    if (old.hasInitializer())
      placed->setInitializer(old.getInitializer());
    placed->copyAttributesFrom(&old);
    placed->setComdat(old.getComdat());
    placed->copyMetadata(&old, 0);
    old.replaceAllUsesWith(
        ConstantExpr::getAddrSpaceCast(placed, old.getType()));
    old.eraseFromParent();
  }
}

void ownAvailable(Module &module) {
  for (GlobalValue &value : module.global_values())
    if (value.hasAvailableExternallyLinkage())
      value.setLinkage(GlobalValue::LinkOnceODRLinkage);
}

} // namespace xcc::gpu
