// Which variables code reads and changes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This looks at the source, not at optimised code. An access to an element of a
// container, or through a pointer, counts as an access to the variable.

#ifndef XCC_FRONTEND_KERNELS_WALK_ACCESSES_H
#define XCC_FRONTEND_KERNELS_WALK_ACCESSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// The expression without parentheses, casts, temporaries, copies and moves.
const clang::Expr *plain(const clang::Expr *expr);

/// Whether a class owns the memory whose addresses it returns, as containers of
/// the standard library do (isOwner), or does not, as std::span (isView).
bool isOwner(clang::QualType type);
bool isView(clang::QualType type);

/// The variable that an expression names, or whose element or target it names;
/// or null.
const clang::ValueDecl *accessed(const clang::Expr *expr);

/// Calls `found` for each access to a local variable that host code makes for
/// certain. Leaves out what the program's own functions do with their
/// arguments.
void hostAccesses(const clang::ASTContext &context, const clang::Stmt *code,
                  llvm::function_ref<void(const clang::VarDecl *, bool changes,
                                          clang::SourceLocation)>
                      found);

/// Which variables code changes. Each piece of code is walked once and the
/// result is kept, because a function may have thousands of launches.
class KnownChanges {
public:
  /// Whether code may change the variable, or an object reached through it.
  bool mayChange(const clang::Stmt *code, const clang::ValueDecl *variable);
  /// Whether the variable's function changes it for certain.
  bool onHost(const clang::VarDecl *variable);

private:
  using Variables = llvm::DenseSet<const clang::ValueDecl *>;
  llvm::DenseMap<const clang::Stmt *, Variables> possible;
  llvm::DenseMap<const clang::FunctionDecl *, Variables> certain;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_ACCESSES_H
