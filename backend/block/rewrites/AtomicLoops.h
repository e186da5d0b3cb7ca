// Compare-and-swap loops that are one operation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard library adds to an atomic float in a loop, which tries until
// nobody was faster. Such a loop waits for no thread and may pass no turn on
// (SpinLoops.h): it is an operation like an atomic addition of integers, which a
// kernel may have whatever blocks it shares a machine's thread with.

#ifndef XCC_BACKEND_BLOCK_REWRITES_ATOMICLOOPS_H
#define XCC_BACKEND_BLOCK_REWRITES_ATOMICLOOPS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Makes atomic operations of such loops of \p kernel.
void raiseAtomicLoops(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_ATOMICLOOPS_H
