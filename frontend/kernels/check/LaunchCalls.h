// What a call that names a kernel does with it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_CHECK_LAUNCHCALLS_H
#define XCC_FRONTEND_KERNELS_CHECK_LAUNCHCALLS_H

#include "clang/AST/Expr.h"

namespace xcc {

/// Whether the kernel is the body of a loop: xcc::parallel_for.
bool isParallelFor(const clang::CallExpr *call);

/// Whether a call launches nothing, and only asks for the descriptor.
bool needsDescriptorOnly(const clang::CallExpr *call);

/// The expression as the user wrote it, without the nodes of its binding.
clang::Expr *asWritten(clang::Expr *arg);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_LAUNCHCALLS_H
