// Threads as lanes of their warps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose threads work together in warps does by warps what it does not
// by blocks: a warp sums up a row, or the first of a block's warps what the
// others have left. To the threads of a block such code parts before barriers,
// to those of a warp it does not. So its code becomes a warp's, which runs the
// lanes in loops of 32, and that is run like the code of a thread:
//
//     thread_idx.x  =  32 * (which warp of its row)  +  lane
//
// That holds where block_dim.x is a multiple of 32. The kernel in its other
// form serves blocks of other shapes.
//
// Lanes may leave at the kernel's start ("is there an element for me?") where no
// barrier of the block follows: the loops are over the lanes that stay then, and
// a warp of which all stay has loops of its own.

#ifndef XCC_BACKEND_BLOCK_WARPS_LANES_H
#define XCC_BACKEND_BLOCK_WARPS_LANES_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Writes the threads of \p kernel as lanes: what asks for thread_idx.x and for
/// the linear index asks for the warp's and for the lane from here on, and what
/// is the same for the lanes of a warp is computed from the warp's alone.
void splitIntoLanes(llvm::Function &kernel);

/// Has the warp operations of \p kernel release \p lanes, a mask (i32) of the
/// prologue; null: all.
void releaseLanes(llvm::Function &kernel, llvm::Value *lanes = nullptr);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_WARPS_LANES_H
