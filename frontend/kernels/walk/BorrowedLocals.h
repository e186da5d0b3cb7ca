// Local variables of the host that a launch's kernel refers to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel refers to them by captures by reference, reference parameters, and
// pointers to and views of them. A reference leads to its initialiser; a
// parameter that is a reference leads to the caller's argument.

#ifndef XCC_FRONTEND_KERNELS_WALK_BORROWEDLOCALS_H
#define XCC_FRONTEND_KERNELS_WALK_BORROWEDLOCALS_H

#include "Accesses.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include <optional>

namespace xcc {

/// Whether the declaration is in namespace xcc.
bool inXCC(const clang::Decl *decl);

/// The index of the kernel argument, if the function is one of xcc's that
/// launch and do not wait: xcc::launch, xcc::parallel_for.
std::optional<unsigned> launchedBy(const clang::FunctionDecl *callee);

/// The local variables that a kernel refers to.
class BorrowedLocals {
public:
  /// The variable's own memory, or what the value of a parameter points to.
  enum Kind { Storage, Value };
  /// The null pointer stands for `this`.
  using Key = llvm::PointerIntPair<const clang::VarDecl *, 1, unsigned>;
  struct Use {
    bool changes = false; ///< the kernel may change it
  };
  llvm::SmallMapVector<Key, Use, 4> variables;

  explicit BorrowedLocals(KnownChanges &known) : known(known) {}

  /// Adds the locals that a launch borrows; its kernel is argument `param`.
  void addLaunch(clang::ASTContext &context, const clang::CallExpr *launch,
                 unsigned param);
  /// Adds a local variable to which the argument of a launching function
  /// refers: an lvalue, or a value that holds an address.
  void add(const clang::Expr *arg, Kind kind, bool changes);

private:
  KnownChanges &known;
  bool changes = false; ///< for the variables that are being added

  void insert(const clang::VarDecl *variable, Kind kind);
  void addStorage(const clang::Expr *lvalue, unsigned depth);
  void addVariable(const clang::ValueDecl *decl, unsigned depth);
  void addValue(const clang::Expr *value, unsigned depth);
  void addValueOf(const clang::VarDecl *variable, unsigned depth);
  void addClosure(const clang::LambdaExpr *lambda, unsigned depth);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_BORROWEDLOCALS_H
