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

/// Whether \p i can be emitted, as a vector or lane by lane.
bool isSupported(const llvm::Instruction &i, const Shapes &shapes);

/// How an access to memory is done for all lanes.
enum class AccessKind {
  Uniform,  ///< once
  Forward,  ///< a vector in the order of the lanes
  Backward, ///< a vector in the reverse order
  Swapped,  ///< a vector in which lanes have exchanged their elements
  Apart     ///< a gather or scatter, or one by one
};
AccessKind accessKindOf(const llvm::Instruction &access, const Shapes &shapes);

/// Whether \p i must not run unless a lane needs it.
bool needsActiveLane(const llvm::Instruction &i, const Shapes &shapes);

/// Whether \p i has no code in the vector form.
bool isDropped(const llvm::Instruction &i);

/// The costs of an iteration, in any unit, of a loop that lanes leave at
/// different times: for one thread that runs alone, and for a vector; and the
/// costs of leaving the loop, which is a mispredicted branch.
struct IterationCost {
  unsigned thread = 0, vector = 0, threadLeaves = 0, vectorLeaves = 0;
};

/// The loop with cold paths of which \p copy is the hot copy.
struct Original {
  llvm::Loop &loop;
  const HotCopy &copy;
};

/// Puts a vector loop before \p threads, which is in loop-simplify and LCSSA
/// form. Each iteration runs the lanes of \p width, as long as that many
/// threads are left; \p threads runs the rest. \p trips, available in the
/// preheader, is the number of all threads. If lanes have waited for others so
/// long that threads would have been faster alone, by \p costs, \p threads runs
/// all that are left.
/// If \p threads is a copy without cold paths, its original takes its place and
/// runs the threads of each vector that a lane leaves.
/// Loop and dominator analyses are invalid afterwards.
void emitVectorLoop(
    llvm::Loop &threads, llvm::Value *trips, Width width, const Shapes &shapes,
    const Rows &rows,
    const llvm::DenseMap<const llvm::Loop *, IterationCost> &costs,
    const llvm::TargetTransformInfo &target, const Original *original);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_EMIT_H
