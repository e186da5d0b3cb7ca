// Guarded code as loops of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread loads an element of a tile, and those at its border one more:
//
//     tile[x + 1] = in[i];
//     if (x == 0)
//       tile[0] = in[i - 1];
//
// In one loop the vectorizer would mask or gather the second for all threads. In
// two it is done for one of them (GuardRanges.h). Threads have no order between
// two barriers, so all may do the first before one does the second.

#ifndef XCC_BACKEND_BLOCK_LOOPS_GUARDSPLITS_H
#define XCC_BACKEND_BLOCK_LOOPS_GUARDSPLITS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Divides thread loops at code under a guard that few threads may pass, if what the
/// parts have in common can be computed again. Each thread does its parts in their
/// order.
struct SplitGuardedThreadsPass : llvm::PassInfoMixin<SplitGuardedThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_GUARDSPLITS_H
