// Guards that a range of threads passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads do all under `if (x < half)`, `if (x == 0)` or `if (2 * step * x < n)`
// around all that they do between two barriers. The loop over the threads comes to
// those alone that pass: no masks, and no iterations for nothing.

#ifndef XCC_BACKEND_BLOCK_LOOPS_GUARDRANGES_H
#define XCC_BACKEND_BLOCK_LOOPS_GUARDRANGES_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Restricts thread loops whose threads do nothing unless they pass a guard to the
/// range of threads that may pass it, as far as guards compare an index that grows
/// from thread to thread, or are the same for all threads. After the loops are
/// simplified, before they are vectorised.
struct RestrictGuardedThreadsPass
    : llvm::PassInfoMixin<RestrictGuardedThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_GUARDRANGES_H
