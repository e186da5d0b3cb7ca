// Guards that every n-th thread passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree reduction is often written with `x % (2 * offset) == 0` before all
// that a thread does. In its last steps, few threads pass this guard, but the
// thread loop visits all.

#ifndef XCC_BACKEND_BLOCK_LOOPS_STRIDEDGUARDS_H
#define XCC_BACKEND_BLOCK_LOOPS_STRIDEDGUARDS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Gives thread loops with such a guard a second version that visits only
/// threads that may pass, for when these are few. Runs just before LLVM's
/// vectorizer.
struct SkipGuardedThreadsPass : llvm::PassInfoMixin<SkipGuardedThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_STRIDEDGUARDS_H
