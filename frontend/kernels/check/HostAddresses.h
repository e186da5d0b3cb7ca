// Addresses of the host's variables among a launch's arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch maps what a reference or a span refers to, because its type gives
// the size. A plain pointer is only looked up. A pointer to a local variable of
// the host that is written at the launch is not found, unless a scope has
// mapped the variable.

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

/// The local variables that a function's scopes map, or whose memory they lock:
/// those named among the arguments of xcc::map, xcc::host_registration, or
/// their equivalents in the C interface. Each function is walked once, however
/// many launches it has.
class ScopedVariables {
public:
  bool contains(const clang::VarDecl *variable);

private:
  struct Scopes {
    bool unknown = false; ///< the scopes' variables cannot be determined
    llvm::DenseSet<const clang::Decl *> variables;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Scopes> functions;
  friend class ScopeFinder;
};

/// Warns of addresses of local host variables among a launch's arguments, and
/// in the init-captures of a lambda that is written there. `param` is the index
/// of the kernel argument. `kernel` is the function that takes the arguments
/// behind it, or null if that is a template.
void checkHostAddresses(clang::Sema &sema, const clang::CallExpr *call,
                        unsigned param, const clang::FunctionDecl *kernel,
                        ScopedVariables &scoped, const Warnings &warnings);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_HOSTADDRESSES_H
