// Calls that may recurse
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that recurse to different depths may return one group after the other: all
// activations of a function use the same convergence barrier of the warp, and a
// group that returns overwrites what the others wait in. ptxas takes the lanes for
// converged behind the call all the same. It counts a loop around the call in a
// uniform register, of which a warp has one, and each group would count.
//
// ptxas expects nothing of a call through a pointer that it does not know. So a
// call that may recurse goes through a pointer in constant memory.
//
// `bar.warp.sync` behind such calls is no way out, though it would bring the lanes
// together: a lane that waits there has overwritten the barrier in which others
// wait, inside the call, for that lane. On an H200 such kernels hang.

#include "gpu/warps/RecursiveCalls.h"
#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace xcc::nvptx {

void hideRecursion(Module &module) {
  gpu::RecursiveCalls recurses(module);
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && call->getCalledFunction() && recurses(*call))
        calls.push_back(call);
  DenseMap<Function *, GlobalVariable *> pointers;
  for (CallInst *call : calls) {
    Function *callee = call->getCalledFunction();
    GlobalVariable *&pointer = pointers[callee];
    if (!pointer)
      pointer = new GlobalVariable(
          module, callee->getType(), /*isConstant=*/false,
          GlobalValue::InternalLinkage, callee, "__xcc_calls", nullptr,
          GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_CONST);
    IRBuilder<> builder(call);
    call->setCalledOperand(builder.CreateLoad(callee->getType(), pointer));
    call->setTailCallKind(CallInst::TCK_None);
  }
}

} // namespace xcc::nvptx
