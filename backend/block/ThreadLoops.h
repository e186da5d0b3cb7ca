// Loops over blocks and over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_THREADLOOPS_H
#define XCC_BACKEND_BLOCK_THREADLOOPS_H

#include "KernelBody.h"

#include "llvm/IR/IRBuilder.h"

namespace xcc::block {

/// The sizes of a launch, loaded once per call.
struct LaunchShape {
  llvm::Value *GridDim[3];
  llvm::Value *BlockDim[3];
  llvm::Value *Threads; ///< of a block, i64

  static LaunchShape load(llvm::IRBuilderBase &B, llvm::Value *Group);
};

/// The loop over the blocks [first, last) of a block function.
struct BlockLoop {
  llvm::BasicBlock *Header; ///< no terminator yet; the block's code follows
  llvm::BasicBlock *Latch;  ///< where the block's code goes at its end
  llvm::Value *BlockIdx[3];

  /// Builds it between \p Entry, whose branch it replaces, and a return.
  static BlockLoop create(llvm::Function &F, llvm::BasicBlock *Entry,
                          const LaunchShape &Shape);
};

/// Three nested loops over the threads of a block, x innermost. A block has a
/// thread in every dimension, so they test at their ends.
struct ThreadLoops {
  llvm::BasicBlock *Preheader; ///< runs once; no terminator is missing
  llvm::BasicBlock *Before;    ///< in the loop over y: leads to that over x
  llvm::BasicBlock *Begin;     ///< start of one thread; no terminator yet
  llvm::BasicBlock *End;       ///< end of one thread; code goes before its
                               ///< first instruction
  llvm::BasicBlock *Exit;      ///< after all threads; no terminator yet
  llvm::BranchInst *XLatch = nullptr;
  llvm::BranchInst *YLatch;
  llvm::BranchInst *ZLatch;
  llvm::Value *ThreadIdx[3];
  llvm::Value *Linear;     ///< i32
  llvm::Value *Low, *High; ///< the range of the innermost loop

  static ThreadLoops create(llvm::Function &F, const LaunchShape &Shape,
                            const llvm::Twine &Name);
  /// The same blocks without loops, for what one thread does for all. Has no
  /// latches and no indices.
  static ThreadLoops createOnce(llvm::Function &F, const llvm::Twine &Name);

  bool isLoop() const { return XLatch; }

  /// Makes the innermost loop run over [Low, High), values known in Before, and
  /// not at all when that is empty.
  void restrictX(llvm::Value *Low, llvm::Value *High);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_THREADLOOPS_H
