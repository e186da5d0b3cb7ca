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
  /// Cycles of an iteration of a loop without the loops in it, of one thread and of
  /// one vector.
  llvm::DenseMap<const llvm::Loop *, std::pair<double, double>> iterations;
  double cycles = 0; ///< of one vector, with what waits for results before it
  /// The most vectors that one iteration of an innermost loop has to keep.
  unsigned kept = 0;
  bool waits = false;           ///< mostly, for results of the iteration before
  bool diverges = false;        ///< some inner loop repeats by mask
  bool walksOwnMemory = false;  ///< a thread's loop takes neighbours in memory
  bool followsPointers = false; ///< what a thread loads is its next address
};

/// One vector, by the widest of what threads compute.
Width widthOf(const llvm::Loop &threads, const Shapes &shapes,
              const llvm::TargetTransformInfo &target);

Estimate estimate(const llvm::Loop &threads, const llvm::LoopInfo &loops,
                  const Shapes &shapes, const Rows &rows,
                  llvm::ScalarEvolution &se, unsigned lanes,
                  const llvm::TargetTransformInfo &target);

/// How long one iteration of \p l takes at least, by what it hands on to the next.
double recurrenceOf(const llvm::Loop &l, const llvm::LoopInfo &loops,
                    const llvm::TargetTransformInfo &target);

/// Whether the vector form is faster by a margin that covers what cannot be
/// known, such as how long lanes wait for others.
bool isWorthIt(const Estimate &e, unsigned lanes);

/// Whether two vectors at once, estimated as \p two, are faster than \p one after
/// the other: where each iteration waits for the one before it, the second vector
/// takes no time.
bool isWorthTwo(const Estimate &one, const Estimate &two,
                const llvm::TargetTransformInfo &target);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_COST_H
