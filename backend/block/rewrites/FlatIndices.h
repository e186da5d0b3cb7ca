// Rows and columns of one index
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that load a tile with its border have more elements than threads, so
// they count them:
//
//     for (k = thread; k < 18 * 18; k += 256)
//       tile[k / 18][k % 18] = ...;
//
// The rows of an array follow each other: this is element k. Neighbouring threads
// are seen to have neighbouring elements then, where they would be scattered.

#ifndef XCC_BACKEND_BLOCK_REWRITES_FLATINDICES_H
#define XCC_BACKEND_BLOCK_REWRITES_FLATINDICES_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Makes one index of a quotient and a remainder of it. At Peephole: before LLVM finds
/// out that few bits are enough for the division.
struct JoinIndicesPass : llvm::PassInfoMixin<JoinIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_FLATINDICES_H
