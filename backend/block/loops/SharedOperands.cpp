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

/// From this number on, loads that all threads share limit a loop's speed.
static constexpr unsigned ManySharedLoads = 4;

static unsigned countSharedLoads(const Loop &l) {
  unsigned count = 0;
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb)
      if (auto *load = dyn_cast<LoadInst>(&i))
        count +=
            load->isSimple() && l.isLoopInvariant(load->getPointerOperand());
  return count;
}

PreservedAnalyses
InterleaveSharedOperandsPass::run(Function &f, FunctionAnalysisManager &fam) {
  for (Loop *l : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder())
    // Only thread loops have parallel accesses. The vectorizer needs no masks
    // in a loop of one block.
    if (l->isInnermost() && l->getNumBlocks() == 1 &&
        findStringMetadataForLoop(l, "llvm.loop.parallel_accesses") &&
        countSharedLoads(*l) >= ManySharedLoads)
      addStringMetadataToLoop(l, "llvm.loop.interleave.count", 2);
  return PreservedAnalyses::all();
}

} // namespace xcc::block
