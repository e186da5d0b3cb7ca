// Intrinsics as loads of the runtime's records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_ABI_LOWERQUERIES_H
#define XCC_BACKEND_BLOCK_ABI_LOWERQUERIES_H

#include "SharedLayout.h"

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Replaces the queries in \p f that have one value for all threads of a launch
/// or of a worker's share of it: dimensions, the block's memory, block-shared
/// variables. The loads are placed before \p where, in f's entry block.
void lowerLaunchQueries(llvm::Function &f, llvm::Value *group,
                        const SharedLayout &layout, llvm::Instruction *where);

/// Replaces thread_idx, block_idx and linear_thread in \p f by fields of
/// \p thread, loaded before \p where. \p constant says that the record
/// describes one thread as long as f runs, even when f is inlined.
void lowerThreadQueries(llvm::Function &f, llvm::Value *thread,
                        llvm::Instruction *where, bool constant);

/// Replaces barriers in \p f by calls of the runtime.
void lowerBarriers(llvm::Function &f);

/// Removes attributes that were inferred while queries were pure, from \p f and
/// its calls. \p f queries its thread, directly or in a callee, so the same
/// arguments may give another result in each thread.
void dropPurity(llvm::Function &f);

/// Lowers a function that could not be inlined into its kernels. If \p asks, it
/// queries its thread itself and gets the record from the runtime.
void lowerOutlinedFunction(llvm::Function &f, const SharedLayout &layout,
                           bool asks);

/// Gives __xcc_trap, if declared, a body that calls the runtime.
void defineTrap(llvm::Module &m);
/// The same for __xcc_thread_local and __xcc_foreign_thread_local.
void defineThreadLocals(llvm::Module &m);
/// The same for __xcc_yield and __xcc_poll.
void defineYields(llvm::Module &m);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_LOWERQUERIES_H
