// Loops that wait for another thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that only tests whether an atomic or volatile variable has changed
// waits for another thread. On the CPU device that may be a thread of the same
// block, which runs on the same machine thread. So each iteration of such a
// loop lets other threads run.

#ifndef XCC_BACKEND_BLOCK_REWRITES_SPINLOOPS_H
#define XCC_BACKEND_BLOCK_REWRITES_SPINLOOPS_H

#include "llvm/IR/Module.h"

namespace xcc::block {

/// Adds a call of __xcc_yield to each loop of \p m that waits for a variable to
/// be written, and of __xcc_poll to each loop that tries to take a lock. Runs
/// on code as Clang wrote it, after invokes became calls.
void addYieldsToSpinLoops(llvm::Module &m);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_SPINLOOPS_H
