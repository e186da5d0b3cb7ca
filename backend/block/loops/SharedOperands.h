// Several vectors of threads at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_SHAREDOPERANDS_H
#define XCC_BACKEND_BLOCK_LOOPS_SHAREDOPERANDS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Asks the vectorizer to run two vectors of threads at once in thread loops
/// where many operands are the same for all threads, as the row of a matrix
/// product is: each is then loaded once for two vectors, and the sums of one
/// run in the shadow of the other's. Left to itself the vectorizer interleaves
/// only loops with small bodies. Just before the vectorizer.
struct InterleaveSharedOperandsPass
    : llvm::PassInfoMixin<InterleaveSharedOperandsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_SHAREDOPERANDS_H
