// Intrinsics as loads of the runtime's records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOWERQUERIES_H
#define XCC_BACKEND_BLOCK_LOWERQUERIES_H

#include "SharedLayout.h"

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Replaces, in \p F, what is the same for all threads of a launch or of a
/// worker's share of it: dimensions, the block's memory, block-shared
/// variables. The loads are put before \p Where, in F's entry block.
void lowerLaunchQueries(llvm::Function &F, llvm::Value *Group,
                        const SharedLayout &Layout, llvm::Instruction *Where);

/// Replaces thread_idx, block_idx and linear_thread in \p F by fields of
/// \p Thread, loaded before \p Where; \p Constant when the record describes one
/// thread for as long as F runs, whatever F is inlined into.
void lowerThreadQueries(llvm::Function &F, llvm::Value *Thread,
                        llvm::Instruction *Where, bool Constant);

/// Replaces barriers in \p F by calls of the runtime's.
void lowerBarriers(llvm::Function &F);

/// Lowers a function that could not be inlined into its kernels: if it asks for
/// its thread itself (\p Asks), it does so at the runtime.
void lowerOutlinedFunction(llvm::Function &F, const SharedLayout &Layout,
                           bool Asks);

/// Gives __xcc_trap, if declared, a body that calls the runtime's.
void defineTrap(llvm::Module &M);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOWERQUERIES_H
