// Which warp operations all lanes reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc's warp operations work among the lanes that reach them together, which a
// GPU with independent threads has to be asked for. Where control flow does not
// depend on the thread, the answer is known: every lane that has not ended. A
// constant full mask costs nothing and makes the lanes meet (PTX ISA,
// shfl.sync: it waits for the non-exited threads of the mask).
//
// A block is reached by all lanes unless it is control dependent on a divergent
// branch. A branch whose other side only ends the thread does not count, if it
// ends there: lanes that skip a block and go on behind it would wait there for
// those in the block, who would wait for them.

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

  /// Whether all lanes that have not ended come to the block together.
  bool byAll(const BasicBlock *block) const {
    // Every branch that decides whether the block is reached, and those that
    // decide whether that branch is.
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

  /// Control dependence: some path out of `branch` always leads to `block`, and
  /// another may not.
  bool dependsOn(const BasicBlock *block, const BasicBlock *branch) const {
    if (branch->getTerminator()->getNumSuccessors() < 2 ||
        (block != branch && postDominators.dominates(block, branch)))
      return false;
    return any_of(successors(branch), [&](const BasicBlock *next) {
      return postDominators.dominates(block, next);
    });
  }

  /// A block that only ends the thread, which lanes may share with others
  /// without waiting for them.
  static bool onlyEnds(const BasicBlock &block) {
    const Instruction *end = block.getTerminator();
    return end->getNumSuccessors() == 0 &&
           &*block.getFirstNonPHIOrDbgOrLifetime() == end;
  }

  static bool isConvergent(const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    return call && call->isConvergent();
  }

  /// Whether lanes that leave `branch` for anywhere but `block` come to it all
  /// the same, or end. They must not come to `branch` once more first, nor go
  /// on in code that those who were in `block` come to as well: there the one
  /// would wait for the others. And before they end, nothing may need other
  /// lanes.
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

  // What a function's callers reach it with is not known.
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
  // Within a basic block, the lanes that are there stay together.
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
