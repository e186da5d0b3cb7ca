// Counters of loops in one form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop over data counts is brought into the form that StridedLoop.h
// knows: a number of 32 or 64 bits that goes up.

#ifndef XCC_BACKEND_BLOCK_REWRITES_STRIDEDCOUNTERS_H
#define XCC_BACKEND_BLOCK_REWRITES_STRIDEDCOUNTERS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace xcc::block {

/// A counter of 64 bits of which 32 count, as InstCombine makes of
/// `int i = global_id()`: it becomes one of 32.
void narrowCounter(llvm::Loop &l, const llvm::DominatorTree &dt);

/// What a loop carries beside its counter of 32 bits is the counter in 64: it is
/// made of the counter.
void dropWideCounters(llvm::Loop &l);

/// A loop that counts down becomes one that counts its counter's complement up.
/// Values of \p prologue are known to all threads.
void countUp(llvm::Loop &l, llvm::BasicBlock &prologue);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_STRIDEDCOUNTERS_H
