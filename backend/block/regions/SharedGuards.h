// Barriers of a warp behind a guard that not all threads pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a block of 16x16, the threads of one row may shuffle:
//
//     if (thread_idx().y == 0)
//       for (offset = 8; offset > 0; offset /= 2)
//         v += shuffle_down(v, offset, 16);
//
// The threads part before a barrier. But which of them come to it is known where
// they part, and they stay together behind it. So all threads take the path of
// those, from one barrier to the next, and each piece of code between has the
// guard of its own:
//
//     lanes = ballot(y == 0);
//     for (offset = 8; offset > 0; offset /= 2) {
//       if (y == 0)  slot = v;
//       barrier
//       if (y == 0)  v += other slot, where lanes has that lane
//       barrier
//     }
//
// This can be cut into regions. What decides between paths must be the same for
// all threads, and may not come from memory. Other guards inside are treated in
// the same way afterwards.

#ifndef XCC_BACKEND_BLOCK_REGIONS_SHAREDGUARDS_H
#define XCC_BACKEND_BLOCK_REGIONS_SHAREDGUARDS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Rewrites \p kernel, whose locals were promoted, so that no guard has a barrier
/// behind it. False if there is none or it cannot be done; what is left of
/// \p kernel is of no use then.
bool shareGuards(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_SHAREDGUARDS_H
