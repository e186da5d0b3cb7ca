// Launches written as `configure(grid, block), kernel(arguments)`
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConfiguredLaunches.h"
#include "HeaderTemplates.h"
#include "kernels/check/Report.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// The annotation of xcc::cuda::configure.
constexpr llvm::StringLiteral configureAnnotation = "xcc.configure";

/// The expression as a call of xcc::cuda::configure, or null.
CallExpr *configuration(Expr *expr) {
  auto *call = dyn_cast<CallExpr>(expr->IgnoreParenCasts());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->hasAttrs() &&
                 isAnnotated(callee, configureAnnotation)
             ? call
             : nullptr;
}

/// The specialization of xcc::cuda::detail::start for a kernel of that type;
/// null if the headers have none.
FunctionDecl *startFor(Sema &sema, const FunctionDecl *configure,
                       const FunctionProtoType *kernel, SourceLocation at) {
  auto *tmpl = detailMember<FunctionTemplateDecl>(
      {const_cast<DeclContext *>(configure->getDeclContext())}, "start");
  if (!tmpl)
    return nullptr;
  llvm::SmallVector<TemplateArgument, 8> params;
  for (QualType param : kernel->param_types())
    params.push_back(
        TemplateArgument(sema.Context.getCanonicalParamType(param)));
  TemplateArgument args[] = {
      TemplateArgument(kernel->getReturnType()),
      TemplateArgument::CreatePackCopy(sema.Context, params)};
  return sema.InstantiateFunctionDeclaration(
      tmpl, TemplateArgumentList::CreateCopy(sema.Context, args), at);
}

/// The type of the callee if it is a function or a pointer to one; else null.
const FunctionProtoType *calledType(const CallExpr *call) {
  if (isa<CXXMemberCallExpr, CXXOperatorCallExpr>(call))
    return nullptr;
  const auto *pointer = call->getCallee()->getType()->getAs<PointerType>();
  const auto *type =
      pointer ? pointer->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  return type && !type->isVariadic() ? type : nullptr;
}

} // namespace

bool isConfiguredLaunch(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee && callee->hasAttrs() &&
         isAnnotated(callee, ConfiguredLaunchAnnotation);
}

Expr *configuredLaunch(Sema &sema, BinaryOperator *comma, DeclContext *where) {
  if (comma->getOpcode() != BO_Comma)
    return nullptr;
  CallExpr *shape = configuration(comma->getLHS());
  if (!shape)
    return nullptr;
  ASTContext &context = sema.Context;
  SourceLocation at = comma->getRHS()->getExprLoc();
  auto *call = dyn_cast<CallExpr>(comma->getRHS()->IgnoreParenImpCasts());
  const FunctionProtoType *type = call ? calledType(call) : nullptr;
  if (comma->containsErrors())
    return nullptr;
  if (!type) {
    report(sema, DiagnosticsEngine::Error, at,
           "what is launched is no function: the call of a kernel follows "
           "xcc::cuda::configure(grid, block)")
        << comma->getRHS()->getSourceRange();
    return nullptr;
  }
  Sema::ContextRAII inside(sema,
                           where ? where : context.getTranslationUnitDecl(),
                           /*NewThisContext=*/false);
  EnterExpressionEvaluationContext evaluated(
      sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  FunctionDecl *start = startFor(sema, shape->getDirectCallee(), type, at);
  if (!start)
    return nullptr;
  llvm::SmallVector<Expr *, 12> given = {call->getCallee()};
  given.append(shape->arg_begin(), shape->arg_end());
  given.append(call->arg_begin(), call->arg_end());
  if (given.size() != start->getNumParams())
    return nullptr;
  for (unsigned i = 0; i < given.size(); ++i) {
    ExprResult bound = sema.PerformCopyInitialization(
        InitializedEntity::InitializeParameter(context, start->getParamDecl(i)),
        at, given[i]);
    if (bound.isInvalid())
      return nullptr;
    given[i] = bound.get();
  }
  sema.MarkFunctionReferenced(at, start);
  Expr *made = CallExpr::Create(context, nameOf(context, start, at), given,
                                context.VoidTy, VK_PRValue,
                                call->getRParenLoc(), FPOptionsOverride());
  return sema.MaybeCreateExprWithCleanups(made);
}

} // namespace xcc
