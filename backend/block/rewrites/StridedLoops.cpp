// Grid-stride loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoops.h"
#include "StridedCounters.h"
#include "StridedLoop.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace xcc::block {

/// Whether all threads of a block that have not left the kernel come to a loop
/// together, each time: the loops around it and the branches on the path to it
/// are uniform.
static bool isReachedTogether(const Loop &l, const DominatorTree &dt,
                              const PostDominatorTree &ends,
                              const Uniformity &uniform) {
  auto isUniform = [&](const BasicBlock *bb) {
    const Instruction *end = bb->getTerminator();
    return end->getNumSuccessors() < 2 ||
           (isa<BranchInst>(end) &&
            uniform.isUniformUse(end->getOperandUse(0)));
  };
  for (const Loop *outer = l.getParentLoop(); outer;
       outer = outer->getParentLoop()) {
    SmallVector<BasicBlock *, 4> exiting;
    outer->getExitingBlocks(exiting);
    if (!all_of(exiting, isUniform))
      return false;
  }
  auto leaves = [](const BasicBlock *bb) {
    return isa<ReturnInst>(bb->getTerminator()) && bb->size() == 1;
  };
  const BasicBlock *inner = l.getLoopPreheader();
  // The first branch is the loop's own guard.
  bool isGuard = true;
  for (auto *node = dt.getNode(inner)->getIDom(); node;
       node = node->getIDom()) {
    const BasicBlock *bb = node->getBlock();
    if (bb->getTerminator()->getNumSuccessors() < 2)
      continue;
    if (std::exchange(isGuard, false))
      continue;
    if (!isUniform(bb) && !ends.dominates(inner, bb) &&
        none_of(successors(bb), leaves) &&
        // The guard may skip the loop.
        !ends.dominates(dt.getNode(inner)->getIDom()->getBlock(), bb))
      return false;
  }
  return true;
}

SmallVector<BasicBlock *, 2> alignStridedLoops(Function &kernel, Scope scope) {
  SmallVector<BasicBlock *, 2> repeats;
  SmallPtrSet<BasicBlock *, 4> others;
  DenseMap<BasicBlock *, Value *> masks; // by the headers of loops in rows
  // An aligned loop does not match again.
  for (bool changed = true; changed;) {
    changed = false;
    DominatorTree dt(kernel);
    LoopInfo loops(dt);
    std::optional<Uniformity> uniform;
    std::optional<PostDominatorTree> ends;
    auto analyse = [&] {
      if (uniform)
        return;
      uniform.emplace(kernel, scope);
      ends.emplace(kernel);
    };
    auto prepare = [&](Loop *l) {
      if (!l->getLoopPreheader())
        InsertPreheaderForLoop(l, &dt, &loops, /*MSSAU=*/nullptr,
                               /*PreserveLCSSA=*/false);
      narrowCounter(*l, dt);
      dropWideCounters(*l);
      countUp(*l, kernel.getEntryBlock());
      formLCSSA(*l, dt, &loops, /*SE=*/nullptr);
    };
    for (Loop *l : loops.getLoopsInPreorder())
      if (!others.contains(l->getHeader()))
        prepare(l);
    for (Loop *l : loops.getLoopsInPreorder())
      if (l->getParentLoop() && l->isInnermost() &&
          !others.contains(l->getHeader())) {
        analyse();
        if (StridedLoop(*l, kernel, scope, dt, &*uniform).restoreGuard()) {
          changed = true;
          break;
        }
      }
    if (changed)
      continue;
    for (Loop *l : loops.getLoopsInPreorder()) {
      if (others.contains(l->getHeader()))
        continue;
      const bool isNested = l->getParentLoop();
      // Warp code may use values that are computed on the path to the loop.
      bool isWithin = isNested || scope == Scope::Warp;
      if (isWithin || !l->isInnermost())
        analyse();
      // So may a kernel whose threads come to the loop together.
      if (!isWithin && l->isInnermost() &&
          !StridedLoop(*l, kernel, scope, dt, nullptr).matches()) {
        analyse();
        isWithin = true;
      }
      if (isWithin && !isReachedTogether(*l, dt, *ends, *uniform))
        continue;
      const Uniformity *around = isWithin ? &*uniform : nullptr;
      StridedLoop rows(*l, kernel, scope, dt, around),
          single(*l, kernel, scope, dt, around, masks.lookup(l->getHeader()));
      if (!l->isInnermost() && rows.matchesRows(*uniform)) {
        BasicBlock *row = l->getSubLoops().front()->getHeader();
        repeats.push_back(rows.align(loops, dt, others));
        masks[row] = rows.taken();
      } else if (single.matches()) {
        repeats.push_back(single.align(loops, dt, others));
      } else {
        continue;
      }
      changed = true;
      break;
    }
  }
  return repeats;
}

} // namespace xcc::block
