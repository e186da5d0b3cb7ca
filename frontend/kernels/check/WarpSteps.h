// Warnings for lanes of a warp that exchange values without a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_CHECK_WARPSTEPS_H
#define XCC_FRONTEND_KERNELS_CHECK_WARPSTEPS_H

#include "Warnings.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace xcc {

/// Warns if a thread reads shared memory that a neighbour in its warp has
/// written in the statements before, with no call between that could be a
/// barrier. Warns only if that is certain: `s[t]` is written and `s[t + 16]`
/// read, where t is the thread's index, and the enclosing conditions let both
/// threads in. One warning for each function.
void warnOfWarpSteps(clang::Sema &sema,
                     llvm::ArrayRef<const clang::FunctionDecl *> functions,
                     Severity severity);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_WARPSTEPS_H
