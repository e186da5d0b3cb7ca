// What code does with a variable
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at how code is written, not at what the optimiser makes of it: which
// variables it reads and changes, elements of containers and what pointers
// point at taken for the variable.

#ifndef XCC_FRONTEND_KERNELS_WALK_ACCESSES_H
#define XCC_FRONTEND_KERNELS_WALK_ACCESSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// Without what converts, copies, moves or holds it.
const clang::Expr *plain(const clang::Expr *expr);

/// Whether a class owns the memory whose addresses it returns, as the containers of
/// the standard library do; or does not own it, as std::span.
bool isOwner(clang::QualType type);
bool isView(clang::QualType type);

/// The variable whose memory, element or target an expression names; or null.
const clang::ValueDecl *accessed(const clang::Expr *expr);

/// What code that the host runs is sure to do with local variables. Not what it
/// hands to functions of the program's own.
void hostAccesses(const clang::ASTContext &context, const clang::Stmt *code,
                  llvm::function_ref<void(const clang::VarDecl *, bool changes,
                                          clang::SourceLocation)>
                      found);

/// Which variables code changes. A function may have thousands of launches, and
/// each asks: so code is walked once, and what it changes is kept.
class KnownChanges {
public:
  /// Whether code may change the variable, or what is reached through it.
  bool mayChange(const clang::Stmt *code, const clang::ValueDecl *variable);
  /// Whether the function of a local variable is sure to change it.
  bool onHost(const clang::VarDecl *variable);

private:
  using Variables = llvm::DenseSet<const clang::ValueDecl *>;
  llvm::DenseMap<const clang::Stmt *, Variables> possible;
  llvm::DenseMap<const clang::FunctionDecl *, Variables> certain;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_ACCESSES_H
