// Arguments that forwarding through launch would lose
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchArguments.h"
#include "CallParameters.h"
#include "FunctionObjects.h"
#include "HeaderTemplates.h"
#include "KernelFinder.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// The argument before it was bound to launch's reference. Keeps the node that
/// destroys a temporary.
Expr *unbound(Expr *arg) {
  while (true) {
    if (auto *temp = dyn_cast<MaterializeTemporaryExpr>(arg))
      arg = temp->getSubExpr();
    else if (auto *cleanups = dyn_cast<ExprWithCleanups>(arg))
      arg = cleanups->getSubExpr();
    else
      return arg;
  }
}

/// Whether launch's own reference to the argument initialises the parameter.
bool carries(Sema &sema, ParmVarDecl *param, Expr *arg) {
  auto *forwarded = new (sema.Context)
      OpaqueValueExpr(arg->getExprLoc(), arg->getType(),
                      arg->isLValue() ? VK_LValue : VK_XValue);
  Sema::SFINAETrap quiet(sema);
  return sema.CanPerformCopyInitialization(
             InitializedEntity::InitializeParameter(sema.Context, param),
             forwarded) &&
         !quiet.hasErrorOccurred();
}

QualType deducedFor(ASTContext &context, const Expr *arg) {
  QualType type = context.getCanonicalType(arg->getType());
  return arg->isLValue() ? context.getLValueReferenceType(type) : type;
}

/// The class of an argument that the call would construct directly as the
/// parameter, whereas launch would have to copy or move it; or null.
const CXXRecordDecl *madeInPlace(const ParmVarDecl *param, const Expr *given) {
  const CXXRecordDecl *record = param && given->isPRValue()
                                    ? param->getType()->getAsCXXRecordDecl()
                                    : nullptr;
  return record && !record->canPassInRegisters() &&
                 declaresSameEntity(record,
                                    given->getType()->getAsCXXRecordDecl())
             ? record
             : nullptr;
}

/// Builds xcc::detail::prvalue<T>{made}; null if the header has no such class.
Expr *inPlace(Sema &sema, Expr *made, const CXXRecordDecl *record) {
  ASTContext &context = sema.Context;
  SourceLocation at = made->getExprLoc();
  QualType type = context.getCanonicalTagType(record);
  auto *tmpl =
      detailMember<ClassTemplateDecl>(xccNamespace(context), "prvalue");
  QualType around =
      tmpl ? completeSpecialization(sema, tmpl, type, at) : QualType();
  if (around.isNull())
    return nullptr;
  ExprResult list = sema.BuildInitList(at, made, at);
  if (list.isInvalid())
    return nullptr;
  Expr *init = list.get();
  ExprResult result = sema.BuildCXXTypeConstructExpr(
      context.getTrivialTypeSourceInfo(around, at), at, init, at,
      /*ListInitialization=*/true);
  return result.isUsable() ? result.get() : nullptr;
}

/// launch's specialization for these argument types, its last pack.
FunctionDecl *launchFor(Sema &sema, const FunctionDecl *launch,
                        llvm::ArrayRef<TemplateArgument> types,
                        SourceLocation at) {
  const TemplateArgumentList *given = launch->getTemplateSpecializationArgs();
  FunctionTemplateDecl *tmpl = launch->getPrimaryTemplate();
  if (!given || !tmpl)
    return nullptr;
  llvm::SmallVector<TemplateArgument, 4> args(given->asArray());
  for (TemplateArgument &arg : llvm::reverse(args))
    if (arg.getKind() == TemplateArgument::Pack) {
      arg = TemplateArgument::CreatePackCopy(sema.Context, types);
      break;
    }
  return sema.InstantiateFunctionDeclaration(
      tmpl, TemplateArgumentList::CreateCopy(sema.Context, args), at);
}

} // namespace

bool isLaunch(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee && callee->hasAttrs() &&
         isAnnotated(callee, annotation::Launch);
}

const ParmVarDecl *forwardedKernel(const Expr *arg) {
  while (true) {
    arg = arg->IgnoreParenCasts();
    if (const auto *temp = dyn_cast<MaterializeTemporaryExpr>(arg)) {
      arg = temp->getSubExpr();
    } else if (const auto *unary = dyn_cast<UnaryOperator>(arg);
               unary && (unary->getOpcode() == UO_AddrOf ||
                         unary->getOpcode() == UO_Deref)) {
      arg = unary->getSubExpr();
    } else if (const auto *call = dyn_cast<CallExpr>(arg);
               call &&
               (call->isCallToStdMove() ||
                call->getBuiltinCallee() == Builtin::BIforward) &&
               call->getNumArgs() == 1) {
      arg = call->getArg(0);
    } else {
      break;
    }
  }
  const auto *ref = dyn_cast<DeclRefExpr>(arg);
  const auto *param = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
  return param && param->hasAttrs() && isAnnotated(param, annotation::Kernel)
             ? param
             : nullptr;
}

Expr *kernelCallee(Sema &sema, const CallExpr *call, unsigned param) {
  ASTContext &context = sema.Context;
  const Expr *arg = call->getArg(param);
  SourceLocation at = arg->getExprLoc();
  QualType type = arg->getType();
  if (type->isFunctionPointerType() || type->isFunctionType()) {
    if (FunctionDecl *fn = constantFunction(context, arg))
      return fn->isVariadic()
                 ? nullptr
                 : sema.BuildDeclRefExpr(fn, fn->getType(), VK_LValue, at);
    if (!forwardedKernel(arg))
      return nullptr;
    return new (context) OpaqueValueExpr(
        at, type, type->isFunctionType() ? VK_LValue : VK_PRValue);
  }
  return nullptr;
}

Expr *writtenIn(Expr *arg) {
  const CXXRecordDecl *record = arg->getType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() || record->getName() != "prvalue" ||
      !isa<ClassTemplateSpecializationDecl>(record))
    return arg;
  Expr *inside = arg;
  while (true) {
    inside = inside->IgnoreParenCasts();
    if (auto *temp = dyn_cast<MaterializeTemporaryExpr>(inside))
      inside = temp->getSubExpr();
    else if (auto *full = dyn_cast<FullExpr>(inside))
      inside = full->getSubExpr();
    else if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(inside))
      inside = bind->getSubExpr();
    else
      break;
  }
  auto *list = dyn_cast<InitListExpr>(inside);
  return list && list->getNumInits() == 1 ? list->getInit(0) : arg;
}

Expr *argumentFor(Sema &sema, const Expr *callee, Expr *arg) {
  const CXXRecordDecl *object = callee->getType()->getAsCXXRecordDecl();
  const auto *made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      arg->getType()->getAsCXXRecordDecl());
  if (!object || !made || !made->getIdentifier())
    return arg;
  bool value = made->getName() == "constant_value";
  if (!value && !isAnnotated(made->getSpecializedTemplate()->getTemplatedDecl(),
                             annotation::StatesDirections))
    return arg;
  const CXXMethodDecl *only = onlyCallOperator(object);
  if (only && !only->getDescribedFunctionTemplate())
    return arg;
  return new (sema.Context) OpaqueValueExpr(
      arg->getExprLoc(), made->getTemplateArgs().get(0).getAsType(),
      value ? VK_XValue : VK_LValue);
}

Expr *completeLaunch(Sema &sema, CallExpr *call, unsigned param,
                     DeclContext *where) {
  FunctionDecl *launch = call->getDirectCallee();
  ASTContext &context = sema.Context;
  Sema::ContextRAII inside(sema,
                           where ? where : context.getTranslationUnitDecl(),
                           /*NewThisContext=*/false);
  EnterExpressionEvaluationContext evaluated(
      sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);

  llvm::SmallVector<Expr *, 8> given;
  for (unsigned i = param + 1; i < call->getNumArgs(); ++i)
    given.push_back(unbound(call->getArg(i)));
  llvm::SmallVector<Expr *, 2> callees;
  if (call->getArg(param)->getType()->isRecordType())
    callees = calledAs(context, call->getArg(param));
  else if (Expr *callee = kernelCallee(sema, call, param))
    callees.push_back(callee);
  CallExpr *made = nullptr;
  bool stated = false;
  for (Expr *callee : callees) {
    llvm::SmallVector<Expr *, 8> meant;
    for (Expr *arg : given) {
      meant.push_back(argumentFor(sema, callee, arg));
      stated |= meant.back() != arg;
    }
    if ((made = quietCall(sema, callee, meant, call->getRParenLoc())))
      break;
  }
  if (!made)
    return nullptr;
  // The first argument of an operator's call is the object, except for an
  // explicit object parameter.
  unsigned first = 0;
  FunctionDecl *fn = made->getDirectCallee();
  if (isa<CXXOperatorCallExpr>(made))
    first = fn && fn->hasCXXExplicitFunctionObjectParameter() ? 0 : 1;
  unsigned object = isa<CXXOperatorCallExpr>(made) ? 1 : 0;
  if (made->getNumArgs() < given.size() + object)
    return nullptr;

  llvm::SmallVector<Expr *, 8> args;
  llvm::SmallVector<TemplateArgument, 8> types;
  bool differs = false;
  for (unsigned i = object; i < made->getNumArgs(); ++i) {
    Expr *written = i - object < given.size()
                        ? call->getArg(param + 1 + i - object)
                        : nullptr;
    ParmVarDecl *p = nullptr;
    if (fn && i - first < fn->getNumParams())
      p = fn->getParamDecl(i - first);
    Expr *arg = written;
    Expr *source = written ? given[i - object] : made->getArg(i);
    if (const CXXRecordDecl *record = madeInPlace(p, source))
      if (Expr *wrapped = inPlace(sema, source, record)) {
        args.push_back(wrapped);
        types.push_back(TemplateArgument(deducedFor(context, wrapped)));
        differs = true;
        continue;
      }
    if (!written || (p && !carries(sema, p, written))) {
      if (written && stated)
        return nullptr;
      arg = made->getArg(i);
      differs = true;
    }
    args.push_back(arg);
    types.push_back(TemplateArgument(deducedFor(context, arg)));
  }
  if (!differs)
    return nullptr;

  SourceLocation at = call->getExprLoc();
  FunctionDecl *other = launchFor(sema, launch, types, at);
  if (!other)
    return nullptr;
  llvm::SmallVector<Expr *, 8> all(call->arguments().begin(),
                                   call->arguments().begin() + param + 1);
  for (Expr *arg : args) {
    ParmVarDecl *p = other->getParamDecl(all.size());
    ExprResult bound = sema.PerformCopyInitialization(
        InitializedEntity::InitializeParameter(context, p), at, arg);
    if (bound.isInvalid())
      return nullptr;
    all.push_back(bound.get());
  }
  sema.MarkFunctionReferenced(at, other);
  Expr *complete = CallExpr::Create(context, nameOf(context, other, at), all,
                                    call->getType(), VK_PRValue,
                                    call->getRParenLoc(), FPOptionsOverride());
  return sema.MaybeCreateExprWithCleanups(complete);
}

} // namespace xcc
