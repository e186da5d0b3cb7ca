// Kernels as warp code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_WARPS_WARPCODE_H
#define XCC_BACKEND_BLOCK_WARPS_WARPCODE_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Makes of the code of a thread, of which the index does not wrap
/// (GlobalIndices.h), the code of a warp (Lanes.h): loops over lanes, between
/// which there are the block's barriers, and in which thread_idx.x says which
/// warp of its row it is. With \p lanesLeave, lanes may leave at the kernel's start,
/// if it has no barrier of the block. False where the lanes part before they work
/// together; what is left of \p kernel is of no use then.
bool makeWarpCode(llvm::Function &kernel, bool lanesLeave);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_WARPS_WARPCODE_H
