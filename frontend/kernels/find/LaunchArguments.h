// What a launch leaves to the call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc::launch is a template that forwards: default arguments and null pointer
// constants, which a call of the kernel could have, get lost on that way. Here
// the call is built as if it were written in place of the launch, and the
// launch is made anew with the arguments that the call came to.

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

/// An argument that is a parameter marked XCC_KERNEL, as it is or forwarded;
/// or null.
const clang::ParmVarDecl *forwardedKernel(const clang::Expr *arg);

/// What stands for the kernel in a call of it: the function that argument
/// `param` names, or the pointer parameter that forwards it. Null where the
/// argument is neither.
clang::Expr *kernelCallee(clang::Sema &sema, const clang::CallExpr *call,
                          unsigned param);

/// What the user wrote, where the compiler put it into an xcc::detail::prvalue;
/// else the expression itself.
clang::Expr *writtenIn(clang::Expr *arg);

/// What stands for an argument of a launch of `callee` whose parameters only the
/// call tells: of what states something of an object or value, as xcc::in and
/// xcc::constant make it, that; else the expression itself.
clang::Expr *meantBy(clang::Sema &sema, const clang::Expr *callee,
                     clang::Expr *arg);

/// The launch with every argument that the kernel needs, where the one that is
/// written cannot carry them; null where it can, or where the kernel cannot be
/// called so, which LaunchCheck reports. `where` is the function around it.
clang::Expr *completeLaunch(clang::Sema &sema, clang::CallExpr *call,
                            unsigned param, clang::DeclContext *where);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_LAUNCHARGUMENTS_H
