// Functions that the standard's algorithms are given
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AlgorithmFunctions.h"
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

/// What std::mem_fn and std::ref were called with; else the argument itself.
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

/// Whether devices have code of the function. The CPU device calls another file's
/// faster at its address than by a message to the host.
bool hasDeviceCode(const FunctionDecl *function) {
  return function->isDefined() || function->getBuiltinID() ||
         function->getTemplateInstantiationPattern() ||
         isAnnotated(function, annotation::Export);
}

/// The function or member function that the argument is a constant address of;
/// and the type of such an address.
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

/// xcc::stdpar::known.
FunctionTemplateDecl *knownTemplate(ASTContext &context) {
  for (NamedDecl *space :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get("xcc")))
    if (auto *outer = dyn_cast<NamespaceDecl>(space))
      for (NamedDecl *inner : outer->lookup(&context.Idents.get("stdpar")))
        if (auto *stdpar = dyn_cast<NamespaceDecl>(inner))
          for (NamedDecl *member : stdpar->lookup(&context.Idents.get("known")))
            if (auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
              return tmpl;
  return nullptr;
}

Expr *nameOf(ASTContext &context, FunctionDecl *function, SourceLocation at) {
  Expr *name = DeclRefExpr::Create(context, NestedNameSpecifierLoc(),
                                   SourceLocation(), function,
                                   /*RefersToEnclosingVariableOrCapture=*/false,
                                   at, function->getType(), VK_LValue);
  return ImplicitCastExpr::Create(context,
                                  context.getPointerType(function->getType()),
                                  CK_FunctionToPointerDecay, name, nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

/// xcc::stdpar::known<function>().
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

/// The same call with other arguments; null if there is none of that type.
CallExpr *callWith(Sema &sema, CallExpr *call, llvm::ArrayRef<Expr *> args) {
  ASTContext &context = sema.Context;
  FunctionTemplateDecl *tmpl = call->getDirectCallee()->getPrimaryTemplate();
  UnresolvedSet<1> found;
  found.addDecl(tmpl);
  Expr *name = UnresolvedLookupExpr::Create(
      context, /*NamingClass=*/nullptr, NestedNameSpecifierLoc(),
      DeclarationNameInfo(tmpl->getDeclName(), call->getExprLoc()),
      /*RequiresADL=*/false, found.begin(), found.end(),
      /*KnownDependent=*/false, /*KnownInstantiationDependent=*/false);
  llvm::SmallVector<Expr *, 8> given(args);
  ExprResult result = sema.BuildCallExpr(
      /*Scope=*/nullptr, name, call->getExprLoc(), given, call->getRParenLoc());
  auto *made = result.isInvalid()
                   ? nullptr
                   : dyn_cast<CallExpr>(result.get()->IgnoreImplicit());
  return made && made->getNumArgs() == call->getNumArgs() &&
                 context.hasSameType(made->getType(), call->getType())
             ? made
             : nullptr;
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

void nameFunctions(Sema &sema, CallExpr *call, DeclContext *where) {
  ASTContext &context = sema.Context;
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getPrimaryTemplate() || !isAlgorithm(callee))
    return;
  FunctionTemplateDecl *tmpl = nullptr;
  llvm::SmallVector<Expr *, 8> args(call->arguments());
  Sema::ContextRAII inside(sema,
                           where ? where : context.getTranslationUnitDecl(),
                           /*NewThisContext=*/false);
  EnterExpressionEvaluationContext evaluated(
      sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  for (Expr *&arg : args) {
    auto [function, type] = constantAddress(context, wrapped(arg));
    if (!function || (!tmpl && !(tmpl = knownTemplate(context))))
      continue;
    if (Expr *object = known(sema, tmpl, function, type, arg->getExprLoc()))
      arg = object;
  }
  CallExpr *made = tmpl ? callWith(sema, call, args) : nullptr;
  if (!made)
    return;
  call->setCallee(made->getCallee());
  for (unsigned i = 0; i < made->getNumArgs(); ++i)
    call->setArg(i, made->getArg(i));
}

} // namespace xcc
