// The code between two barriers
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

#ifndef XCC_BACKEND_BLOCK_REGIONS_H
#define XCC_BACKEND_BLOCK_REGIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

#include <optional>
#include <string>
#include <vector>

namespace xcc::block {

class Uniformity;

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
  /// What does not depend on the thread and may be computed once for all
  /// regions; also holds the static allocas. Belongs to no region.
  llvm::BasicBlock *Prologue = nullptr;
  std::vector<Region> Regions; ///< the first follows the prologue
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> RegionOf;

  bool inSameRegion(const llvm::BasicBlock *A,
                    const llvm::BasicBlock *B) const {
    return RegionOf.lookup(A) == RegionOf.lookup(B);
  }
  /// The region \p BB is in; the prologue is in none.
  std::optional<unsigned> regionOf(const llvm::BasicBlock *BB) const {
    auto It = RegionOf.find(BB);
    return It == RegionOf.end() ? std::nullopt : std::optional(It->second);
  }
  /// Starts of the regions that may follow \p R.
  llvm::SmallVector<llvm::BasicBlock *, 2> successors(const Region &R) const;
  bool isSingle() const { return Regions.size() == 1; }
  /// Whether \p R can run again after it ran, for the same block of threads.
  bool isRepeated(unsigned R) const;
};

/// Moves to the entry block of \p Kernel (and splits off the rest of it) what
/// is the same for all threads and has no effect: queries of the block and of
/// the launch, arguments, and arithmetic on them.
void hoistPrologue(llvm::Function &Kernel, uint64_t KernargSize);

/// Puts every barrier at the end of its block.
void splitAtBarriers(llvm::Function &Kernel);

/// Finds the regions of \p Kernel, whose barriers were split and whose prologue
/// was hoisted. The branches that end \p Decided are taken once for all threads
/// in any case, and \p Starts start regions in any case. None when the threads
/// may part ways before a barrier; \p WhyNot then says where.
std::optional<RegionPlan>
planRegions(llvm::Function &Kernel, const Uniformity &Uniform,
            llvm::ArrayRef<llvm::BasicBlock *> Decided,
            llvm::ArrayRef<llvm::BasicBlock *> Starts, std::string &WhyNot);

/// Removes the barriers of a kernel whose regions are run one after the other.
/// All threads take part in each of them, so the lanes that a warp barrier
/// releases together are those that the warp has.
void removeBarriers(llvm::Function &Kernel, Uniformity &Uniform);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_H
