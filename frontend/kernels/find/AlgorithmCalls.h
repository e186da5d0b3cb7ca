// Calls of the standard's algorithms
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `std::transform(par, a, b, to, twice)` the type of the last argument is that
// of a pointer, for which a device would need an address of its own code. The
// compiler knows the function here, and makes the argument an object of the type
// xcc::stdpar::known_function<twice>, which any device can call. Messages of the
// running program name the call, and not a header's line.

#ifndef XCC_FRONTEND_KERNELS_FIND_ALGORITHMCALLS_H
#define XCC_FRONTEND_KERNELS_FIND_ALGORITHMCALLS_H

#include "clang/AST/DeclBase.h"
#include "clang/AST/Expr.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Whether it is an algorithm of the standard that a device runs, or could.
bool isAlgorithm(const clang::FunctionDecl *function);

/// Replaces arguments of a call of an algorithm that are constant pointers to
/// functions or member functions, and selects the algorithm anew. The last
/// argument tells the runtime where the call is. `where` is the function around
/// it.
void prepareAlgorithm(clang::Sema &sema, clang::CallExpr *call,
                      clang::DeclContext *where);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_ALGORITHMCALLS_H
