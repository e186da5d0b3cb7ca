// Guards that every few threads pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum by a tree is often written with `x % (2 * offset) == 0` before all that a
// thread does. At the upper levels few of the threads pass the guard, but the
// loop over them comes to all.

#ifndef XCC_BACKEND_BLOCK_LOOPS_STRIDEDGUARDS_H
#define XCC_BACKEND_BLOCK_LOOPS_STRIDEDGUARDS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Gives thread loops with such a guard a second form that comes only to threads
/// that may pass it, for when these are few. Just before LLVM's vectorizer.
struct SkipGuardedThreadsPass : llvm::PassInfoMixin<SkipGuardedThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_STRIDEDGUARDS_H
