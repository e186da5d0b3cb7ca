// Calls of the standard library's parallel algorithms
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `std::transform(par, a, b, to, twice)` the last argument has the type of a
// function pointer, for which a device would need an address of its own code.
// Here the compiler knows the function. It replaces the argument by an object
// of type xcc::stdpar::known_function<twice>, which any device can call. It
// also passes the place of the call, so that messages at run time name it
// instead of a line in a header.

#ifndef XCC_FRONTEND_KERNELS_FIND_ALGORITHMCALLS_H
#define XCC_FRONTEND_KERNELS_FIND_ALGORITHMCALLS_H

#include "clang/AST/DeclBase.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Whether the function is a standard algorithm with an execution policy that a
/// device can run.
bool isAlgorithm(const clang::FunctionDecl *function);

/// Replaces arguments of an algorithm's call that are constant pointers to
/// functions or member functions, and resolves the overload again. The last
/// argument tells the runtime where the call is. `where` is the enclosing
/// function.
void prepareAlgorithm(clang::Sema &sema, clang::CallExpr *call,
                      clang::DeclContext *where);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_ALGORITHMCALLS_H
