//===-- Unwinding.cpp - Device code without exceptions --------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GPU.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::gpu {

void removeUnwinding(Module &module) {
  for (Function &function : module) {
    function.setDoesNotThrow();
    function.setUWTableKind(UWTableKind::None);
    if (function.isDeclaration())
      continue;
    bool changed = false;
    for (BasicBlock &block : function)
      if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator())) {
        changeToCall(invoke);
        changed = true;
      }
    if (changed)
      removeUnreachableBlocks(function);
    if (function.hasPersonalityFn())
      function.setPersonalityFn(nullptr);
  }
  // Classes describe themselves for dynamic_cast, typeid and handlers, through
  // tables of the host's C++ library; on a device nobody reads them.
  for (GlobalVariable &global : module.globals())
    if (global.isDeclaration() &&
        (global.getName().starts_with("_ZTVN10__cxxabiv1") ||
         global.getName().starts_with("_ZTI"))) {
      global.setInitializer(Constant::getNullValue(global.getValueType()));
      global.setLinkage(GlobalValue::InternalLinkage);
    }
}

} // namespace xcc::gpu
