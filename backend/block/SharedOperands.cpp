// Several vectors of threads at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedOperands.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace xcc::block {

/// From this many on, loads that all threads share are what limits a loop.
static constexpr unsigned ManySharedLoads = 4;

static unsigned countSharedLoads(const Loop &L) {
  unsigned Count = 0;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Count +=
            Load->isSimple() && L.isLoopInvariant(Load->getPointerOperand());
  return Count;
}

PreservedAnalyses
InterleaveSharedOperandsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    // Only thread loops have parallel accesses, and one block in the middle of
    // a kernel is what the vectorizer can widen as it stands.
    if (L->isInnermost() && L->getNumBlocks() == 1 &&
        findStringMetadataForLoop(L, "llvm.loop.parallel_accesses") &&
        countSharedLoads(*L) >= ManySharedLoads)
      addStringMetadataToLoop(L, "llvm.loop.interleave.count", 2);
  return PreservedAnalyses::all();
}

} // namespace xcc::block
