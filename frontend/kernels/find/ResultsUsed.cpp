// Marks results of CUDA's functions that a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResultsUsed.h"
#include "HeaderTemplates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {

/// Whether the user calls a function whose result is a status.
static bool returnsStatus(ASTContext &context, const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  const EnumDecl *type =
      callee ? callee->getReturnType()->getAsEnumDecl() : nullptr;
  return type && type->hasAttrs() && isAnnotated(type, "xcc.status") &&
         !context.getSourceManager().isInSystemHeader(call->getExprLoc());
}

/// The function detail::looked, from the namespace around the status's class.
static FunctionDecl *usedMarker(QualType status) {
  const DeclContext *outer =
      status->getAsEnumDecl()->getDeclContext()->getParent();
  return detailMember<FunctionDecl>({const_cast<DeclContext *>(outer)},
                                    "looked");
}

/// Records a call whose value is the statement's value, and is not used.
void ResultsUsed::drop(const Stmt *stmt) {
  const auto *expr = dyn_cast_or_null<Expr>(stmt);
  while (expr) {
    expr = expr->IgnoreParens();
    const auto *full = dyn_cast<FullExpr>(expr);
    if (!full)
      break;
    expr = full->getSubExpr();
  }
  if (isa_and_nonnull<CallExpr>(expr))
    done.insert(expr);
}

void ResultsUsed::noteDropped(const Stmt *parent) {
  if (const auto *all = dyn_cast<CompoundStmt>(parent)) {
    for (const Stmt *each : all->body())
      drop(each);
  } else if (const auto *branch = dyn_cast<IfStmt>(parent)) {
    drop(branch->getThen());
    drop(branch->getElse());
  } else if (const auto *loop = dyn_cast<ForStmt>(parent)) {
    drop(loop->getInit());
    drop(loop->getInc());
    drop(loop->getBody());
  } else if (const auto *loop = dyn_cast<WhileStmt>(parent)) {
    drop(loop->getBody());
  } else if (const auto *loop = dyn_cast<DoStmt>(parent)) {
    drop(loop->getBody());
  } else if (const auto *loop = dyn_cast<CXXForRangeStmt>(parent)) {
    drop(loop->getBody());
  } else if (const auto *label = dyn_cast<SwitchCase>(parent)) {
    drop(label->getSubStmt());
  } else if (const auto *label = dyn_cast<LabelStmt>(parent)) {
    drop(label->getSubStmt());
  } else if (const auto *marked = dyn_cast<AttributedStmt>(parent)) {
    drop(marked->getSubStmt());
  } else if (const auto *op = dyn_cast<BinaryOperator>(parent);
             op && op->getOpcode() == BO_Comma) {
    drop(op->getLHS());
  } else if (const auto *cast = dyn_cast<CastExpr>(parent);
             cast && cast->getType()->isVoidType()) {
    drop(cast->getSubExpr());
  }
}

void ResultsUsed::visit(Stmt *parent) {
  noteDropped(parent);
  ASTContext &context = sema.Context;
  for (Stmt *&child : parent->children()) {
    auto *call = dyn_cast_or_null<CallExpr>(child);
    if (!call || !returnsStatus(context, call) || !done.insert(call).second)
      continue;
    FunctionDecl *marker = usedMarker(call->getType());
    if (!marker)
      return;
    SourceLocation at = call->getExprLoc();
    sema.MarkFunctionReferenced(at, marker);
    child = CallExpr::Create(context, nameOf(context, marker, at), {call},
                             call->getType(), VK_PRValue, call->getRParenLoc(),
                             FPOptionsOverride());
    done.insert(child);
  }
}

} // namespace xcc
