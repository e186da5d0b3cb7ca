// Whether a vector form is worth it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SIMD_COST_H
#define XCC_BACKEND_BLOCK_SIMD_COST_H

#include "Rows.h"

namespace llvm {
class TargetTransformInfo;
}

namespace xcc::block::simd {

/// What the vector form consists of, for remarks, and what it costs.
struct Estimate {
  double scalar = 0; ///< of one thread
  double vector = 0; ///< of one vector of threads
  unsigned masked = 0, rows = 0, gathered = 0, scattered = 0, calledByLane = 0;
  /// Cycles of one iteration of a loop without its inner loops, for one thread
  /// and for one vector.
  llvm::DenseMap<const llvm::Loop *, std::pair<double, double>> iterations;
  double cycles = 0; ///< of one vector, with waits for earlier results
  /// The most vectors that one iteration of an innermost loop keeps in
  /// registers.
  unsigned kept = 0;
  bool waits = false;           ///< mostly for results of the iteration before
  bool diverges = false;        ///< some inner loop repeats by mask
  bool walksOwnMemory = false;  ///< a thread's loop walks consecutive memory
  bool followsPointers = false; ///< a thread loads its next address
};

/// The width of one vector register, by the widest values that threads compute.
Width widthOf(const llvm::Loop &threads, const Shapes &shapes,
              const llvm::TargetTransformInfo &target);

Estimate estimate(const llvm::Loop &threads, const llvm::LoopInfo &loops,
                  const Shapes &shapes, const Rows &rows,
                  llvm::ScalarEvolution &se, unsigned lanes,
                  const llvm::TargetTransformInfo &target);

/// The least cycles of an iteration of \p l, by the values that it passes to
/// the next.
double recurrenceOf(const llvm::Loop &l, const llvm::LoopInfo &loops,
                    const llvm::TargetTransformInfo &target);

/// Whether the vector form is faster by a margin that covers unknowns, such as
/// how long lanes wait for others.
bool isWorthIt(const Estimate &e, unsigned lanes);

/// Whether two interleaved vectors, estimated as \p two, are faster than twice
/// \p one. If each iteration waits for the one before it, the second vector is
/// free.
bool isWorthTwo(const Estimate &one, const Estimate &two,
                const llvm::TargetTransformInfo &target);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_COST_H
