// Values that outlive their region
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that one region computes and another one uses cannot stay in a
// register: in between, the other threads run. Here such values become
// variables (stack slots that are loaded and stored, as in code compiled
// without optimization), of two kinds: those that all threads agree on, kept
// once, and those of a thread, which LoopKernel keeps in the runtime's scratch
// memory. What is cheap to compute from the thread's index is computed again
// instead.

#ifndef XCC_BACKEND_BLOCK_REGIONS_LIVEACROSS_H
#define XCC_BACKEND_BLOCK_REGIONS_LIVEACROSS_H

#include "Regions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace xcc::block {

/// A value kept from one region to the next. Its alloca only ever holds it
/// within a region; it is promoted to a register in the end.
struct Variable {
  llvm::AllocaInst *local = nullptr;
  bool isUniform = false; ///< all threads agree on it
};

/// A private array of the kernel that lives across regions: its address has to
/// stay the same, so all of it is in scratch memory.
struct PrivateArray {
  llvm::AllocaInst *slot;
};

struct LiveAcross {
  std::vector<Variable> variables;
  std::vector<PrivateArray> arrays;
};

/// The alignment of scratch memory.
inline const llvm::Align ScratchAlign = llvm::Align::Constant<64>();

/// Whether every value of \p kernel could be kept, else why not.
bool canKeepLiveAcross(const llvm::Function &kernel, std::string &whyNot);

/// Rewrites \p kernel so that no value but those of the prologue is used in
/// another region than its own, a phi at a region's start included. May add
/// blocks and regions to \p plan.
LiveAcross keepLiveAcross(llvm::Function &kernel, RegionPlan &plan,
                          Uniformity &uniform);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_LIVEACROSS_H
