// Where a lane is, at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane's position is the row of words of each call that it is in, outermost
// first (SourceOrder.h). Code that leads to a warp operation keeps it up to
// date, in an array of the thread's own that the runtime compares with those
// of the other lanes. The words are ordinary values, so the optimiser may copy,
// merge and unroll the code around an operation, and lanes still meet where
// the source says.

#ifndef XCC_BACKEND_BLOCK_FIBERS_POSITIONS_H
#define XCC_BACKEND_BLOCK_FIBERS_POSITIONS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

class Reach;

/// Adds, to every function of \p m that leads to a warp operation, what says
/// where it is. For code as Clang wrote it.
void addPositions(llvm::Module &m, const Reach &r);

/// Removes it from a kernel whose threads meet in any case.
void removePositions(llvm::Function &kernel);

/// Lowers it to stores to the thread's array. \p thread is an xcc_cpu_thread,
/// known at \p where, a place before all that is lowered.
void lowerPositions(llvm::Function &f, llvm::Value *thread,
                    llvm::Instruction *where);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_POSITIONS_H
