// Global indices do not wrap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REWRITES_GLOBALINDICES_H
#define XCC_BACKEND_BLOCK_REWRITES_GLOBALINDICES_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Marks the computations of a thread's global index and of the number of
/// threads as nuw and nsw. The runtime rejects launches with 2^31 threads or
/// more in a dimension, so an int holds every index. With the flags, LLVM sees
/// that neighbouring threads use neighbouring memory.
void markGlobalIndices(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_GLOBALINDICES_H
