// Phis of one expression
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM removes what is partly redundant by computing it on each path, and a phi
// joins the results. A thread's index that is extended on both paths is then a
// phi, of which nobody sees that neighbours' are beside each other, and which
// would be kept in memory across a barrier instead of being computed again.
//
// A comparison that a branch on one path has decided is a constant there. So a
// bounds check before a barrier makes a phi of the same check behind it.
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
