// Which thread throws
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThrowingThreads.h"
#include "block/Intrinsics.h"
#include "block/abi/Abi.h"
#include "exceptions/Throws.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::block {
namespace {

/// Whether an exception leaves the kernel in this call.
bool leavesKernel(const Instruction &inst) {
  const auto *call = dyn_cast<CallInst>(&inst);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee &&
         StringSwitch<bool>(callee->getName())
             .Cases({exceptions::ThrowName, "__xcc_uncaught", "__xcc_throw"},
                    true)
             .Default(false);
}

void noteThread(IRBuilder<> &builder, Module &module) {
  Type *i32 = builder.getInt32Ty();
  Value *record = builder.CreateCall(module.getOrInsertFunction(
      "__xcc_thread_record", FunctionType::get(builder.getPtrTy(), false)));
  auto store = [&](StringRef query, size_t offset) {
    for (unsigned dim = 0; dim != 3; ++dim) {
      FunctionCallee asked = module.getOrInsertFunction(
          (query + Twine("xyz"[dim])).str(), FunctionType::get(i32, false));
      builder.CreateStore(builder.CreateCall(asked),
                          builder.CreateConstInBoundsGEP1_64(
                              builder.getInt8Ty(), record, offset + 4 * dim));
    }
  };
  store("__xcc_block_idx_", offsetof(xcc_cpu_thread, block_index));
  store("__xcc_thread_idx_", offsetof(xcc_cpu_thread, thread_index));
}

} // namespace

void noteThrowingThreads(Function &kernel) {
  SmallVector<Instruction *> left;
  for (Instruction &inst : instructions(kernel))
    if (leavesKernel(inst))
      left.push_back(&inst);
  for (Instruction *inst : left) {
    IRBuilder<> builder(inst);
    noteThread(builder, *kernel.getParent());
  }
  if (!left.empty())
    setIntrinsicAttributes(*kernel.getParent());
}

} // namespace xcc::block
