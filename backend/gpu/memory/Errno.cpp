// Sets errno to 0 at the start of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's errno is at a place that depends on its number
// (device-runtime/rpc/errno.cpp), where a thread of an earlier launch may have
// left any value. Entries that reach errno (by calls, addresses of functions or
// tables of these) store a 0 there, as a new host thread has one.

#include "gpu/stages/BeforePipeline.h"
#include "xcc/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

/// The value's direct and indirect users.
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
    // The three kernels of a whole program continue with the errno of the
    // previous one.
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
