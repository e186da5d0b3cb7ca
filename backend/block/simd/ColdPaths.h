// Threads that throw leave their vector
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that throws or handles an exception makes calls with effects, which no
// vector can do. So vectors run a copy of the thread loop without such paths.
// If a lane would take one, all threads of the vector start again one by one.
// Until then the vector has written nothing that its threads read.

#ifndef XCC_BACKEND_BLOCK_SIMD_COLDPATHS_H
#define XCC_BACKEND_BLOCK_SIMD_COLDPATHS_H

#include "Overlaps.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace xcc::block::simd {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;

/// The blocks of \p f that throw, handle an exception or end the launch, and
/// those from which all paths lead to such a block.
Blocks coldBlocks(const llvm::Function &f);

/// Whether \p i marks that lanes leave their vector: those for which its
/// operand holds.
bool isLeaving(const llvm::Instruction &i);

/// A thread loop and its copy without cold paths. One of them has to be removed
/// in the end.
class HotCopy {
public:
  /// Null, and nothing changes, if no thread of \p l has a cold path, or if its
  /// control flow is more than branches. Loop analyses are invalid afterwards.
  static std::unique_ptr<HotCopy> create(llvm::Loop &l);

  llvm::BasicBlock *header() const { return hotHeader; }
  llvm::BasicBlock *originalHeader() const { return coldHeader; }
  /// The copy of \p phi, which is in the original's header.
  llvm::PHINode *copyOf(const llvm::PHINode &phi) const;
  /// Null if a vector may start again at each place where lanes leave it,
  /// unless the accesses of a pair in \p overlaps do overlap; otherwise why it
  /// may not.
  const char *reasonAgainst(llvm::Loop &hot, const Shapes &shapes,
                            llvm::AAResults &aliases, llvm::ScalarEvolution &se,
                            llvm::SmallVectorImpl<Overlap> &overlaps) const;
  /// Keeps the copy. Nothing leads to the original any more.
  void takeCopy();
  /// Restores the function as it was.
  void dropCopy();

private:
  HotCopy(llvm::Loop &l, Blocks hot);
  void copyBlocks(llvm::Loop &l, const Blocks &hot);
  void cutColdEdges(llvm::BasicBlock &from, const llvm::BasicBlock &copied,
                    const Blocks &hot, const llvm::Loop &l);
  void dropRecords();
  void dropStores(llvm::AllocaInst &variable);
  void mergeBlocks();
  void delayStores();

  llvm::BasicBlock *coldHeader, *hotHeader = nullptr;
  llvm::BranchInst *choice = nullptr; ///< between the copy and the original
  Blocks originals;                   ///< all of the loop's, cold ones too
  llvm::SmallVector<llvm::BasicBlock *> copies;
  llvm::ValueToValueMapTy map;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_COLDPATHS_H
