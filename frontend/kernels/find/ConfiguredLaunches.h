// Launches written as `configure(grid, block), kernel(arguments)`
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `xcc::cuda::configure(grid, block), kernel(arguments)` replaces CUDA's
// `kernel<<<grid, block>>>(arguments)`. Clang resolves the call: it deduces
// template arguments, selects an overload and adds default arguments. Then the
// call becomes a launch of the function that Clang selected.

#ifndef XCC_FRONTEND_KERNELS_FIND_CONFIGUREDLAUNCHES_H
#define XCC_FRONTEND_KERNELS_FIND_CONFIGUREDLAUNCHES_H

#include "clang/AST/DeclBase.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

/// The annotation of the header's functions that such a launch calls.
inline constexpr llvm::StringLiteral ConfiguredLaunchAnnotation =
    "xcc.configured_launch";

/// The launch that replaces the comma expression; null if its left operand is
/// no configuration. `where` is the enclosing function.
clang::Expr *configuredLaunch(clang::Sema &sema, clang::BinaryOperator *comma,
                              clang::DeclContext *where);

/// Whether the call is one that configuredLaunch makes, or xcc::cuda::launch.
bool isConfiguredLaunch(const clang::CallExpr *call);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_CONFIGUREDLAUNCHES_H
