// Grid-stride loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual loop of a kernel that works for any size,
//
//     for (i = global index; i < n; i += threads of the grid) body(i);
//
// is left by threads in different iterations. Instead, all threads can do the
// iterations of the block's first thread, if each tests its own index:
//
//     for (j = global index of thread 0; j < n; j += threads of the grid)
//       if (j + thread_idx.x < n) body(j + thread_idx.x);
//
// All threads take this loop together (Interchange.h). A loop that counts down
// is changed to count the complement of its index up. If no flag says that the
// index does not wrap, as with `int i = block_idx().x * ...`, a check before
// the loop tests the numbers that all threads have, and an unchanged copy of
// the loop runs if an index would wrap.

#ifndef XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOPS_H
#define XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOPS_H

#include "block/regions/Uniformity.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace xcc::block {

/// Rewrites such loops of \p kernel, whose prologue was hoisted, for the
/// threads of a block or of a warp.
/// \returns the blocks that repeat these loops and do nothing else.
llvm::SmallVector<llvm::BasicBlock *, 2>
alignStridedLoops(llvm::Function &kernel, Scope scope = Scope::Block);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOPS_H
