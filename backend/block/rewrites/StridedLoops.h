// Loops over data by the size of the grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual loop of a kernel that works for any size,
//
//     for (i = global index; i < n; i += threads of the grid) body(i);
//
// is left by threads in different iterations, the last ones earlier. All of
// them can do the iterations of the block's first thread instead, if they test
// for themselves:
//
//     for (j = global index of thread 0; j < n; j += threads of the grid)
//       if (j + thread_idx.x < n) body(j + thread_idx.x);
//
// which is a loop that all threads take together (Interchange.h). One that counts
// down counts the complement of its index up. Where nothing
// says that the index does not wrap, as with `int i = block_idx().x * ...` in
// 32 bits, the numbers that all threads have are looked at before the loop, and
// a copy of the loop as it was serves those that would.

#ifndef XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOPS_H
#define XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOPS_H

#include "block/regions/Uniformity.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace xcc::block {

/// Rewrites such loops of \p kernel, whose prologue was hoisted, for the threads
/// of a block or those of a warp. Returns the blocks that repeat them, which do
/// only that.
llvm::SmallVector<llvm::BasicBlock *, 2>
alignStridedLoops(llvm::Function &kernel, Scope scope = Scope::Block);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOPS_H
