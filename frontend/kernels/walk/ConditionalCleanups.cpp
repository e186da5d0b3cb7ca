// Cleanups in conditionally evaluated parts of expressions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For `c ? throw X(y) : z`, Clang 22 keeps the address of the exception object
// in a variable, because X's constructor may throw and then the object is
// freed. It expects an alloca when it restores the address. If variables have
// an address space of their own it finds an address space cast, and crashes.
// The same happens with memory that `new` has allocated, and with members of an
// aggregate.
//
// A statement expression, `c ? ({ throw X(y); }) : z`, starts a part that is
// not conditional. But its temporaries end with it. So only throws, and
// expressions without temporaries, are wrapped in one.

#include "ConditionalCleanups.h"
#include "kernels/check/Report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/DataLayout.h"

using namespace clang;

namespace xcc {
namespace {

/// Whether an expression has temporaries that live until the full expression
/// ends.
bool hasTemporaries(Expr *expr) {
  struct Finder : DynamicRecursiveASTVisitor {
    bool found = false;
    // Visits the semantic form of initialiser lists.
    Finder() { ShouldVisitImplicitCode = true; }
    bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
    bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr *) override {
      return !(found = true);
    }
  } finder;
  finder.TraverseStmt(expr);
  return finder.found;
}

class Branches {
public:
  explicit Branches(Sema &sema) : sema(sema), context(sema.Context) {}

  void prepare(Expr *choice) {
    bool isFirst = true;
    for (Stmt *&child : choice->children()) {
      // The first operand is always evaluated.
      if (std::exchange(isFirst, false))
        continue;
      auto *branch = dyn_cast_or_null<Expr>(child);
      if (!branch)
        continue;
      if (isa<CXXThrowExpr>(branch->IgnoreParens()))
        child = choice->isGLValue() ? reject(branch) : wrap(branch, choice);
      else
        prepareWithin(child);
    }
  }

private:
  Sema &sema;
  ASTContext &context;

  Expr *reject(Expr *expr) {
    report(
        sema, DiagnosticsEngine::Error, expr->getExprLoc(),
        "this GPU's code cannot throw this, or make an object of members with "
        "destructors or an array of such objects, in a part of an expression "
        "that is evaluated conditionally; write an if statement instead");
    return expr;
  }

  /// Builds `({ expr; })`; after a throw, adds a value of the expected type.
  Expr *wrap(Expr *expr, Expr *choice = nullptr) {
    QualType type = choice ? choice->getType() : expr->getType();
    SmallVector<Stmt *, 2> body = {expr};
    if (choice && !type->isVoidType())
      body.push_back(new (context) ImplicitValueInitExpr(type));
    SourceLocation at = expr->getBeginLoc(), end = expr->getEndLoc();
    auto *block =
        CompoundStmt::Create(context, body, FPOptionsOverride(), at, end);
    return new (context) StmtExpr(block, type, at, end, /*TemplateDepth=*/0);
  }

  /// Whether an aggregate has members to destroy if a later member throws.
  bool needsDestruction(const Expr *expr) {
    const auto *list = dyn_cast<InitListExpr>(expr);
    return list && list->isSemanticForm() && list->getType()->isRecordType() &&
           list->getType().isDestructedType();
  }

  bool canWrap(Expr *expr) {
    if (isa<CXXThrowExpr>(expr))
      return true;
    return expr->isPRValue() && !hasTemporaries(expr);
  }

  void prepareWithin(Stmt *&place) {
    Stmt *stmt = place;
    if (!stmt || isa<LambdaExpr, StmtExpr>(stmt))
      return;
    auto *allocation = dyn_cast<CXXNewExpr>(stmt);
    auto *expr = dyn_cast<Expr>(stmt);
    const bool isAllocation = allocation && allocation->getOperatorDelete();
    if (isAllocation || isa<CXXThrowExpr>(stmt) ||
        (expr && needsDestruction(expr))) {
      if (canWrap(expr)) {
        place = wrap(expr);
        return;
      }
      if (!isAllocation ||
          (allocation->isArray() &&
           context.getBaseElementType(allocation->getAllocatedType())
               .isDestructedType())) {
        reject(expr);
        return;
      }
      // The memory leaks if its constructor throws.
      allocation->setOperatorDelete(nullptr);
    }
    for (Stmt *&child : stmt->children())
      prepareWithin(child);
  }
};

} // namespace

void keepBranches(Sema &sema, Expr *choice) {
  llvm::DataLayout layout(sema.Context.getTargetInfo().getDataLayoutString());
  if (layout.getAllocaAddrSpace())
    Branches(sema).prepare(choice);
}

} // namespace xcc
