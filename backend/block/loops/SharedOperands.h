// Several vectors of threads at once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_SHAREDOPERANDS_H
#define XCC_BACKEND_BLOCK_LOOPS_SHAREDOPERANDS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Asks the vectorizer to interleave two vectors of threads in thread loops
/// with many operands that are the same for all threads, such as the row in a
/// matrix product. Each operand is then loaded once for two vectors, and the
/// latencies of their sums overlap. By default, the vectorizer interleaves only
/// loops with small bodies. Runs just before the vectorizer.
struct InterleaveSharedOperandsPass
    : llvm::PassInfoMixin<InterleaveSharedOperandsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_SHAREDOPERANDS_H
