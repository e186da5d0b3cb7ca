// Four copies of small loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's thresholds unroll a small loop with a run-time trip count twice on
// NVIDIA GPUs, after which ptxas unrolls the result again. Four copies, as nvcc
// makes, keep enough loads in flight, and ptxas leaves a loop alone that was
// unrolled on purpose.

#include "gpu/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

constexpr unsigned MostInstructions = 50, Copies = 4;

/// Whether the user or a pass has decided already.
bool isDecided(const Loop &loop) {
  for (StringRef name :
       {"llvm.loop.unroll.count", "llvm.loop.unroll.disable",
        "llvm.loop.unroll.enable", "llvm.loop.unroll.full",
        "llvm.loop.unroll.runtime.disable", "llvm.loop.vectorize.enable"})
    if (findStringMetadataForLoop(&loop, name))
      return true;
  return false;
}

bool isSmall(const Loop &loop) {
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block) {
      if (const auto *call = dyn_cast<CallBase>(&inst)) {
        if (call->isConvergent() || !isa<IntrinsicInst>(call))
          return false;
      }
      if (!isa<PHINode>(inst) && ++size > MostInstructions)
        return false;
    }
  return true;
}

} // namespace

PreservedAnalyses UnrollSmallPass::run(Function &function,
                                       FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopLatch() &&
        loop->getExitingBlock() == loop->getLoopLatch() &&
        !evolution.getSmallConstantTripCount(loop) && !isDecided(*loop) &&
        evolution.hasLoopInvariantBackedgeTakenCount(loop) && isSmall(*loop))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", Copies);
  return PreservedAnalyses::all();
}

} // namespace xcc::gpu
