// Loops that wait for another thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that does nothing but look whether an atomic or volatile variable has
// changed waits for somebody to write it. On the CPU device that may be another
// thread of the block, which runs on the same thread of the machine: so each
// iteration of such a loop lets the others run.

#ifndef XCC_BACKEND_BLOCK_REWRITES_SPINLOOPS_H
#define XCC_BACKEND_BLOCK_REWRITES_SPINLOOPS_H

#include "llvm/IR/Module.h"

namespace xcc::block {

/// Adds a call of __xcc_yield to each loop of \p m that waits for a variable to
/// be written, and of __xcc_poll to those that try to take a lock. For code as
/// Clang wrote it, without unwinding.
void passTurnsInSpinLoops(llvm::Module &m);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_SPINLOOPS_H
