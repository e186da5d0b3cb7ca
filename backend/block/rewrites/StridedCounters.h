// Counters of loops in one form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings the counter of a grid-stride loop into the form that StridedLoop.h
// knows: an integer of 32 or 64 bits that goes up.

#ifndef XCC_BACKEND_BLOCK_REWRITES_STRIDEDCOUNTERS_H
#define XCC_BACKEND_BLOCK_REWRITES_STRIDEDCOUNTERS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace xcc::block {

/// Replaces a 64-bit counter that counts in its low 32 bits, as InstCombine
/// makes of `int i = global_id()`, by a 32-bit counter.
void narrowCounter(llvm::Loop &l, const llvm::DominatorTree &dt);

/// Removes 64-bit copies of a 32-bit counter that a loop carries, and extends
/// the counter instead.
void dropWideCounters(llvm::Loop &l);

/// Makes a loop that counts down count the complement of its counter up. All
/// threads have the values of \p prologue.
void countUp(llvm::Loop &l, llvm::BasicBlock &prologue);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_STRIDEDCOUNTERS_H
