// Loops over the lanes of a warp, mostly over all of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If lanes share the elements of a row, each iteration has 32 elements, one for
// each lane, except the last:
//
//     for (lane = 0; lane != min(left, 32); ++lane)
//
// A loop of exactly 32 iterations becomes a few vectors without a loop around
// them. So such a loop gets a second copy, for 32.

#ifndef XCC_BACKEND_BLOCK_LOOPS_WHOLEWARPS_H
#define XCC_BACKEND_BLOCK_LOOPS_WHOLEWARPS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Gives loops over at most 32 lanes a copy for 32. Just before the vectorizer.
struct SeparateWholeWarpsPass : llvm::PassInfoMixin<SeparateWholeWarpsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_WHOLEWARPS_H
