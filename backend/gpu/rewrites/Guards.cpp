// Initialisation of static local variables by lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang generates
//
//     if (!made) if (__cxa_guard_acquire(&guard)) { ...; __cxa_guard_release }
//
// and a second thread waits in the call. On a GPU whose lanes run in lockstep,
// the first thread would then wait at the reconvergence point for the other
// lanes of its warp, and never finish. So no thread waits in the call, and the
// branch back is after the reconvergence point:
//
//     if (!made) do {
//       got = __xcc_guard_try(&guard);
//       if (got == 1) { ...; __cxa_guard_release }
//     } while (got == 2);
//
// No path may skip the end of the iteration after the initialiser, although
// that iteration is the last. An operation that must not be duplicated prevents
// it.

#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::gpu {

/// The branch that depends on a guard's acquisition; null if the code is not
/// from Clang.
static BranchInst *branchOf(CallInst &acquire) {
  auto *test =
      acquire.hasOneUse() ? dyn_cast<ICmpInst>(acquire.user_back()) : nullptr;
  if (!test || test->getPredicate() != ICmpInst::ICMP_NE || !test->hasOneUse())
    return nullptr;
  auto *branch = dyn_cast<BranchInst>(test->user_back());
  return branch && branch->isConditional() ? branch : nullptr;
}

static void keepOneProgramCounter(CallInst &acquire, FunctionCallee attempt) {
  BranchInst *branch = branchOf(acquire);
  if (!branch)
    return;
  BasicBlock *end = branch->getSuccessor(1);
  BasicBlock *iteration =
      SplitBlock(acquire.getParent(), acquire.getIterator());
  IRBuilder<> builder(&acquire);
  CallInst *got = builder.CreateCall(attempt, acquire.getArgOperand(0));
  got->setConvergent();
  auto *test = cast<ICmpInst>(acquire.user_back());
  builder.SetInsertPoint(test);
  Value *isFirst = builder.CreateICmpEQ(got, builder.getInt32(1));
  test->replaceAllUsesWith(isFirst);
  test->eraseFromParent();
  acquire.eraseFromParent();

  DominatorTree dominators(*iteration->getParent());
  SmallVector<BasicBlock *> paths;
  for (BasicBlock *path : predecessors(end))
    if (dominators.dominates(iteration, path))
      paths.push_back(path);
  BasicBlock *last = SplitBlockPredecessors(end, paths, ".iteration");
  Instruction *leave = last->getTerminator();
  builder.SetInsertPoint(leave);
  auto *mark = InlineAsm::get(FunctionType::get(builder.getVoidTy(), false), "",
                              "~{memory}", /*hasSideEffects=*/true);
  CallInst *meet = builder.CreateCall(mark);
  meet->setConvergent();
  meet->addFnAttr(Attribute::NoDuplicate);
  meet->addFnAttr(Attribute::NoMerge);
  builder.CreateCondBr(builder.CreateICmpEQ(got, builder.getInt32(2)),
                       iteration, end);
  leave->eraseFromParent();
}

void loopGuards(Module &module) {
  Function *acquire = module.getFunction("__cxa_guard_acquire");
  if (!acquire || !acquire->isDeclaration())
    return;
  FunctionCallee attempt =
      module.getOrInsertFunction("__xcc_guard_try", acquire->getFunctionType());
  for (User *user : make_early_inc_range(acquire->users()))
    if (auto *call = dyn_cast<CallInst>(user))
      keepOneProgramCounter(*call, attempt);
  if (acquire->use_empty())
    acquire->eraseFromParent();
}

} // namespace xcc::gpu
