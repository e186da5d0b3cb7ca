// Sign extensions written as shifts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread_idx() returns a structure whose x and y share a 64-bit register. LLVM
// computes `int(thread_idx().x) + 1` as an index in the upper half: a shift up,
// a sum there, and an arithmetic shift back. Scalar evolution then does not see
// that neighbouring threads access neighbouring elements.

#ifndef XCC_BACKEND_BLOCK_REWRITES_SIGNEXTENSIONS_H
#define XCC_BACKEND_BLOCK_REWRITES_SIGNEXTENSIONS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Rewrites such computations of \p kernel as 32-bit sums that are
/// sign-extended and shifted. Also makes sign extensions of zero extensions of
/// signed sums.
void restoreSignExtensions(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_SIGNEXTENSIONS_H
