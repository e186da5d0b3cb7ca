// Threads side by side in vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises innermost loops. If a thread has a loop of its own, the loop
// over the threads is an outer one. Mandelbrot's threads, each of which
// iterates as often as its point needs, would run one after the other.

#ifndef XCC_BACKEND_BLOCK_SIMD_PASS_H
#define XCC_BACKEND_BLOCK_SIMD_PASS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace xcc::block {

/// The property of a loop, with llvm.loop.parallel_accesses, whose iterations
/// are neighbouring threads.
inline constexpr llvm::StringLiteral ThreadLoopMark = "xcc.threads";

/// The same two properties for a loop whose iterations depend on each other in
/// cold paths only (simd/ColdPaths.h).
inline constexpr llvm::StringLiteral HotThreadLoopMark = "xcc.hot_threads";
inline constexpr llvm::StringLiteral HotAccesses = "xcc.hot_accesses";

/// Whether threads do not depend on each other through \p access in their loop
/// \p l. With \p hot, \p l has no cold paths.
bool isParallel(const llvm::Instruction &access, const llvm::Loop &l,
                bool hot = false);

/// Vectorises thread loops that contain loops, or whose threads may throw, by
/// whole vectors of threads (docs/internals/simd.md). Leaves a loop as it is if
/// that is impossible or not worth it. Runs just before LLVM's vectorizer.
struct VectorizeThreadsPass : llvm::PassInfoMixin<VectorizeThreadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_SIMD_PASS_H
