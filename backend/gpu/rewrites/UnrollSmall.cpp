// Four copies of small loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's thresholds unroll a small loop with a run-time trip count twice on
// NVIDIA GPUs. It gets four copies, as nvcc makes, and ptxas unrolls these again
// where an iteration loads up to four words: the loads of up to sixteen iterations
// are in flight, as far as registers go that cost no occupancy. A body that loads
// more than eight words has them in flight without that: more copies would only
// take registers. Of a short one there are the two that LLVM makes; ptxas leaves a
// loop alone that was unrolled on purpose, and the iterations that are left over.
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
// The most words of an iteration that ptxas unrolls further.
constexpr unsigned MostWordsOfMore = 4;
// The most instructions of an iteration that LLVM doubles (to 75).
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

/// How many copies there should be of a loop's body, none if LLVM decides, and
/// whether ptxas may make more of them.
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

/// Asks for copies. LLVM forbids more of a loop of which it made as many as it was
/// asked for; if ptxas may make more, the result has a mark instead. The few
/// iterations that are left over stay a loop in any case.
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
    if (gainsNothing(*loop, barriers)) {
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
