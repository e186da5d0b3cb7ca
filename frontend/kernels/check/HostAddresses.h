// Addresses of the host's variables among a launch's arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is referred to by a type that says how much there is, a reference or a
// span, a launch maps. A plain pointer it looks up; one to a variable of the
// host's that is written down at the launch will not be found, unless a scope
// has mapped the variable.

#ifndef XCC_FRONTEND_KERNELS_CHECK_HOSTADDRESSES_H
#define XCC_FRONTEND_KERNELS_CHECK_HOSTADDRESSES_H

#include "Warnings.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Sema;
}

namespace xcc {

/// Which local variables a function's scopes map, or lock the memory of: named
/// among the arguments of xcc::map or xcc::host_registration, or of the C
/// interface's like. Each function is walked once, however many launches it has.
class ScopedVariables {
public:
  bool contains(const clang::VarDecl *variable);

private:
  struct Scopes {
    bool unknown = false; ///< what they name, there is no telling
    llvm::DenseSet<const clang::Decl *> variables;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Scopes> functions;
  friend class ScopeFinder;
};

/// Warns of addresses of local variables of the host among a launch's arguments
/// and the initial values of the captures of a lambda that is written there.
/// `param` is the argument that is the kernel; `kernel` the function that takes
/// those behind it, or null where that is a template.
void checkHostAddresses(clang::Sema &sema, const clang::CallExpr *call,
                        unsigned param, const clang::FunctionDecl *kernel,
                        ScopedVariables &scoped, const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTADDRESSES_H
