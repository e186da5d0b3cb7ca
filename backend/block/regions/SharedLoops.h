// Barriers of a warp in a loop that threads leave in different iterations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a warp may scan the elements that they come to in turn:
//
//     for (i = lane; i < n; i += 32)
//       carry += scan(in[i]);             // shuffles
//
// The threads part where some have no element left. But they may go on together
// until none has one, if a thread that has left does nothing:
//
//     in = i < n;
//     while (any of the block is in)
//       if (in) {                         // a guard with barriers behind it
//         carry += scan(in[i]);
//         in = (i += 32) < n;
//       }
//
// This is done for an index or address that is carried from one iteration to the
// next. Threads that leave such a loop do so at about the same time.
//
// A guard in front of the loop (`if (row < rows)`) is where the threads parted
// first. It gets an end before the loop, and begins again behind it.

#ifndef XCC_BACKEND_BLOCK_REGIONS_SHAREDLOOPS_H
#define XCC_BACKEND_BLOCK_REGIONS_SHAREDLOOPS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Rewrites such loops of \p kernel, whose barriers end their blocks. The guards
/// within the loops are left to shareGuards. False if there is a loop that cannot
/// be rewritten; \p kernel is of no use then.
bool shareLoops(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_SHAREDLOOPS_H
