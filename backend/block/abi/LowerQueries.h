// Intrinsics as loads of the runtime's records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_ABI_LOWERQUERIES_H
#define XCC_BACKEND_BLOCK_ABI_LOWERQUERIES_H

#include "SharedLayout.h"

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Replaces, in \p f, what is the same for all threads of a launch or of a
/// worker's share of it: dimensions, the block's memory, block-shared
/// variables. The loads are put before \p where, in f's entry block.
void lowerLaunchQueries(llvm::Function &f, llvm::Value *group,
                        const SharedLayout &layout, llvm::Instruction *where);

/// Replaces thread_idx, block_idx and linear_thread in \p f by fields of
/// \p thread, loaded before \p where; \p constant when the record describes one
/// thread for as long as f runs, whatever f is inlined into.
void lowerThreadQueries(llvm::Function &f, llvm::Value *thread,
                        llvm::Instruction *where, bool constant);

/// Replaces barriers in \p f by calls of the runtime's.
void lowerBarriers(llvm::Function &f);

/// Removes from \p f, which asks for its thread or calls what does, and from its
/// calls, what was inferred while queries were pure: with the same arguments it
/// may give each thread another result.
void forgetPurity(llvm::Function &f);

/// Lowers a function that could not be inlined into its kernels: if it asks for
/// its thread itself (\p asks), it does so at the runtime.
void lowerOutlinedFunction(llvm::Function &f, const SharedLayout &layout,
                           bool asks);

/// Gives __xcc_trap, if declared, a body that calls the runtime's.
void defineTrap(llvm::Module &m);
/// The same with __xcc_thread_local.
void defineThreadLocals(llvm::Module &m);
/// The same with __xcc_yield and __xcc_poll.
void defineTurns(llvm::Module &m);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_ABI_LOWERQUERIES_H
