//===-- block/Regions.h - The code between two barriers ---------*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region is the code that each thread of a block runs before the threads meet
// again. Every block of the kernel belongs to one region; a region is entered
// at one block, and all its ways out lead to one place:
//
//   * the start of one other region (a barrier lies between them, or the second
//     can be reached from several regions), or
//   * a branch that all threads take the same way, decided once per block of
//     threads, each side of which starts a region, or
//   * the end of the kernel.
//
// So a kernel whose regions are known can run them one after the other, each
// inside a loop over the threads.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_BLOCK_REGIONS_H
#define XCC_FRONTEND_BLOCK_REGIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

#include <optional>
#include <string>
#include <vector>

namespace xcc::block {

struct Region {
  llvm::BasicBlock *Start = nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 8> Blocks; ///< Start is the first
  /// The block whose terminator decides, for all threads, what comes next;
  /// null when there is one way on.
  llvm::BasicBlock *Decider = nullptr;
  /// Where every thread goes on; null at the end of the kernel (and when
  /// there is a Decider).
  llvm::BasicBlock *Next = nullptr;
};

struct RegionPlan {
  std::vector<Region> Regions; ///< the first is where the kernel starts
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> RegionOf;

  bool isSingle() const { return Regions.size() == 1; }
};

} // namespace xcc::block

#endif // XCC_FRONTEND_BLOCK_REGIONS_H
