// Range checks as two comparisons
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM turns `x >= 1 && x < 17` into one comparison: x - 1, as an unsigned
// number, is below 16. loops/ThreadRange.h has to see both comparisons: the
// first excludes threads at the start of a row, the second at its end.

#ifndef XCC_BACKEND_BLOCK_REWRITES_RANGECHECKS_H
#define XCC_BACKEND_BLOCK_REWRITES_RANGECHECKS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Splits each such comparison of a thread's index in \p kernel into two. LLVM
/// joins those again that no loop was made of.
void divideRangeChecks(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_RANGECHECKS_H
