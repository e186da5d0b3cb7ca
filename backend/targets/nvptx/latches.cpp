// How loops end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas unrolls a loop of unknown trip count where its last instruction
// branches to its head on a comparison, as nvcc writes it:
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
// ptxas then keeps one iteration's loads in flight. So a latch branches to the
// head on what is true there, right before instructions are selected.

#include "latches.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::nvptx {

/// Lets the first successor of a latch be the head of its loop.
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
