// Guarded code as loops of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread loads an element of a tile, and threads at its border load one
// more:
//
//     tile[x + 1] = in[i];
//     if (x == 0)
//       tile[0] = in[i - 1];
//
// In one loop, the vectorizer would mask the second load or gather for all
// threads. In a second loop, only one thread runs it (GuardRanges.h). Threads
// have no order between two barriers, so all may do the first part before one
// does the second.

#ifndef XCC_BACKEND_BLOCK_LOOPS_GUARDSPLITS_H
#define XCC_BACKEND_BLOCK_LOOPS_GUARDSPLITS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Splits thread loops at code under a guard that few threads may pass, if each
/// part can recompute the values that it shares with others. Each thread runs
/// its parts in their order.
struct SplitGuardedThreadsPass : llvm::PassInfoMixin<SplitGuardedThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_GUARDSPLITS_H
