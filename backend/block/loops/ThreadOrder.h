// Order within a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop marked as parallel promises that its iterations, the threads, do not
// depend on each other. LLVM's vectorizer assumes more: that there are no
// dependences at all. When it joins neighbouring accesses of one iteration (the
// fields of a structure, the elements of an unrolled loop), it moves loads up
// over stores, and stores down over loads, that may be to the same memory.

#ifndef XCC_BACKEND_BLOCK_LOOPS_THREADORDER_H
#define XCC_BACKEND_BLOCK_LOOPS_THREADORDER_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Keeps the vectorizer from joining accesses of a parallel loop across others
/// of the same iteration that may be to the same memory. If LLVM's dependence
/// analysis succeeds without the promise, perhaps with checks at run time, the
/// marks are removed. Otherwise accesses that must not be joined are made to
/// look unrelated. Runs just before the vectorizer.
struct KeepThreadOrderPass : llvm::PassInfoMixin<KeepThreadOrderPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_THREADORDER_H
