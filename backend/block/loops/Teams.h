// Blocks side by side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most kernels use thread_idx.x and block_idx.x for one thing alone, the
// thread's index in the grid:
//
//     block_idx.x * block_dim.x + thread_idx.x
//
// To such a kernel, blocks that follow each other in x are one wide block: the
// first one's block_idx.x, and a thread_idx.x that runs through all of them. A
// call of the block function runs the blocks that it was given as such teams.
// Rows of threads are long then, whatever the size of a block, and a loop by the
// size of the grid uses long stretches of memory at each iteration.

#ifndef XCC_BACKEND_BLOCK_LOOPS_TEAMS_H
#define XCC_BACKEND_BLOCK_LOOPS_TEAMS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// The most threads that a team has along x.
inline constexpr unsigned MostTeamThreads = 1 << 16;

/// Whether all that \p kernel does with thread_idx.x and block_idx.x is by the
/// thread's index in the grid, and blocks have no memory of their own. It waits
/// at no barrier, and calls no function that asks for its thread.
bool worksInTeams(const llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_TEAMS_H
