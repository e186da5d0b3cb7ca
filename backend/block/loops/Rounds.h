// Indices that wrap around in a few bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_ROUNDS_H
#define XCC_BACKEND_BLOCK_LOOPS_ROUNDS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Hides indices that wrap around in a few bits, such as (i + 3) % 32, from the
/// vectorizer, which would take them for indices that count on; see Rounds.cpp.
/// Runs just before the vectorizer.
struct HideWrappingIndicesPass : llvm::PassInfoMixin<HideWrappingIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_ROUNDS_H
