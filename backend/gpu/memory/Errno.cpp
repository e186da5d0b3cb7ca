// errno begins with 0
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's errno has a place by its number (device-runtime/rpc/errno.cpp),
// where a thread of an earlier launch has left what it liked. Entries that lead
// to errno, by whatever calls, addresses of functions and tables of these,
// begin with a 0 there, as the first function of a host's thread does.

#include "gpu/stages/BeforePipeline.h"
#include "xcc/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

/// All that names a value, and what names that.
static SetVector<Value *> leadingTo(Value &value) {
  SetVector<Value *> found;
  found.insert(&value);
  for (size_t next = 0; next != found.size(); ++next)
    for (User *user : found[next]->users())
      if (auto *inst = dyn_cast<Instruction>(user))
        found.insert(inst->getFunction());
      else
        found.insert(user);
  return found;
}

void clearErrno(Module &module, const KernelTable &kernels) {
  Function *place = module.getFunction("__errno_location");
  if (!place || place->isDeclaration())
    return;
  const SetVector<Value *> leading = leadingTo(*place);
  for (const Kernel &kernel : kernels) {
    // A whole program's own three go on where the one before them ended.
    if (is_contained({XCC_SYMBOL_BEGIN, XCC_SYMBOL_START, XCC_SYMBOL_END},
                     StringRef(kernel.symbol)))
      continue;
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry || entry->isDeclaration() || !leading.contains(entry))
      continue;
    BasicBlock &block = entry->getEntryBlock();
    IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
    CallInst *own = builder.CreateCall(place);
    own->setCallingConv(place->getCallingConv());
    builder.CreateStore(builder.getInt32(0), own);
  }
}

} // namespace xcc::gpu
