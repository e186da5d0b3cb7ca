// Four copies of small loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's thresholds unroll a small loop with a run-time trip count twice on
// NVIDIA GPUs, after which ptxas unrolls the result again. Four copies, as nvcc
// makes, keep enough loads in flight, and ptxas leaves a loop alone that was
// unrolled on purpose. A body that loads more than eight words has them in flight
// without that: more copies would only take registers. Of a short one there are
// the two that LLVM makes, on purpose too.
//
// A loop that waits for its block in each round gains nothing: loads do not move
// over a barrier. It stays as it is, for ptxas too, which LLVM tells so by a
// pragma. Nor does a loop in which a function calls itself, such as LLVM makes of
// the last of several calls: a call costs what a loop's end does many times.

#include "gpu/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

constexpr unsigned MostInstructions = 50, MostWords = 8, Copies = 4;
// Of which LLVM makes two, of up to 75 instructions together.
constexpr unsigned MostOfTwo = 38;

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

/// How many copies there should be of a loop's body, or none if LLVM decides.
unsigned copiesOf(const Loop &loop, const DataLayout &layout) {
  unsigned size = 0;
  uint64_t bits = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block) {
      if (const auto *call = dyn_cast<CallBase>(&inst)) {
        if (call->isConvergent() || !isa<IntrinsicInst>(call))
          return 0;
      }
      if (!isa<PHINode>(inst) && ++size > MostInstructions)
        return 0;
      if (isa<LoadInst>(inst) && !loop.isLoopInvariant(inst.getOperand(0)))
        bits += std::max<uint64_t>(
            32, layout.getTypeSizeInBits(inst.getType()).getFixedValue());
    }
  if (bits <= MostWords * 32)
    return Copies;
  return size <= MostOfTwo ? 2 : 0;
}

/// Whether it has a barrier, or its function calls itself there.
bool gainsNothing(const Loop &loop, ArrayRef<Intrinsic::ID> barriers) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block)
      if (const auto *call = dyn_cast<CallBase>(&inst);
          call && (is_contained(barriers, call->getIntrinsicID()) ||
                   call->getCalledFunction() == block->getParent()))
        return true;
  return false;
}

} // namespace

PreservedAnalyses UnrollSmallPass::run(Function &function,
                                       FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const DataLayout &layout = function.getDataLayout();
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (isDecided(*loop) || evolution.getSmallConstantTripCount(loop))
      continue;
    if (gainsNothing(*loop, barriers))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
    else if (loop->isInnermost() && loop->getLoopLatch() &&
             loop->getExitingBlock() == loop->getLoopLatch() &&
             evolution.hasLoopInvariantBackedgeTakenCount(loop))
      if (unsigned copies = copiesOf(*loop, layout))
        addStringMetadataToLoop(loop, "llvm.loop.unroll.count", copies);
  }
  return PreservedAnalyses::all();
}

} // namespace xcc::gpu
