// Threads as lanes of their warps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some kernels have warps that take different paths to a barrier: each warp
// sums up a row, or the first warp of a block finishes the work of the others.
// Such code is divergent in a block, but uniform in a warp. So the kernel
// becomes warp code: it runs once per warp, and loops of 32 run the lanes. Warp
// code is then lowered like the code of a thread:
//
//     thread_idx.x  =  32 * (which warp of its row)  +  lane
//
// This requires that block_dim.x is a multiple of 32. The kernel's other form
// serves blocks of other shapes.
//
// Lanes may leave at the kernel's start ("is there an element for me?") if no
// block barrier follows. Loops then run over the lanes that stay. Warps without
// a lane that leaves have separate loops.

#ifndef XCC_BACKEND_BLOCK_WARPS_LANES_H
#define XCC_BACKEND_BLOCK_WARPS_LANES_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Rewrites the threads of \p kernel as lanes. Queries of thread_idx.x and of
/// the linear index return the warp's number from here on, and the lane is
/// added. Values that are uniform in a warp are computed from the warp's number
/// alone.
void splitIntoLanes(llvm::Function &kernel);

/// Makes the warp operations of \p kernel release \p lanes, a mask (i32) from
/// the prologue; null releases all.
void releaseLanes(llvm::Function &kernel, llvm::Value *lanes = nullptr);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_WARPS_LANES_H
