// Array indices made of a quotient and a remainder
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile with its border has more elements than the block has threads, so the
// source numbers the elements:
//
//     for (k = thread; k < 18 * 18; k += 256)
//       tile[k / 18][k % 18] = ...;
//
// Rows of an array are contiguous, so this is element k. With k as the index,
// LLVM sees that neighbouring threads access neighbouring elements.

#ifndef XCC_BACKEND_BLOCK_REWRITES_FLATINDICES_H
#define XCC_BACKEND_BLOCK_REWRITES_FLATINDICES_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Replaces the quotient and the remainder of one index by that index. Runs at
/// the peephole extension point, before LLVM narrows the division.
struct JoinIndicesPass : llvm::PassInfoMixin<JoinIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_FLATINDICES_H
