// Tells the runtime when main ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MainEnd.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/walk/TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// Passes the values of main's return statements through the function. Skips
/// lambdas and classes in main, which have returns of their own.
class Returns : public TreeVisitor {
public:
  Returns(Sema &sema, FunctionDecl *through) : sema(sema), through(through) {}
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool TraverseBlockExpr(BlockExpr *) override { return true; }
  bool TraverseDecl(Decl *decl) override {
    return isa_and_nonnull<TagDecl>(decl) || TreeVisitor::TraverseDecl(decl);
  }
  bool VisitReturnStmt(ReturnStmt *stmt) override {
    if (Expr *value = stmt->getRetValue())
      if (Expr *call = passed(value, stmt->getReturnLoc()))
        stmt->setRetValue(call);
    return true;
  }

  Expr *passed(Expr *value, SourceLocation at) {
    ExprResult callee =
        sema.BuildDeclRefExpr(through, through->getType(), VK_LValue, at);
    ExprResult call =
        callee.isUsable()
            ? sema.BuildCallExpr(/*Scope=*/nullptr, callee.get(), at, value, at)
            : ExprError();
    return call.isUsable() ? call.get() : nullptr;
  }

private:
  Sema &sema;
  FunctionDecl *through;
};

} // namespace

void reportMainEnd(Sema &sema, Decl *decl) {
  auto *main = dyn_cast<FunctionDecl>(decl);
  if (!main || !main->isMain() || !main->doesThisDeclarationHaveABody() ||
      main->isInvalidDecl())
    return;
  ASTContext &context = sema.Context;
  // The headers may not declare it.
  auto *through =
      detailMember<FunctionDecl>(xccNamespace(context), "main_returns");
  if (!through)
    return;
  Sema::ContextRAII inside(sema, main);
  Returns returns(sema, through);
  returns.TraverseStmt(main->getBody());
  // Reaching main's end returns 0.
  auto *body = dyn_cast<CompoundStmt>(main->getBody());
  if (!body || (!body->body_empty() && isa<ReturnStmt>(body->body_back())))
    return;
  SourceLocation at = body->getRBracLoc();
  Expr *zero = IntegerLiteral::Create(
      context, llvm::APInt(context.getIntWidth(context.IntTy), 0),
      context.IntTy, at);
  Expr *value = returns.passed(zero, at);
  if (!value)
    return;
  llvm::SmallVector<Stmt *, 16> statements(body->body());
  statements.push_back(ReturnStmt::Create(context, at, value, nullptr));
  main->setBody(CompoundStmt::Create(context, statements,
                                     body->getStoredFPFeaturesOrDefault(),
                                     body->getLBracLoc(), at));
}

} // namespace xcc
