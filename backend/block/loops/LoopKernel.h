// Kernels as loops over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_LOOPKERNEL_H
#define XCC_BACKEND_BLOCK_LOOPS_LOOPKERNEL_H

#include "ThreadRange.h"
#include "block/abi/SharedLayout.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"

namespace xcc::block {

struct LoopKernelOptions {
  std::string name; ///< of the new function
  /// Functions that were not inlined ask the runtime for their thread: keep
  /// its record up to date.
  bool updatesThreadRecord = false;
  /// The threads that do not leave at the kernel's start; null for all.
  ThreadRange *range = nullptr;
  /// Blocks that follow each other along x are one (Teams.h).
  bool worksInTeams = false;
  /// The code is a warp's, of blocks whose rows are whole warps (warps/).
  bool isOfWarps = false;
};

struct LoopKernel {
  llvm::Function *entry = nullptr; ///< an xcc_cpu_block_fn
  uint64_t privateSegmentSize = 0; ///< bytes of scratch for each thread
  /// How many tests of a thread's are the ends of loops instead (ThreadRange.h).
  unsigned rangeTests = 0;
  /// Its blocks have alike work, and are run best side by side.
  bool stridesByGrid = false;
};

/// Moves \p kernel's code to an xcc_cpu_block_fn that runs \p plan's regions in
/// loops over the threads, within a loop over blocks. Barriers are gone, and
/// what lives across regions is in the variables and arrays of \p live.
LoopKernel buildLoopKernel(llvm::Function &kernel, const RegionPlan &plan,
                           const LiveAcross &live, const Uniformity &uniform,
                           const SharedLayout &layout,
                           const LoopKernelOptions &options);

/// Runs the regions of a warp's code, one after the other, in loops over its
/// lanes, or over those in [\p lanes.first, \p lanes.second), i32 of the prologue,
/// where these are not null. What lanes keep is on the stack; a barrier of the
/// block is between regions.
void buildLaneLoops(llvm::Function &kernel, const RegionPlan &plan,
                    const LiveAcross &live, const Uniformity &uniform,
                    std::pair<llvm::Value *, llvm::Value *> lanes = {});

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_LOOPKERNEL_H
