// Kernels as loops over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPKERNEL_H
#define XCC_BACKEND_BLOCK_LOOPKERNEL_H

#include "LiveAcross.h"
#include "Regions.h"
#include "SharedLayout.h"
#include "ThreadRange.h"

namespace xcc::block {

struct LoopKernelOptions {
  std::string Name; ///< of the new function
  /// Functions that were not inlined ask the runtime for their thread: keep
  /// its record up to date.
  bool UpdatesThreadRecord = false;
  /// The threads that do not leave at the kernel's start; null for all.
  ThreadRange *Range = nullptr;
};

struct LoopKernel {
  llvm::Function *Entry = nullptr; ///< an xcc_cpu_block_fn
  uint64_t PrivateSegmentSize = 0; ///< bytes of scratch for each thread
};

/// Moves \p Kernel's code to an xcc_cpu_block_fn that runs \p Plan's regions in
/// loops over the threads, within a loop over blocks. Barriers are gone, and
/// what lives across regions is in the variables and arrays of \p Live.
LoopKernel buildLoopKernel(llvm::Function &Kernel, const RegionPlan &Plan,
                           const LiveAcross &Live, const Uniformity &Uniform,
                           const SharedLayout &Layout,
                           const LoopKernelOptions &Options);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPKERNEL_H
