// Indices that do not wrap, in 64 bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of `part[2 * step * x]` has 32 bits and may wrap, for all that the
// compiler knows. So each access computes it again, and a guard such as
// `2 * step * x < n` is tested by each thread. In a launch it hardly ever wraps.

#ifndef XCC_BACKEND_BLOCK_LOOPS_WIDEINDICES_H
#define XCC_BACKEND_BLOCK_LOOPS_WIDEINDICES_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Makes a second version of thread loops that store at a distance known at run
/// time. A check in front of them chooses it if no index wraps. Its indices have
/// 64 bits and grow by an addition. Runs before threads are left out of loops.
struct WidenIndicesPass : llvm::PassInfoMixin<WidenIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_WIDEINDICES_H
