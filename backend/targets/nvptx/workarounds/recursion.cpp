// Calls that may recurse
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that recurse to different depths may return in groups, one after the
// other. All activations of a function use the same convergence barrier of the
// warp, and a group that returns overwrites the barrier in which other lanes
// wait. But ptxas assumes that the lanes have converged after the call. It
// counts a loop around the call in a uniform register, which a warp has only
// once, and each group would count.
//
// ptxas assumes nothing about a call through an unknown pointer. So calls that
// may recurse go through a pointer in constant memory.
//
// `bar.warp.sync` after such calls would make the lanes reconverge, but it is
// no solution. A lane that waits there has overwritten the barrier in which
// others wait, inside the call, for that lane. On an H200 such kernels hang.

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
