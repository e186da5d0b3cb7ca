// Weak symbols without a definition
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbol that is declared weak and not defined has a null address:
//
//   [[gnu::weak]] void hook(int);
//   if (hook)
//     hook(3);
//
// The host's linker resolves it. Object formats of GPUs have no such symbols.

#include "gpu/stages/BeforePipeline.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

/// Replaces the symbol, and address space casts of it, by null.
static void makeNull(Constant &symbol) {
  for (User *user : make_early_inc_range(symbol.users()))
    if (auto *cast = dyn_cast<ConstantExpr>(user);
        cast && cast->getOpcode() == Instruction::AddrSpaceCast) {
      cast->replaceAllUsesWith(
          ConstantPointerNull::get(llvm::cast<PointerType>(cast->getType())));
      cast->destroyConstant();
    }
  symbol.replaceAllUsesWith(
      ConstantPointerNull::get(cast<PointerType>(symbol.getType())));
}

void makeWeakSymbolsNull(Module &module) {
  for (GlobalValue &value : make_early_inc_range(module.global_values()))
    if (value.isDeclaration() && value.hasExternalWeakLinkage()) {
      makeNull(value);
      value.eraseFromParent();
    }
}

} // namespace xcc::gpu
