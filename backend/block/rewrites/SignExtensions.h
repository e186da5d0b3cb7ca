// Sign extensions that are written otherwise
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread_idx() returns a structure whose x and y share a register of 64 bits. Of
// `int(thread_idx().x) + 1` as an index LLVM makes a shift to the upper half, a
// sum there, and an arithmetic shift back. Scalar evolution then does not see
// that neighbouring threads access neighbouring elements.

#ifndef XCC_BACKEND_BLOCK_REWRITES_SIGNEXTENSIONS_H
#define XCC_BACKEND_BLOCK_REWRITES_SIGNEXTENSIONS_H

#include "llvm/IR/Function.h"

namespace xcc::block {

/// Makes sign extensions of 32 bits, and shifts, of those of \p kernel that are
/// computed in the upper half of 64 bits, and of zero extensions of signed sums.
void restoreSignExtensions(llvm::Function &kernel);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_SIGNEXTENSIONS_H
