// Teams of blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most kernels use thread_idx.x and block_idx.x only for the thread's index in
// the grid:
//
//     block_idx.x * block_dim.x + thread_idx.x
//
// For such a kernel, blocks that follow each other along x can run as one wide
// block: a team with the block_idx.x of its first block, and a thread_idx.x
// that runs through all of them. A call of the block function divides its
// blocks into teams. Rows of threads are then long for any block size, and each
// iteration of a grid-stride loop uses a long stretch of memory.

#ifndef XCC_BACKEND_BLOCK_LOOPS_TEAMS_H
#define XCC_BACKEND_BLOCK_LOOPS_TEAMS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// The most threads that a team has along x.
inline constexpr unsigned MostTeamThreads = 1 << 16;

/// Whether \p kernel uses thread_idx.x and block_idx.x only for the thread's
/// index in the grid, and has no block-shared variables. \p kernel must not
/// wait at a barrier or call a function that queries its thread.
bool worksInTeams(const llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_TEAMS_H
