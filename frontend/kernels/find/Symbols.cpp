// xcc::symbol: a global variable's address on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Symbols.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "kernels/check/Report.h"
#include "kernels/host/HostEntries.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// The variable that an expression names as a whole. Null if it is unknown, or
/// has no single address on each device.
VarDecl *variableIn(ASTContext &context, const Expr *arg) {
  Expr::EvalResult result;
  if (arg->isValueDependent() || arg->containsErrors() ||
      !arg->EvaluateAsLValue(result, context) || !result.Val.isLValue() ||
      !result.Val.getLValueOffset().isZero() ||
      (result.Val.hasLValuePath() && !result.Val.getLValuePath().empty()))
    return nullptr;
  const auto *decl = result.Val.getLValueBase().dyn_cast<const ValueDecl *>();
  auto *variable = const_cast<VarDecl *>(dyn_cast_or_null<VarDecl>(decl));
  return variable && variable->hasGlobalStorage() &&
                 variable->getTLSKind() == VarDecl::TLS_None &&
                 context.hasSameType(variable->getType(), arg->getType())
             ? variable
             : nullptr;
}

} // namespace

bool isSymbolCall(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee && callee->getNumParams() == 2 && call->getNumArgs() == 2 &&
         isAnnotated(callee->getParamDecl(0), annotation::Symbol);
}

void prepareSymbol(Sema &sema, CallExpr *call) {
  ASTContext &context = sema.Context;
  Expr *arg = call->getArg(0);
  SourceLocation at = arg->getExprLoc();
  VarDecl *variable = variableIn(context, arg);
  if (!variable) {
    if (sema.getLangOpts().SYCLIsDevice)
      return;
    report(sema, DiagnosticsEngine::Error, at,
           "xcc::symbol needs the name of a global or static variable, which "
           "each device has one of")
        << arg->getSourceRange();
    report(sema, DiagnosticsEngine::Note, at,
           "name the whole variable; a function that is given one takes it as "
           "a template parameter (template <auto &Variable>)");
    return;
  }
  if (FunctionDecl *place = symbolPlace(sema, variable, arg->getType(), at))
    call->setArg(1, nameOf(context, place, at));
}

FunctionDecl *symbolPlace(Sema &sema, VarDecl *variable, QualType type,
                          SourceLocation at) {
  ASTContext &context = sema.Context;
  TemplateArgument args[] = {
      TemplateArgument(context.getCanonicalType(type)),
      TemplateArgument(variable, context.getLValueReferenceType(
                                     context.getCanonicalType(type)))};
  FunctionDecl *found = nullptr;
  for (FunctionTemplateDecl *tmpl : templatesNamed(context, "symbol_place"))
    if (FunctionDecl *place = sema.InstantiateFunctionDeclaration(
            tmpl, TemplateArgumentList::CreateCopy(context, args), at)) {
      sema.MarkFunctionReferenced(at, place);
      found = place;
    }
  return found;
}

const VarDecl *symbolOf(const FunctionDecl *kernel) {
  const FunctionTemplateDecl *tmpl = kernel->getPrimaryTemplate();
  const TemplateArgumentList *args = kernel->getTemplateSpecializationArgs();
  if (!tmpl || !args || args->size() != 2 ||
      tmpl->getQualifiedNameAsString() != "xcc::symbol_place" ||
      args->get(1).getKind() != TemplateArgument::Declaration)
    return nullptr;
  return dyn_cast<VarDecl>(args->get(1).getAsDecl());
}

} // namespace xcc
