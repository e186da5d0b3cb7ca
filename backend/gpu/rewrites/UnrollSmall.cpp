// Requests four copies of small loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With LLVM's thresholds, a small loop with a run-time trip count gets two
// copies on NVIDIA GPUs. This pass requests four, as nvcc does. ptxas unrolls
// further if an iteration loads at most four words: the loads of up to sixteen
// iterations are then in flight, as far as registers permit without loss of
// occupancy. A body that loads more than eight words has enough loads in
// flight, and more copies would only need registers; a short one gets the two
// copies that LLVM makes. ptxas does not unroll a loop that was unrolled on
// request, nor the loop of remaining iterations.
//
// A loop with a barrier in each iteration gains nothing, because loads do not
// move over a barrier. It is not unrolled, by ptxas neither, which LLVM tells
// by a pragma. The same holds for a loop that contains a call of its own
// function, which LLVM makes of the last of several calls: a call costs many
// times as much as the end of an iteration.

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
// The largest number of words of an iteration that ptxas unrolls further.
constexpr unsigned MostWordsOfMore = 4;
// The largest iteration that LLVM doubles, in instructions (to 75).
constexpr unsigned MostOfTwo = 38;

/// Whether the user or another pass has decided about unrolling.
bool isDecided(const Loop &loop) {
  for (StringRef name :
       {"llvm.loop.unroll.count", "llvm.loop.unroll.disable",
        "llvm.loop.unroll.enable", "llvm.loop.unroll.full",
        "llvm.loop.unroll.runtime.disable", "llvm.loop.vectorize.enable"})
    if (findStringMetadataForLoop(&loop, name))
      return true;
  return false;
}

/// The number of copies of a loop's body (0: LLVM decides), and whether ptxas
/// may make more of them.
struct Plan {
  unsigned copies = 0;
  bool more = false;
};

Plan planFor(const Loop &loop, const DataLayout &layout) {
  unsigned size = 0;
  uint64_t bits = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block) {
      if (const auto *call = dyn_cast<CallBase>(&inst)) {
        if (call->isConvergent() || !isa<IntrinsicInst>(call))
          return {};
      }
      if (!isa<PHINode>(inst) && ++size > MostInstructions)
        return {};
      if (isa<LoadInst>(inst) && !loop.isLoopInvariant(inst.getOperand(0)))
        bits += std::max<uint64_t>(
            32, layout.getTypeSizeInBits(inst.getType()).getFixedValue());
    }
  if (bits <= MostWords * 32)
    return {Copies, bits <= MostWordsOfMore * 32};
  return {size <= MostOfTwo ? 2u : 0u};
}

/// Whether the loop has a barrier or a call of its own function.
bool isNotWorthUnrolling(const Loop &loop, ArrayRef<Intrinsic::ID> barriers) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block)
      if (const auto *call = dyn_cast<CallBase>(&inst);
          call && (is_contained(barriers, call->getIntrinsicID()) ||
                   call->getCalledFunction() == block->getParent()))
        return true;
  return false;
}

/// Requests the copies. After that, LLVM forbids further unrolling. If ptxas
/// may unroll further, the result gets a mark instead. The loop of remaining
/// iterations stays as it is.
void ask(Loop &loop, Plan plan) {
  LLVMContext &context = loop.getHeader()->getContext();
  if (plan.more) {
    MDNode *mark = MDNode::get(context, MDString::get(context, MoreCopies));
    MDNode *after = MDNode::get(
        context,
        {MDString::get(context, "llvm.loop.unroll.followup_unrolled"), mark});
    loop.setLoopID(
        makePostTransformationMetadata(context, loop.getLoopID(), {}, {after}));
  }
  addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", plan.copies);
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
    if (isNotWorthUnrolling(*loop, barriers)) {
      addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
      continue;
    }
    if (!loop->isInnermost() || !loop->getLoopLatch() ||
        loop->getExitingBlock() != loop->getLoopLatch() ||
        !evolution.hasLoopInvariantBackedgeTakenCount(loop))
      continue;
    if (Plan plan = planFor(*loop, layout); plan.copies)
      ask(*loop, plan);
  }
  return PreservedAnalyses::all();
}

} // namespace xcc::gpu
