// Indices that go round
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_ROUNDS_H
#define XCC_BACKEND_BLOCK_LOOPS_ROUNDS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Keeps the vectorizer from taking an index that goes round in few bits, such
/// as (i + 3) % 32, for one that counts on; see Rounds.cpp. Just before the
/// vectorizer.
struct HideRoundsPass : llvm::PassInfoMixin<HideRoundsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_ROUNDS_H
