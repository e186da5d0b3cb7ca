// Lanes of a warp that exchange values without a barrier
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

/// Warns where a thread reads from memory of the block what the statements before
/// had a neighbour in its warp write, with no call between that could be a
/// barrier. Only where that is certain: `s[t]` is written and `s[t + 16]` read,
/// where t is the thread's index, and the conditions around let both threads in.
/// One warning for a function.
void warnOfWarpSteps(clang::Sema &sema,
                     llvm::ArrayRef<const clang::FunctionDecl *> functions,
                     Severity severity);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_WARPSTEPS_H
