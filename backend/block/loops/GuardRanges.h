// Guards that a range of threads passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Often, a guard is around all that threads do between two barriers:
// `if (x < half)`, `if (x == 0)` or `if (2 * step * x < n)`. The thread loop is
// then restricted to the threads that pass: it needs no masks and has no idle
// iterations.

#ifndef XCC_BACKEND_BLOCK_LOOPS_GUARDRANGES_H
#define XCC_BACKEND_BLOCK_LOOPS_GUARDRANGES_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Restricts thread loops in which only threads that pass a guard have an
/// effect to the range of threads that may pass. Handles guards that are
/// uniform or compare an index that grows from thread to thread. Runs after the
/// loops are simplified and before they are vectorised.
struct RestrictGuardedThreadsPass
    : llvm::PassInfoMixin<RestrictGuardedThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_GUARDRANGES_H
