// Which variables code reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts at functions and initialisers and follows their calls. Notes each
// global or static variable that they name: as read if the code only reads it,
// otherwise as written.

#ifndef XCC_FRONTEND_KERNELS_WALK_USEVISITOR_H
#define XCC_FRONTEND_KERNELS_WALK_USEVISITOR_H

#include "EvaluatedCode.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace xcc {

/// The places where one side first reads and first writes a variable.
struct Use {
  clang::SourceLocation read, write;
};
using Uses = llvm::MapVector<const clang::VarDecl *, Use>;

using Functions = llvm::SmallPtrSet<const clang::FunctionDecl *, 32>;

/// Collects the uses of variables in functions and in what they call.
class UseVisitor : public EvaluatedCode {
public:
  /// For the host, pass the functions that kernels call in `device` and the
  /// kernels themselves in `kernels`. The host uses these only if it calls
  /// them.
  explicit UseVisitor(clang::ASTContext &context,
                      const Functions *device = nullptr,
                      const Functions *kernels = nullptr)
      : context(context), device(device), kernels(kernels) {}

  Uses uses;
  Functions functions;
  /// What each function, or variable's initialiser, does itself.
  struct Facts {
    llvm::SmallSetVector<const clang::FunctionDecl *, 4> callees;
    llvm::SmallSetVector<const clang::VarDecl *, 2> reads, writes;
    /// Variables through which others may be written: pointers, references.
    llvm::SmallSetVector<const clang::VarDecl *, 2> leads;
    /// Called functions that are not defined here; `unknownCalls`: also
    /// functions that are known only at run time.
    llvm::SmallSetVector<const clang::FunctionDecl *, 2> others;
    bool unknownCalls = false;
  };
  llvm::DenseMap<const clang::NamedDecl *, Facts> facts;
  /// The same uses for each declaration that names the variable; filled if
  /// keepsEach.
  using Naming = std::pair<const clang::NamedDecl *, const clang::VarDecl *>;
  llvm::MapVector<Naming, Use> each;
  bool keepsEach = false;
  /// Whether to follow calls that are not written: destructors, virtual
  /// functions of objects that the code makes, functions whose addresses
  /// variables hold.
  bool followsUnnamed = false;
  /// Whether a call of a function that returns a variable, or its address,
  /// counts as a use of that variable: "Settings::get().size".
  bool followsReturned = false;
  /// Whether only uses that may keep a variable's address count as writes.
  /// `named` then receives the functions whose addresses are taken.
  bool keepsAddresses = false;
  /// The host's first calls of functions that kernels call too.
  llvm::MapVector<const clang::FunctionDecl *, clang::SourceLocation> entered;

  void add(const clang::FunctionDecl *function, clang::SourceLocation at = {});
  void add(const clang::VarDecl *variable);
  /// Follows the calls of everything that was added.
  void run();

  //===--------------------------------------------------------------------===//
  // What the visitor follows
  //===--------------------------------------------------------------------===//

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override;
  bool TraverseCallExpr(clang::CallExpr *call) override;
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *expr) override;
  bool VisitCastExpr(clang::CastExpr *cast) override;
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *call) override;
  bool VisitUnaryOperator(clang::UnaryOperator *op) override;
  bool VisitBinaryOperator(clang::BinaryOperator *op) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) override;
  bool VisitMemberExpr(clang::MemberExpr *member) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expr) override;
  bool VisitCXXNewExpr(clang::CXXNewExpr *expr) override;
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *expr) override;
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *expr) override;
  bool VisitVarDecl(clang::VarDecl *variable) override;

private:
  clang::ASTContext &context;
  const Functions *device, *kernels;
  std::vector<const clang::FunctionDecl *> work;
  const clang::NamedDecl *current = nullptr; ///< the code that is visited
  clang::SourceLocation boundAt; ///< where a structured binding is named
  llvm::SmallPtrSet<const clang::Expr *, 32> lookedAt;

  /// Names of variables that are only read, as is everything they lead to.
  llvm::SmallPtrSet<const clang::Expr *, 32> readThrough;
  /// The addresses in a variable's constant initial value.
  struct Held {
    llvm::SmallSetVector<const clang::VarDecl *, 2> constants, variables;
    llvm::SmallSetVector<const clang::FunctionDecl *, 2> functions;
  };
  llvm::SmallSetVector<const clang::FunctionDecl *, 2> named;
  llvm::DenseMap<const clang::VarDecl *, Held> held;
  llvm::DenseMap<const clang::VarDecl *, Held> left;

  /// The one variable that a function returns by reference or address, and
  /// where its return statements name it. Null if it returns several, or none.
  struct Returned {
    const clang::VarDecl *variable = nullptr;
    llvm::SmallVector<const clang::Expr *, 1> names;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Returned> returned;

  const Returned &returnedBy(const clang::FunctionDecl *function);
  void addNamed(const clang::FunctionDecl *function, clang::SourceLocation at);
  void addDestructor(clang::QualType type, clang::SourceLocation at);
  void look(const clang::Expr *expr, bool value);
  void note(const clang::VarDecl *variable, const clang::Expr *ref,
            clang::SourceLocation at);
  void noteBinding(const clang::BindingDecl *binding,
                   const clang::DeclRefExpr *ref);
  const Held &leftIn(const clang::VarDecl *variable);
  void noteStillInUse(const clang::VarDecl *variable, clang::SourceLocation at);
  void noteUse(const clang::VarDecl *variable, bool read,
               clang::SourceLocation at);
  void noteHeld(const clang::VarDecl *variable, const clang::Expr *ref,
                clang::SourceLocation at);
  const Held &heldBy(const clang::VarDecl *variable);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_USEVISITOR_H
