// Finds warp operations that all lanes reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc's warp operations work on the lanes that reach them together, for which a
// GPU with independent threads needs a query. If control flow does not depend
// on the thread, the answer is known: every lane that has not ended. A constant
// full mask costs nothing and makes the lanes reconverge (PTX ISA, shfl.sync:
// it waits for the non-exited threads of the mask).
//
// All lanes reach a block unless it is control dependent on a divergent branch.
// A branch does not count if its other side only ends the thread there. Lanes
// that skip a block and continue after it would wait there for the lanes in the
// block, and those would wait for them in the operation.

#include "Uniformity.h"
#include "gpu/Passes.h"
#include "support/Preserved.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

class Reach {
public:
  Reach(Function &function, const Uniformity &uniformity,
        const PostDominatorTree &postDominators)
      : postDominators(postDominators) {
    for (BasicBlock &block : function)
      if (uniformity.hasDivergentTerminator(block))
        divergent.push_back(&block);
  }

  /// Whether all lanes that have not ended reach the block together.
  bool byAll(const BasicBlock *block) const {
    // Follow every branch that decides whether the block is reached, and those
    // that decide whether that branch is reached.
    SmallVector<const BasicBlock *> work = {block};
    SmallPtrSet<const BasicBlock *, 8> seen;
    while (!work.empty()) {
      const BasicBlock *at = work.pop_back_val();
      if (!seen.insert(at).second)
        continue;
      for (const BasicBlock &other : *at->getParent()) {
        if (!dependsOn(at, &other))
          continue;
        if (is_contained(divergent, &other) && !othersEnd(&other, at))
          return false;
        work.push_back(&other);
      }
    }
    return true;
  }

private:
  const PostDominatorTree &postDominators;
  SmallVector<const BasicBlock *> divergent;

  /// Control dependence: from one successor of `branch`, all paths lead to
  /// `block`; from another, perhaps not.
  bool dependsOn(const BasicBlock *block, const BasicBlock *branch) const {
    if (branch->getTerminator()->getNumSuccessors() < 2 ||
        (block != branch && postDominators.dominates(block, branch)))
      return false;
    return any_of(successors(branch), [&](const BasicBlock *next) {
      return postDominators.dominates(block, next);
    });
  }

  /// A block that only ends the thread. Lanes may share it without waiting for
  /// each other.
  static bool onlyEnds(const BasicBlock &block) {
    const Instruction *end = block.getTerminator();
    return end->getNumSuccessors() == 0 &&
           &*block.getFirstNonPHIOrDbgOrLifetime() == end;
  }

  static bool isConvergent(const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    return call && call->isConvergent();
  }

  /// Whether lanes that do not take the path from `branch` to `block` still
  /// reach `block`, or end. Before that, they must not reach `branch` again,
  /// nor code that lanes from `block` reach too, where they would wait for each
  /// other. Before they end, no operation may need other lanes.
  bool othersEnd(const BasicBlock *branch, const BasicBlock *block) const {
    SmallPtrSet<const BasicBlock *, 16> later;
    for (const BasicBlock *next : successors(block))
      for (const BasicBlock *at : depth_first(next))
        later.insert(at);
    SmallVector<const BasicBlock *> work(successors(branch));
    SmallPtrSet<const BasicBlock *, 16> seen;
    while (!work.empty()) {
      const BasicBlock *at = work.pop_back_val();
      if (at == block || !seen.insert(at).second || onlyEnds(*at))
        continue;
      if (at == branch || later.contains(at))
        return false;
      if (!postDominators.dominates(block, at) && any_of(*at, isConvergent))
        return false;
      append_range(work, successors(at));
    }
    return true;
  }
};

} // namespace

PreservedAnalyses FullMaskPass::run(Function &function,
                                    FunctionAnalysisManager &analyses) {
  SmallVector<IntrinsicInst *> masks;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && call->getIntrinsicID() == mask)
      masks.push_back(call);
  if (masks.empty())
    return PreservedAnalyses::all();

  // For other functions, the lanes that call them are unknown.
  if (function.getCallingConv() == ops.kernels) {
    UniformResults results;
    Reach reach(function, Uniformity(function, analyses, ops, results),
                analyses.getResult<PostDominatorTreeAnalysis>(function));
    DenseMap<const BasicBlock *, bool> known;
    erase_if(masks, [&](IntrinsicInst *call) {
      auto [at, fresh] = known.try_emplace(call->getParent(), false);
      if (fresh)
        at->second = reach.byAll(call->getParent());
      if (!at->second)
        return false;
      call->replaceAllUsesWith(Constant::getAllOnesValue(call->getType()));
      call->eraseFromParent();
      return true;
    });
  }
  // Within a basic block, the set of lanes does not change.
  DenseMap<const BasicBlock *, IntrinsicInst *> first;
  for (IntrinsicInst *call : masks) {
    auto [at, fresh] = first.try_emplace(call->getParent(), call);
    if (fresh)
      continue;
    call->replaceAllUsesWith(at->second);
    call->eraseFromParent();
  }
  return keepingBranches(true);
}

} // namespace xcc::gpu
