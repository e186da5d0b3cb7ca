// Checks of both ends of a range
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM makes one comparison of `x >= 1 && x < 17`: x - 1, as an unsigned number, is
// below 16. The first of the two leaves threads out at the start of a row, the
// second at its end (loops/ThreadRange.h), and each has to be seen for that.

#ifndef XCC_BACKEND_BLOCK_REWRITES_RANGECHECKS_H
#define XCC_BACKEND_BLOCK_REWRITES_RANGECHECKS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Makes two comparisons of each such comparison of a thread's index in \p kernel.
/// LLVM joins those again that no loop was made of.
void divideRangeChecks(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_RANGECHECKS_H
