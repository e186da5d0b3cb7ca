// Threads side by side in vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises innermost loops. A thread that has a loop of its own makes the
// loop over the threads an outer one, so mandelbrot's threads, each of which
// iterates as often as its point wants, would run one after the other.

#ifndef XCC_BACKEND_BLOCK_SIMD_PASS_H
#define XCC_BACKEND_BLOCK_SIMD_PASS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace xcc::block {

/// The property of a loop, beside llvm.loop.parallel_accesses, that says that
/// its iterations are threads side by side.
inline constexpr llvm::StringLiteral ThreadLoopMark = "xcc.threads";

/// As the two before, of a loop whose iterations depend on each other in cold paths
/// only (simd/ColdPaths.h).
inline constexpr llvm::StringLiteral HotThreadLoopMark = "xcc.hot_threads";
inline constexpr llvm::StringLiteral HotAccesses = "xcc.hot_accesses";

/// Whether threads do not depend on each other through \p access in their loop
/// \p l, with its cold paths or \p hot, without them.
bool isParallel(const llvm::Instruction &access, const llvm::Loop &l,
                bool hot = false);

/// Vectorises thread loops that contain loops, or whose threads may throw, by whole
/// vectors of threads (docs/internals/simd.md). A loop that it cannot or should not take stays as
/// it is. Just before LLVM's vectorizer.
struct VectorizeThreadsPass : llvm::PassInfoMixin<VectorizeThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_SIMD_PASS_H
