// Scratch memory of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REGIONS_SCRATCH_H
#define XCC_BACKEND_BLOCK_REGIONS_SCRATCH_H

#include "LiveAcross.h"

#include "llvm/IR/IRBuilder.h"

#include "xcc/abi.h"

namespace xcc::block {

/// The layout of the values that a block's threads keep in scratch memory from
/// region to region. Each variable and each private array has one stretch with
/// an item for each thread. Consecutive threads (the innermost loop) have
/// consecutive items:
///
///     0               a * threads     b * threads
///     | array, by thread | variable, by thread | ...
///
/// Stretches are sorted by decreasing alignment, so that all of them are
/// aligned for any number of threads.
class Scratch {
public:
  Scratch(const LiveAcross &live, const llvm::DataLayout &dl);

  /// Bytes for each thread.
  uint64_t size() const { return size_; }
  /// The number of threads for which there is always room.
  uint64_t leastThreads() const { return XCC_CPU_LEAST_SCRATCH / size_; }

  /// Computes the stretches' addresses at \p b, once per call.
  void locate(llvm::IRBuilderBase &b, llvm::Value *base, llvm::Value *threads);

  /// Allocates the items on the stack of \p f, for the threads of one warp.
  void locateOnStack(llvm::Function &f);
  /// The allocas that locateOnStack made.
  llvm::SmallVector<const llvm::AllocaInst *, 8> onStack() const;

  /// The address of the item that belongs to \p local in thread \p linear
  /// (i32).
  llvm::Value *addressOf(llvm::IRBuilderBase &b, const llvm::AllocaInst *local,
                         llvm::Value *linear) const;

  /// Reads and writes a variable's item.
  llvm::Value *load(llvm::IRBuilderBase &b, const llvm::AllocaInst *local,
                    llvm::Value *linear) const;
  void store(llvm::IRBuilderBase &b, llvm::Value *v,
             const llvm::AllocaInst *local, llvm::Value *linear) const;

private:
  struct Item {
    const llvm::AllocaInst *local;
    uint64_t size; ///< bytes for each thread
    llvm::Align alignment;
    uint64_t offset = 0;          ///< of the stretch, times threads
    llvm::Value *start = nullptr; ///< of the stretch
  };
  const Item &itemOf(const llvm::AllocaInst *local) const;

  std::vector<Item> items;
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> indexOf;
  uint64_t size_ = 0;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_SCRATCH_H
