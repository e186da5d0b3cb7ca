// Compare-and-swap loops as atomic operations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard library adds to an atomic float in a loop, which tries again
// while another thread was faster. Such a loop waits for no other thread, so it
// should not yield to one (SpinLoops.h). As an atomic operation, like an atomic
// addition of integers, it works with any scheduling of threads.

#ifndef XCC_BACKEND_BLOCK_REWRITES_ATOMICLOOPS_H
#define XCC_BACKEND_BLOCK_REWRITES_ATOMICLOOPS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Replaces such loops of \p kernel by atomic operations.
void raiseAtomicLoops(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_ATOMICLOOPS_H
