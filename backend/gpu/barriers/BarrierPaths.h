// Barriers that threads of a warp reach by different paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_BARRIERS_BARRIERPATHS_H
#define XCC_BACKEND_GPU_BARRIERS_BARRIERPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

struct BarrierOps;
class UniformResults;

using BlockSet = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

/// The blocks that are reachable from the end of a block without passing `end`.
BlockSet reachAfter(const llvm::BasicBlock *block,
                    const llvm::BasicBlock *end = nullptr);

/// Finds a function's barriers that threads of a warp may reach separately.
class BarrierPaths {
public:
  BarrierPaths(llvm::Function &function,
               llvm::ArrayRef<llvm::CallInst *> barriers, const BarrierOps &ops,
               llvm::FunctionAnalysisManager &analyses,
               UniformResults &results);

  /// Divergent branches whose threads reach barriers before they reconverge.
  llvm::SmallVector<const llvm::BasicBlock *> harmful;
  /// Whether threads that never reach the barrier may still run while others
  /// wait at it.
  bool withoutOthers(const llvm::CallInst *barrier) const {
    return partly.contains(barrier->getParent());
  }
  /// The block where the paths of a branch join; null if there is none.
  const llvm::BasicBlock *join(const llvm::BasicBlock *branch) const;

private:
  const bool isSequential; ///< BarrierOps::pathsInTurn
  llvm::PostDominatorTree postDominators;
  BlockSet barrierBlocks, partly;

  void look(const llvm::BasicBlock *branch);
  bool ends(const llvm::BasicBlock *block, const BlockSet &later) const;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_BARRIERS_BARRIERPATHS_H
