// Scratch memory of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SCRATCH_H
#define XCC_BACKEND_BLOCK_SCRATCH_H

#include "LiveAcross.h"

#include "llvm/IR/IRBuilder.h"

namespace xcc::block {

/// Where a block's scratch memory holds what its threads keep from region to
/// region. Each variable and each private array has one stretch, in which the
/// threads follow each other, so that consecutive threads (the innermost loop)
/// use consecutive memory:
///
///     0               a * threads     b * threads
///     | array, by thread | variable, by thread | ...
///
/// Stretches are sorted by decreasing alignment, which keeps all aligned
/// whatever the number of threads.
class Scratch {
public:
  Scratch(const LiveAcross &Live, const llvm::DataLayout &DL);

  /// Bytes for each thread.
  uint64_t size() const { return Size; }

  /// Computes the stretches' addresses at \p B, once per call.
  void locate(llvm::IRBuilderBase &B, llvm::Value *Base, llvm::Value *Threads);

  /// The address of the item that belongs to \p Local in thread \p Linear
  /// (i32).
  llvm::Value *addressOf(llvm::IRBuilderBase &B, const llvm::AllocaInst *Local,
                         llvm::Value *Linear) const;

  /// Reads and writes a variable's item.
  llvm::Value *load(llvm::IRBuilderBase &B, const llvm::AllocaInst *Local,
                    llvm::Value *Linear) const;
  void store(llvm::IRBuilderBase &B, llvm::Value *V,
             const llvm::AllocaInst *Local, llvm::Value *Linear) const;

private:
  struct Item {
    const llvm::AllocaInst *Local;
    uint64_t Size; ///< bytes for each thread
    llvm::Align Alignment;
    uint64_t Offset = 0;          ///< of the stretch, times threads
    llvm::Value *Start = nullptr; ///< of the stretch
  };
  const Item &itemOf(const llvm::AllocaInst *Local) const;

  std::vector<Item> Items;
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> IndexOf;
  uint64_t Size = 0;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_SCRATCH_H
