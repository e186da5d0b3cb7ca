// The code between two barriers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region is the code that each thread of a block runs before the threads
// reconverge. Each basic block of the kernel belongs to one region. A region is
// entered at one basic block, and all paths out of the region lead to one
// place:
//
//   * the start of one other region (a barrier lies between them, or the second
//     can be reached from several regions), or
//   * a branch whose condition is uniform, decided once per block of threads;
//     each side of the branch starts a region, or
//   * the end of the kernel.
//
// So a kernel whose regions are known can run them one after the other, each
// inside a loop over the threads.

#ifndef XCC_BACKEND_BLOCK_REGIONS_REGIONS_H
#define XCC_BACKEND_BLOCK_REGIONS_REGIONS_H

#include "Uniformity.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

#include <optional>
#include <string>
#include <vector>

namespace xcc::block {

struct Region {
  llvm::BasicBlock *start = nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks; ///< Start is the first
  /// The block whose terminator decides for all threads which region is next;
  /// null if only one can be.
  llvm::BasicBlock *decider = nullptr;
  /// The region start where every thread continues; null at the end of the
  /// kernel, and if there is a decider.
  llvm::BasicBlock *next = nullptr;
};

struct RegionPlan {
  /// Code that does not depend on the thread and is computed once for all
  /// regions, and the static allocas. Belongs to no region.
  llvm::BasicBlock *prologue = nullptr;
  std::vector<Region> regions; ///< the first follows the prologue
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> regionIndex;

  /// The region \p bb is in; the prologue is in none.
  std::optional<unsigned> regionOf(const llvm::BasicBlock *bb) const {
    auto it = regionIndex.find(bb);
    return it == regionIndex.end() ? std::nullopt : std::optional(it->second);
  }
  /// Starts of the regions that may follow \p r.
  llvm::SmallVector<llvm::BasicBlock *, 2> successors(const Region &r) const;
  bool isSingle() const { return regions.size() == 1; }
  /// Whether \p r can run again after it ran, for the same block of threads.
  bool isRepeated(unsigned r) const;
};

/// Marks the loads of arguments in \p kernel as invariant, if nothing writes to
/// them.
void markArguments(llvm::Function &kernel, uint64_t kernargSize);

/// Moves to the entry block of \p kernel (and splits off the rest of it) what
/// is the same for all threads and has no effect: queries of the block and of
/// the launch, arguments (markArguments ran), and arithmetic on them.
void hoistPrologue(llvm::Function &kernel, Scope scope = Scope::Block);

/// Puts every barrier at the end of its block.
void splitAtBarriers(llvm::Function &kernel);

/// Finds the regions of \p kernel, after splitAtBarriers and hoistPrologue. The
/// branches at the end of \p decided are always taken once for all threads, and
/// the blocks \p starts always start regions.
/// \returns none if threads may diverge before a barrier; \p whyNot says where.
std::optional<RegionPlan>
planRegions(llvm::Function &kernel, const Uniformity &uniform,
            llvm::ArrayRef<llvm::BasicBlock *> decided,
            llvm::ArrayRef<llvm::BasicBlock *> starts, std::string &whyNot);

/// Removes the barriers of a kernel whose regions run one after the other. All
/// threads take part in each barrier, so a warp barrier releases all lanes that
/// the warp has.
void removeBarriers(llvm::Function &kernel, Uniformity &uniform);

/// Removes the warp barriers from warp code. Each path from a region to the
/// next has to pass a block barrier if one of them does.
/// \returns false if a path does not.
bool removeWarpBarriers(llvm::Function &kernel, const RegionPlan &plan);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_REGIONS_H
