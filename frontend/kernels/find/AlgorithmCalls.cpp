// Calls of the standard library's parallel algorithms
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AlgorithmCalls.h"
#include "HeaderTemplates.h"
#include "KernelCalls.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// The argument of std::mem_fn or std::ref; else `arg` itself.
const Expr *wrapped(const Expr *arg) {
  const auto *call = dyn_cast<CallExpr>(arg->IgnoreImplicit());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() ||
      call->getNumArgs() != 1)
    return arg;
  const llvm::StringRef name = callee->getName();
  return name == "mem_fn" || name == "ref" || name == "cref" ? call->getArg(0)
                                                             : arg;
}

/// Whether devices have code of the function. A function of another file has
/// its address on the CPU device only; calling it there is faster than a
/// message to the host.
bool hasDeviceCode(const FunctionDecl *function) {
  return function->isDefined() || function->getBuiltinID() ||
         function->getTemplateInstantiationPattern() ||
         isAnnotated(function, annotation::Export);
}

/// The function or member function whose constant address the argument is, and
/// the type of such an address; null if it is none.
std::pair<ValueDecl *, QualType> constantAddress(ASTContext &context,
                                                 const Expr *arg) {
  QualType type = arg->getType();
  if (type->isFunctionType() || type->isFunctionPointerType()) {
    FunctionDecl *function = constantFunction(context, arg);
    if (!function || function->isVariadic() || !hasDeviceCode(function))
      return {};
    function = function->getCanonicalDecl();
    return {function, context.getPointerType(function->getType())};
  }
  Expr::EvalResult result;
  if (!type->isMemberFunctionPointerType() || arg->isValueDependent() ||
      arg->containsErrors() || !arg->EvaluateAsRValue(result, context) ||
      !result.Val.isMemberPointer() ||
      !result.Val.getMemberPointerPath().empty())
    return {};
  auto *member = const_cast<ValueDecl *>(result.Val.getMemberPointerDecl());
  if (!hasDeviceCode(cast<FunctionDecl>(member)))
    return {};
  return {member, context.getCanonicalType(type).getUnqualifiedType()};
}

/// The function template xcc::stdpar::name, or null.
FunctionTemplateDecl *templateNamed(ASTContext &context, StringRef name) {
  auto found = templatesNamed(context, name, "stdpar");
  return found.empty() ? nullptr : found.front();
}

/// Builds xcc::stdpar::known<function>().
Expr *known(Sema &sema, FunctionTemplateDecl *tmpl, ValueDecl *function,
            QualType type, SourceLocation at) {
  ASTContext &context = sema.Context;
  TemplateArgument arg(function, type);
  FunctionDecl *made = sema.InstantiateFunctionDeclaration(
      tmpl, TemplateArgumentList::CreateCopy(context, arg), at);
  if (!made || sema.RequireCompleteType(at, made->getReturnType(), 0))
    return nullptr;
  sema.MarkFunctionReferenced(at, made);
  return CallExpr::Create(context, nameOf(context, made, at), {},
                          made->getReturnType(), VK_PRValue, at,
                          FPOptionsOverride());
}

/// A call of the template with these arguments; null after a message.
CallExpr *callOf(Sema &sema, FunctionTemplateDecl *tmpl,
                 llvm::SmallVector<Expr *, 8> args, SourceLocation at) {
  UnresolvedSet<1> found;
  found.addDecl(tmpl);
  Expr *name = UnresolvedLookupExpr::Create(
      sema.Context, /*NamingClass=*/nullptr, NestedNameSpecifierLoc(),
      DeclarationNameInfo(tmpl->getDeclName(), at),
      /*RequiresADL=*/false, found.begin(), found.end(),
      /*KnownDependent=*/false, /*KnownInstantiationDependent=*/false);
  ExprResult result = sema.BuildCallExpr(/*Scope=*/nullptr, name, at, args, at);
  return result.isInvalid()
             ? nullptr
             : dyn_cast<CallExpr>(result.get()->IgnoreImplicit());
}

/// Replaces constant addresses of functions; true if there were any.
bool nameFunctions(Sema &sema, llvm::MutableArrayRef<Expr *> args) {
  FunctionTemplateDecl *tmpl = nullptr;
  bool changed = false;
  for (Expr *&arg : args) {
    auto [function, type] = constantAddress(sema.Context, wrapped(arg));
    if (!function || (!tmpl && !(tmpl = templateNamed(sema.Context, "known"))))
      continue;
    if (Expr *object = known(sema, tmpl, function, type, arg->getExprLoc())) {
      arg = object;
      changed = true;
    }
  }
  return changed;
}

} // namespace

bool isAlgorithm(const FunctionDecl *function) {
  if (!function->isInStdNamespace() || !function->getNumParams() ||
      !isAnnotated(function, annotation::Waits))
    return false;
  const CXXRecordDecl *policy = function->getParamDecl(0)
                                    ->getType()
                                    .getNonReferenceType()
                                    ->getAsCXXRecordDecl();
  return policy && policy->getIdentifier() &&
         policy->getName() != "sequenced_policy";
}

void prepareAlgorithm(Sema &sema, CallExpr *call, DeclContext *where) {
  ASTContext &context = sema.Context;
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getPrimaryTemplate() || !isAlgorithm(callee))
    return;
  Sema::ContextRAII inside(sema,
                           where ? where : context.getTranslationUnitDecl(),
                           /*NewThisContext=*/false);
  EnterExpressionEvaluationContext evaluated(
      sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  llvm::SmallVector<Expr *, 8> args(call->arguments());
  if (nameFunctions(sema, args))
    if (CallExpr *made = callOf(sema, callee->getPrimaryTemplate(), args,
                                call->getExprLoc());
        made && made->getNumArgs() == call->getNumArgs() &&
        context.hasSameType(made->getType(), call->getType())) {
      call->setCallee(made->getCallee());
      for (unsigned i = 0; i < made->getNumArgs(); ++i)
        call->setArg(i, made->getArg(i));
    }
  const unsigned last = call->getNumArgs() - 1;
  if (FunctionTemplateDecl *tmpl = templateNamed(context, "called"))
    if (CallExpr *made =
            callOf(sema, tmpl, {call->getArg(last)}, call->getExprLoc()))
      call->setArg(last, made);
}

} // namespace xcc
