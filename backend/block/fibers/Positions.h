// A lane's position in the program, at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane's position is the row of words of each active call, outermost first
// (SourceOrder.h). Code that leads to a warp operation keeps the position up to
// date in an array of the thread, which the runtime compares with those of the
// other lanes. The words are ordinary values, so the optimizer may copy, merge
// and unroll the code around an operation, and lanes still reconverge where the
// source says.

#ifndef XCC_BACKEND_BLOCK_FIBERS_POSITIONS_H
#define XCC_BACKEND_BLOCK_FIBERS_POSITIONS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace xcc::block {

class FunctionNeeds;

/// Adds the intrinsics that record the position to every function of \p m that
/// leads to a warp operation. Has to run on the code as Clang wrote it.
void addPositions(llvm::Module &m, const FunctionNeeds &r);

/// Removes these intrinsics from a kernel whose lanes reconverge without them.
void removePositions(llvm::Function &kernel);

/// Lowers these intrinsics to stores to the thread's array. \p thread is an
/// xcc_cpu_thread, available at \p where, before all calls that are lowered.
void lowerPositions(llvm::Function &f, llvm::Value *thread,
                    llvm::Instruction *where);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_POSITIONS_H
