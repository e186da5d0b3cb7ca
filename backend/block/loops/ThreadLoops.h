// Loops over blocks and over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_THREADLOOPS_H
#define XCC_BACKEND_BLOCK_LOOPS_THREADLOOPS_H

#include "block/abi/KernelBody.h"

#include "Teams.h"

#include "llvm/IR/IRBuilder.h"

namespace xcc::block {

/// The sizes of a launch, loaded once per call.
struct LaunchShape {
  llvm::Value *gridDim[3];
  llvm::Value *blockDim[3];
  llvm::Value *threads; ///< of a block, i64

  static LaunchShape load(llvm::IRBuilderBase &b, llvm::Value *group);
  /// The most blocks that have \p most threads together; 1 if a block has more,
  /// or if \p form asks for blocks of another size.
  llvm::Value *blocksOf(llvm::IRBuilderBase &b, uint64_t most,
                        const TeamForm &form) const;
  /// Counts warps instead of threads along x. Each row is a whole number of
  /// warps.
  void countWarps(llvm::IRBuilderBase &b);
};

/// The loop over the blocks [first, last) of a block function.
struct BlockLoop {
  llvm::BasicBlock *header; ///< no terminator yet; the block's code follows
  llvm::BasicBlock *latch;  ///< where the block's code goes at its end
  llvm::Value *blockIdx[3];
  llvm::Value *width; ///< threads along x, of the block or of its team

  /// Builds the loop between \p entry, whose branch it replaces, and a return.
  /// With \p mostBlocks, an i32 of at least 1, the loop is over teams
  /// (Teams.h), and blockIdx is that of a team's first block.
  static BlockLoop create(llvm::Function &f, llvm::BasicBlock *entry,
                          const LaunchShape &shape, llvm::Value *mostBlocks);
  /// No loop: the function \p f is called for one team (TeamEntry.h).
  static BlockLoop createTeam(llvm::Function &f, llvm::BasicBlock *entry);
};

/// Three nested loops over the threads of a block, x innermost. A block has at
/// least one thread in every dimension, so the loops test at their ends.
struct ThreadLoops {
  llvm::BasicBlock *preheader; ///< runs once; has its terminator
  llvm::BasicBlock *before;    ///< in the loop over y: leads to that over x
  llvm::BasicBlock *begin;     ///< start of one thread; no terminator yet
  llvm::BasicBlock *end;       ///< end of one thread; code goes before its
                               ///< first instruction
  llvm::BasicBlock *exit;      ///< after all threads; no terminator yet
  llvm::BranchInst *xLatch = nullptr;
  llvm::BranchInst *yLatch = nullptr; ///< null for lanes and single rows
  llvm::BranchInst *zLatch = nullptr;
  llvm::Value *threadIdx[3];
  llvm::Value *linear;     ///< i32
  llvm::Value *low, *high; ///< the range of the innermost loop
  /// A block has several rows, so the innermost loop is probably short.
  bool hasRows = false;

  static ThreadLoops create(llvm::Function &f, const LaunchShape &shape,
                            const llvm::Twine &name);
  /// One loop over the lanes of a warp.
  static ThreadLoops createLanes(llvm::Function &f, const llvm::Twine &name);
  /// One loop over \p count threads along x, at least one.
  static ThreadLoops createRow(llvm::Function &f, llvm::Value *count,
                               const llvm::Twine &name);
  /// The same blocks without loops, for code that one thread runs for all. Has
  /// no latches and no indices.
  static ThreadLoops createOnce(llvm::Function &f, const llvm::Twine &name);

  bool isLoop() const { return xLatch; }

  /// Makes the innermost loop run over [low, high), values known in \p before, and
  /// not at all when that is empty.
  void restrictX(llvm::Value *low, llvm::Value *high);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_THREADLOOPS_H
