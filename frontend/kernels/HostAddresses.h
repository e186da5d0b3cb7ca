// Addresses of the host's variables among a launch's arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is referred to by a type that says how much there is, a reference or a
// span, a launch maps. A plain pointer it looks up; one to a variable of the
// host's that is written down at the launch will not be found, unless a scope
// has mapped the variable.

#ifndef XCC_FRONTEND_KERNELS_HOSTADDRESSES_H
#define XCC_FRONTEND_KERNELS_HOSTADDRESSES_H

#include "Warnings.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Warns of addresses of local variables of the host among a launch's arguments
/// and the initial values of the captures of a lambda that is written there.
/// `param` is the argument that is the kernel; `kernel` the function that takes
/// those behind it, or null where that is a template.
void checkHostAddresses(clang::Sema &sema, const clang::CallExpr *call,
                        unsigned param, const clang::FunctionDecl *kernel,
                        const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_HOSTADDRESSES_H
