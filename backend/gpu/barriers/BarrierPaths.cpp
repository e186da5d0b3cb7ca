// Finds barriers that threads of a warp reach by different paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch is harmless if all but one of its paths end the thread before any
// barrier, as at the start of most kernels. On an AMD GPU, these paths must
// also do nothing before they end, because a wave that waits at a barrier
// executes nothing else.

#include "BarrierPaths.h"
#include "gpu/Passes.h"
#include "gpu/warps/LanePaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace xcc::gpu {

/// Adds the block and all blocks reachable from it without passing `end`.
static void reach(const BasicBlock *from, BlockSet &found,
                  const BasicBlock *end = nullptr) {
  SmallVector<const BasicBlock *> work = {from};
  while (!work.empty()) {
    const BasicBlock *at = work.pop_back_val();
    if (at != end && found.insert(at).second)
      append_range(work, successors(at));
  }
}

BlockSet reachAfter(const BasicBlock *block, const BasicBlock *end) {
  BlockSet found;
  for (const BasicBlock *next : successors(block))
    reach(next, found, end);
  return found;
}

BarrierPaths::BarrierPaths(Function &function, ArrayRef<CallInst *> barriers,
                           const BarrierOps &ops,
                           FunctionAnalysisManager &analyses,
                           UniformResults &results)
    : isSequential(ops.pathsWithOneProgramCounter), postDominators(function) {
  for (const CallInst *call : barriers)
    barrierBlocks.insert(call->getParent());
  for (const BasicBlock *branch :
       divergentBranches(function, analyses, ops, results))
    look(branch);
}

const BasicBlock *BarrierPaths::join(const BasicBlock *branch) const {
  const auto *node = postDominators.getNode(branch);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

void BarrierPaths::look(const BasicBlock *branch) {
  BlockSet between = reachAfter(branch, join(branch));
  BlockSet met, later;
  for (const BasicBlock *block : barrierBlocks)
    if (between.contains(block)) {
      met.insert(block);
      for (const BasicBlock *at : reachAfter(block))
        later.insert(at);
    }
  if (met.empty())
    return;
  SmallPtrSet<const BasicBlock *, 4> onward;
  bool slow = false;
  for (const BasicBlock *next : successors(branch)) {
    if (onlyEnds(next))
      continue;
    slow |= ends(next, later);
    if (!ends(next, later))
      onward.insert(next);
  }
  // Work before an end must run before the barrier of the other threads.
  if (onward.size() > 1 || (slow && isSequential && !onward.empty()))
    harmful.push_back(branch);
  if (onward.size() > 1 || slow)
    partly.insert(met.begin(), met.end());
}

/// Whether threads that reach the block end without a barrier, in code that no
/// other threads share: GPUs make threads wait for each other in code after a
/// branch that they share.
bool BarrierPaths::ends(const BasicBlock *block, const BlockSet &later) const {
  BlockSet ahead;
  reach(block, ahead);
  return all_of(ahead, [&](const BasicBlock *at) {
    return !barrierBlocks.contains(at) && (!later.contains(at) || onlyEnds(at));
  });
}

} // namespace xcc::gpu
