// Arguments that forwarding through launch would lose
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc::launch forwards its arguments, which loses default arguments and null
// pointer constants that a call of the kernel could have. Here the compiler
// builds the call as if the user had written it instead of the launch. Then it
// rebuilds the launch with that call's arguments.

#ifndef XCC_FRONTEND_KERNELS_FIND_LAUNCHARGUMENTS_H
#define XCC_FRONTEND_KERNELS_FIND_LAUNCHARGUMENTS_H

#include "clang/AST/DeclBase.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Whether the call is one of xcc::launch.
bool isLaunch(const clang::CallExpr *call);

/// The parameter marked XCC_KERNEL that an argument is, directly or forwarded;
/// or null.
const clang::ParmVarDecl *forwardedKernel(const clang::Expr *arg);

/// The callee of a call of the kernel: the function that argument `param`
/// names, or the pointer parameter that forwards it. Null if the argument is
/// neither.
clang::Expr *kernelCallee(clang::Sema &sema, const clang::CallExpr *call,
                          unsigned param);

/// The expression that the compiler wrapped in an xcc::detail::prvalue; else
/// `arg` itself.
clang::Expr *writtenIn(clang::Expr *arg);

/// An expression of the type that a launch's argument has for a generic
/// `callee`. For xcc::in(x), xcc::constant(x) and the like it has x's type; for
/// others it is `arg` itself.
clang::Expr *argumentFor(clang::Sema &sema, const clang::Expr *callee,
                         clang::Expr *arg);

/// The launch with all arguments of the kernel's call, if the written launch
/// cannot carry them. Null if it can, or if the call is invalid, which
/// LaunchCheck reports. `where` is the enclosing function.
clang::Expr *completeLaunch(clang::Sema &sema, clang::CallExpr *call,
                            unsigned param, clang::DeclContext *where);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_LAUNCHARGUMENTS_H
