// Values that outlive their region
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that one region computes and another one uses cannot stay in a
// register, because the other threads run in between. Such values become
// variables: stack slots that are loaded and stored, as at -O0. A uniform value
// has one variable for all threads. Other values have one per thread, which
// LoopKernel keeps in the runtime's scratch memory. Values that are cheap to
// compute from the thread's index are recomputed instead.

#ifndef XCC_BACKEND_BLOCK_REGIONS_LIVEACROSS_H
#define XCC_BACKEND_BLOCK_REGIONS_LIVEACROSS_H

#include "Regions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace xcc::block {

/// A value kept from one region to the next. Its alloca holds the value only
/// within a region and is promoted to a register in the end.
struct Variable {
  llvm::AllocaInst *local = nullptr;
  bool isUniform = false; ///< the same for all threads
};

/// A private array of the kernel that lives across regions. The array lies in
/// scratch memory as a whole, because its address has to stay the same.
struct PrivateArray {
  llvm::AllocaInst *slot;
};

struct LiveAcross {
  std::vector<Variable> variables;
  std::vector<PrivateArray> arrays;
};

/// The alignment of scratch memory.
inline const llvm::Align ScratchAlign = llvm::Align::Constant<64>();

/// \returns whether every value of \p kernel can be kept; if not, \p whyNot
/// says why.
bool canKeepLiveAcross(const llvm::Function &kernel, std::string &whyNot);

/// Rewrites \p kernel so that each value is used only in the region that
/// computes it, except values of the prologue. Phis at a region's start are
/// rewritten too. May add blocks and regions to \p plan.
LiveAcross keepLiveAcross(llvm::Function &kernel, RegionPlan &plan,
                          Uniformity &uniform);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_LIVEACROSS_H
