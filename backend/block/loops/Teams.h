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
// blocks into teams. A kernel may have a number in place of block_dim.x, as in
// block_idx.x * 16 + thread_idx.x. Then teams have several blocks in launches
// whose blocks have so many threads along x, and one block in others.
//
// Rows of threads are then long for any block size, and each iteration of a
// grid-stride loop uses a long stretch of memory.

#ifndef XCC_BACKEND_BLOCK_LOOPS_TEAMS_H
#define XCC_BACKEND_BLOCK_LOOPS_TEAMS_H

#include "llvm/IR/Function.h"

#include <optional>

namespace xcc::block {

/// The most threads that a team has along x.
inline constexpr unsigned MostTeamThreads = 1 << 16;
inline constexpr unsigned NarrowTeamThreads = 16;

/// What a kernel's teams are like.
struct TeamForm {
  /// What block_dim.x must be for teams of several blocks; 0: any.
  unsigned blockSize = 0;
  /// Teams of several rows have at most NarrowTeamThreads along x, as the rows
  /// use the same cache lines: out[x * n + y].
  bool isNarrow = false;
};

/// Set if \p kernel uses thread_idx.x and block_idx.x only for the thread's
/// index in the grid, and has no block-shared variables. \p kernel must not
/// wait at a barrier or call a function that queries its thread.
std::optional<TeamForm> teamFormOf(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_TEAMS_H
