// Kernels as loops over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_LOOPKERNEL_H
#define XCC_BACKEND_BLOCK_LOOPS_LOOPKERNEL_H

#include "Teams.h"
#include "ThreadRange.h"
#include "block/abi/SharedLayout.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"

namespace xcc::block {

struct LoopKernelOptions {
  std::string name; ///< of the new function
  /// Keep the thread's record up to date, because functions that were not
  /// inlined get it from the runtime.
  bool updatesThreadRecord = false;
  /// The threads that do not leave at the kernel's start; null for all.
  ThreadRange *range = nullptr;
  /// Set if blocks that follow each other along x run as a team.
  std::optional<TeamForm> teams;
  /// The code is warp code, for blocks whose rows are whole warps (warps/).
  bool isOfWarps = false;
};

struct LoopKernel {
  llvm::Function *entry = nullptr; ///< an xcc_cpu_block_fn
  llvm::Function *team = nullptr;  ///< what entry runs teams with (TeamEntry.h)
  uint64_t privateSegmentSize = 0; ///< bytes of scratch for each thread
  /// How many tests of threads became bounds of loops (ThreadRange.h).
  unsigned rangeTests = 0;
  /// The kernel has grid-stride loops. Its blocks have similar work and run
  /// best side by side.
  bool stridesByGrid = false;
};

/// Moves \p kernel's code to an xcc_cpu_block_fn that runs \p plan's regions in
/// loops over the threads, within a loop over blocks. Its barriers were
/// removed, and values that live across regions are in the variables and arrays
/// of \p live.
LoopKernel buildLoopKernel(llvm::Function &kernel, const RegionPlan &plan,
                           const LiveAcross &live, const Uniformity &uniform,
                           const SharedLayout &layout,
                           const LoopKernelOptions &options);

/// Runs the regions of warp code, one after the other, in loops over the lanes.
/// If not null, \p lanes is the range [first, second) of these, i32 values of
/// the prologue. Values that lanes keep are on the stack. Block barriers lie
/// between regions.
void buildLaneLoops(llvm::Function &kernel, const RegionPlan &plan,
                    const LiveAcross &live, const Uniformity &uniform,
                    std::pair<llvm::Value *, llvm::Value *> lanes = {});

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_LOOPKERNEL_H
