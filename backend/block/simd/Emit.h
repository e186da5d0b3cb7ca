// The vector form of a thread loop
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SIMD_EMIT_H
#define XCC_BACKEND_BLOCK_SIMD_EMIT_H

#include "ColdPaths.h"
#include "Rows.h"

namespace llvm {
class TargetTransformInfo;
}

namespace xcc::block::simd {

/// Whether \p i, which lanes compute one by one or as a vector, can be emitted.
bool isSupported(const llvm::Instruction &i, const Shapes &shapes);

/// How an access to memory is made for all lanes.
enum class AccessKind {
  Uniform,  ///< once
  Forward,  ///< a vector in the order of the lanes
  Backward, ///< a vector in the reverse order
  Swapped,  ///< a vector in which lanes have exchanged their elements
  Apart     ///< a gather or scatter, or one by one
};
AccessKind accessKindOf(const llvm::Instruction &access, const Shapes &shapes);

/// Whether \p i must not be executed without a lane that wants it.
bool needsActiveLane(const llvm::Instruction &i, const Shapes &shapes);

/// Whether \p i leaves nothing in the vector form.
bool isDropped(const llvm::Instruction &i);

/// What an iteration of a loop that lanes leave one by one costs, in any unit: for
/// one thread that runs alone, and for a vector; and what either costs to leave
/// the loop, which a predictor of branches does not foresee.
struct IterationCost {
  unsigned thread = 0, vector = 0, threadLeaves = 0, vectorLeaves = 0;
};

/// The loop with cold paths that a hot copy stands for.
struct Original {
  llvm::Loop &loop;
  const HotCopy &copy;
};

/// Puts a loop before \p threads, in loop-simplify and LCSSA form, that runs
/// the lanes of \p width an iteration, as often as there are as many left; \p threads
/// does the rest. \p trips, known in the preheader, is how often it would run.
/// Where lanes have waited for others so long that the threads had been faster
/// alone, by \p costs, \p threads does all that is left.
/// If \p threads is a copy without cold paths, its original takes its place, and
/// runs the threads of each vector that a lane leaves.
/// Loop and dominator analyses are invalid afterwards.
void emitVectorLoop(
    llvm::Loop &threads, llvm::Value *trips, Width width, const Shapes &shapes,
    const Rows &rows,
    const llvm::DenseMap<const llvm::Loop *, IterationCost> &costs,
    const llvm::TargetTransformInfo &target, const Original *original);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_EMIT_H
