// Phis that join one expression
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM removes partial redundancy by computing a value on each path and joining
// the results in a phi. A thread's index that is extended on both paths becomes
// such a phi. Analyses do not see that the indices of neighbours are
// consecutive, and the phi would be kept in memory across a barrier instead of
// being recomputed.
//
// If a branch on one path has decided a comparison, the comparison is a
// constant on that path. So after a bounds check before a barrier, the same
// check behind the barrier becomes a phi.
//
// A query such as block_dim() on each path makes a phi too, which would be taken
// for a value that differs between threads.
//
// What a phi is on a path by which no user of it comes would be kept in memory
// for all threads: `int v; if (x >= o) v = s[x - o]; sync_block(); if (x >= o)`.

#ifndef XCC_BACKEND_BLOCK_REWRITES_SAMEPHIS_H
#define XCC_BACKEND_BLOCK_REWRITES_SAMEPHIS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Makes each query of the launch once, computes where the paths join what
/// \p kernel computes in the same way on each path to it, and forgets what no user
/// of a phi comes by.
void joinSamePhis(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_SAMEPHIS_H
