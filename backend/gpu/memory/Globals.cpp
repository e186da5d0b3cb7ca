// Variables in the memory of all threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu/GPU.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

void placeGlobals(Module &module) {
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
