// Cleanups in conditionally evaluated parts of expressions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_CONDITIONALCLEANUPS_H
#define XCC_FRONTEND_KERNELS_WALK_CONDITIONALCLEANUPS_H

namespace clang {
class Expr;
class Sema;
} // namespace clang

namespace xcc {

/// Prepares the branches of a conditional or logical operator in device code
/// for Clang's code generation. Clang cannot restore there what a cleanup needs
/// after a throw, if variables have an address space of their own. Reports
/// branches that cannot be prepared.
void keepBranches(clang::Sema &sema, clang::Expr *choice);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_CONDITIONALCLEANUPS_H
