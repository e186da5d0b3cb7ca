// Indices that wrap only in unusual launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GlobalIndices.h knows that block_idx * block_dim + thread_idx does not wrap.
// Of block_idx * 16 + thread_idx, where 16 is the block's size to the one who
// wrote it, and of an index that begins at an argument, no type says so: with
// unsigned numbers wrapping is what C++ asks for. But it is known before a
// launch's first block: the largest index follows from the grid, the block and
// the arguments. A kernel with such indices is made twice, once with them as
// numbers that do not wrap, which its threads' loops rely on, and once as it is
// written, for the launches where they would.
//
// What lanes of a warp have in common (warps/Lanes.h) follows from such an index
// only if it does not wrap and the numbers beside the thread's are multiples of a
// warp. Of a size that is an argument, that too is known before the first block.

#ifndef XCC_BACKEND_BLOCK_REWRITES_LAUNCHINDICES_H
#define XCC_BACKEND_BLOCK_REWRITES_LAUNCHINDICES_H

#include "block/abi/SharedLayout.h"
#include "block/regions/Uniformity.h"
#include "llvm/IR/Function.h"

namespace xcc::block {

/// A test before the first block whether the indices of a launch fit.
class LaunchIndices {
public:
  /// Marks the indices of \p kernel as not wrapping; markGlobalIndices ran.
  /// Does nothing where it has none that are in question. In a warp's code, the
  /// numbers that a thread's is added to become multiples of a warp too.
  explicit LaunchIndices(llvm::Function &kernel, Scope scope = Scope::Block);

  bool hasTest() const { return test != nullptr; }
  /// Creates a block function \p name that calls \p fitting if all marked
  /// indices fit, and \p otherwise if not.
  llvm::Function *choose(llvm::Function &fitting, llvm::Function &otherwise,
                         const SharedLayout &layout, const llvm::Twine &name);
  /// The test as an xcc_cpu_test_fn \p name; instead of choose.
  llvm::Function *takeTest(const SharedLayout &layout, const llvm::Twine &name);
  /// Instead of choose.
  void erase();

private:
  llvm::Function *test = nullptr; ///< a kernel without effect
  /// Whether indices wrap only with unrealistically large arguments. If false,
  /// a negative argument is enough.
  bool isSure = true;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_LAUNCHINDICES_H
