// Which barriers threads of a warp come to apart
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_BARRIERS_BARRIERWAYS_H
#define XCC_BACKEND_GPU_BARRIERS_BARRIERWAYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

struct BarrierOps;

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

/// What can be reached from the ends of a block, short of `end`.
BlockSet reachAfter(const llvm::BasicBlock *block,
                    const llvm::BasicBlock *end = nullptr);

/// Which barriers of a function threads of a warp may come to apart.
class BarrierWays {
public:
  BarrierWays(llvm::Function &function,
              llvm::ArrayRef<llvm::CallInst *> barriers, const BarrierOps &ops,
              llvm::FunctionAnalysisManager &analyses);

  /// Branches that take threads apart which come to barriers after that.
  llvm::SmallVector<const llvm::BasicBlock *> harmful;
  /// Whether some threads may still be on their way to their end while others
  /// are at the barrier.
  bool withoutOthers(const llvm::CallInst *barrier) const {
    return partly.contains(barrier->getParent());
  }
  /// Where a branch's ways come together; null if they need not.
  const llvm::BasicBlock *join(const llvm::BasicBlock *branch) const;

private:
  const bool inTurn; ///< BarrierOps::waysInTurn
  llvm::PostDominatorTree postDominators;
  BlockSet barrierBlocks, partly;

  void look(const llvm::BasicBlock *branch);
  bool ends(const llvm::BasicBlock *block, const BlockSet &later) const;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_BARRIERS_BARRIERWAYS_H
