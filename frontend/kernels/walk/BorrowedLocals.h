// What a kernel refers to of its launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captures by reference, reference parameters, and pointers to and views of
// local variables. A reference leads to its initialiser; one that is a
// parameter, to what callers give.

#ifndef XCC_FRONTEND_KERNELS_WALK_BORROWEDLOCALS_H
#define XCC_FRONTEND_KERNELS_WALK_BORROWEDLOCALS_H

#include "Accesses.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include <optional>

namespace xcc {

/// Whether it is declared in namespace xcc.
bool inXCC(const clang::Decl *decl);

/// The argument that is the kernel, if the function is one of ours that launch
/// and do not wait: xcc::launch, xcc::parallel_for.
std::optional<unsigned> launchedBy(const clang::FunctionDecl *callee);

/// The variables that a kernel refers to.
class BorrowedLocals {
public:
  /// The variable itself, or, of a parameter, what its value refers to.
  enum Kind { Storage, Value };
  /// `this` is the null pointer.
  using Key = llvm::PointerIntPair<const clang::VarDecl *, 1, unsigned>;
  struct Use {
    bool changes = false; ///< the kernel may change it
  };
  llvm::SmallMapVector<Key, Use, 4> variables;

  explicit BorrowedLocals(KnownChanges &known) : known(known) {}

  /// Adds the locals that a launch borrows; its kernel is argument `param`.
  void addLaunch(clang::ASTContext &context, const clang::CallExpr *launch,
                 unsigned param);
  /// Adds a local that an argument to a function that launches refers to: an lvalue,
  /// or a value that holds an address.
  void add(const clang::Expr *arg, Kind kind, bool changes);

private:
  KnownChanges &known;
  bool changes = false; ///< what is being added

  void insert(const clang::VarDecl *variable, Kind kind);
  void addStorage(const clang::Expr *lvalue, unsigned depth);
  void addVariable(const clang::ValueDecl *decl, unsigned depth);
  void addValue(const clang::Expr *value, unsigned depth);
  void addValueOf(const clang::VarDecl *variable, unsigned depth);
  void addClosure(const clang::LambdaExpr *lambda, unsigned depth);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_BORROWEDLOCALS_H
