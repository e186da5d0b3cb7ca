// The branches at the ends of loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas unrolls a loop with an unknown trip count only if the last instruction
// is a conditional branch to the loop's header. nvcc writes such branches:
//
//     setp.ne.s32 %p, %i, %n;
//     @%p bra loop;
//
// LLVM's optimiser prefers `i == n` with the exit first, and its back end for
// NVIDIA GPUs cannot reverse a branch afterwards:
//
//     setp.eq.b32 %p, %i, %n;
//     @%p bra exit;
//     bra.uni loop;
//
// Then ptxas has the loads of only one iteration in flight. So this pass
// inverts the condition of such a latch directly before instruction selection.

#include "latches.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::nvptx {

/// Makes the loop's header the first successor of its latch.
static bool leadToHead(BasicBlock &latch, const BasicBlock *head) {
  auto *branch = dyn_cast<BranchInst>(latch.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(1) != head ||
      branch->getSuccessor(0) == head)
    return false;
  auto *compare = dyn_cast<CmpInst>(branch->getCondition());
  if (!compare)
    return false;
  if (!compare->hasOneUse() || compare->getParent() != &latch) {
    auto *copy = cast<CmpInst>(compare->clone());
    copy->insertBefore(branch->getIterator());
    branch->setCondition(copy);
    compare = copy;
  }
  compare->setPredicate(compare->getInversePredicate());
  branch->swapSuccessors();
  return true;
}

char LatchesPass::id;

void LatchesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
}

bool LatchesPass::runOnFunction(Function &function) {
  if (skipFunction(function))
    return false;
  // The pass manager of code generation cannot schedule analyses here.
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool changed = false;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (BasicBlock *latch = loop->getLoopLatch())
      changed |= leadToHead(*latch, loop->getHeader());
  return changed;
}

} // namespace xcc::nvptx
