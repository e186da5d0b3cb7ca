// Checks whether a call of a kernel is valid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchCheck.h"
#include "HostAddresses.h"
#include "LaunchCalls.h"
#include "Names.h"
#include "Report.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/ConfiguredLaunches.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/find/LaunchArguments.h"
#include "kernels/find/Symbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

constexpr auto Error = DiagnosticsEngine::Error;
constexpr auto Note = DiagnosticsEngine::Note;

/// Whether a reference bound to the expression refers to a temporary.
bool bindsTemporary(const ASTContext &context, const Expr *arg) {
  while (true) {
    arg = arg->IgnoreParenNoopCasts(context);
    if (const auto *byDefault = dyn_cast<CXXDefaultArgExpr>(arg))
      arg = byDefault->getExpr();
    else if (const auto *cleanups = dyn_cast<FullExpr>(arg))
      arg = cleanups->getSubExpr();
    else
      return isa<MaterializeTemporaryExpr>(arg);
  }
}

/// Whether the argument names a consteval function, which has no address.
bool namesImmediate(const Expr *arg) {
  const auto *name = dyn_cast<DeclRefExpr>(arg->IgnoreParenImpCasts());
  const auto *fn = name ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr;
  return fn && fn->isImmediateFunction();
}

} // namespace

Expr *asWritten(Expr *arg) {
  arg = writtenIn(arg);
  while (true) {
    if (auto *temp = dyn_cast<MaterializeTemporaryExpr>(arg))
      arg = temp->getSubExpr();
    else if (auto *cleanups = dyn_cast<ExprWithCleanups>(arg))
      arg = cleanups->getSubExpr();
    else if (auto *bind = dyn_cast<CXXBindTemporaryExpr>(arg))
      arg = bind->getSubExpr();
    else
      return arg;
  }
}

bool isParallelFor(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee && callee->getIdentifier() &&
         callee->getName() == "parallel_for";
}

bool needsDescriptorOnly(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return (callee && callee->getIdentifier() &&
          callee->getName() == "kernel_info_for") ||
         isSymbolCall(call);
}

/// Whether the type is complete; instantiates it if it is a template's. Reports
/// an error if not.
bool LaunchCheck::isComplete(QualType type, SourceLocation at,
                             const llvm::Twine &what, SourceLocation declared) {
  if (type->isReferenceType() || type->isDependentType() ||
      sema.isCompleteType(at, type))
    return true;
  if (!diagnose)
    return false;
  report(sema, Error, at,
         "%0 has the incomplete type %1, and nothing of unknown size can be "
         "passed to a kernel")
      << what.str() << type;
  report(sema, Note, declared,
         "declared here; define the type before the launch");
  return false;
}

/// Whether a function can be a kernel, in any launch.
bool LaunchCheck::canBeKernel(const FunctionDecl *fn, SourceLocation at,
                              SourceRange range) {
  const ASTContext &context = sema.getASTContext();
  if (fn->isVariadic()) {
    if (diagnose) {
      report(sema, Error, at, "a variadic function cannot be a kernel")
          << range;
      report(sema, Note, fn->getLocation(),
             "%0 is declared here; give it a fixed number of parameters, or "
             "make it a template")
          << fn;
    }
    return false;
  }
  for (const ParmVarDecl *param : fn->parameters()) {
    // A va_list is an array of one such record on the host's machine.
    const RecordDecl *to =
        param->getType()->isPointerType()
            ? param->getType()->getPointeeType()->getAsRecordDecl()
            : nullptr;
    if (!to || !to->getIdentifier() || to->getName() != "__va_list_tag")
      continue;
    if (diagnose) {
      report(sema, Error, at,
             "a va_list cannot be passed to a kernel: it is the stack of a "
             "function of the host")
          << range;
      report(sema, Note, param->getLocation(),
             "declared here; read the arguments on the host");
    }
    return false;
  }
  if (const auto *type = fn->getType()->castAs<FunctionProtoType>();
      type->getCallConv() !=
      context.getDefaultCallingConvention(/*IsVariadic=*/false,
                                          /*IsCXXMethod=*/false)) {
    if (diagnose) {
      report(sema, Error, at,
             "a function with the calling convention '%0' cannot be a kernel")
          << FunctionType::getNameForCallConv(type->getCallConv()) << range;
      report(sema, Note, fn->getLocation(),
             "%0 is declared here; launch a lambda that calls it")
          << fn;
    }
    return false;
  }
  for (const ParmVarDecl *p : fn->parameters())
    if (!isComplete(p->getType(), at, "parameter '" + p->getName() + "'",
                    p->getLocation()))
      return false;
  return true;
}

bool LaunchCheck::pointedTo(FunctionDecl *fn, SourceLocation at) {
  if (!canBeKernel(fn, at, at))
    return false;
  if (diagnose && fn->getReturnType()->isVoidType())
    for (const ParmVarDecl *p : fn->parameters())
      if (!copies.parameter("parameter '" + p->getNameAsString() + "'",
                            p->getType(), p->getLocation(), at))
        return false;
  return fn->getReturnType()->isVoidType();
}

FunctionDecl *LaunchCheck::function(CallExpr *call, unsigned param,
                                    FunctionDecl *known) {
  Expr *arg = call->getArg(param);
  SourceLocation at = arg->getExprLoc();
  ASTContext &context = sema.getASTContext();
  FunctionDecl *fn = known ? known : constantFunction(context, arg);
  if (!fn && takesPointer(call->getDirectCallee()->getParamDecl(param)))
    return nullptr;
  if (!fn) {
    // Clang has reported an immediate function.
    if (diagnose && !namesImmediate(arg)) {
      report(sema, Error, at,
             "a kernel must be known at compile time, and this function "
             "pointer is only known at run time")
          << arg->getSourceRange();
      report(sema, Note, at,
             "pass the function's name, make it an 'auto' template parameter, "
             "or call it from a lambda; a function that forwards a kernel "
             "marks its parameter XCC_KERNEL");
    }
    return nullptr;
  }
  if (isParallelFor(call)) {
    if (diagnose) {
      report(sema, Error, at,
             "parallel_for takes a lambda or a function object")
          << arg->getSourceRange();
      report(sema, Note, fn->getLocation(),
             "%0 is declared here; pass a lambda that calls it")
          << fn;
    }
    return nullptr;
  }
  if (!canBeKernel(fn, at, arg->getSourceRange()))
    return nullptr;
  if (!diagnose)
    return fn;
  checkReturn(call, fn, "'" + fn->getNameAsString() + "'");
  for (const ParmVarDecl *p : fn->parameters())
    if (!copies.parameter("parameter '" + p->getNameAsString() + "'",
                          p->getType(), p->getLocation(), at))
      return fn;
  if (!fn->isDefined() && !isAnnotated(fn, annotation::Export) &&
      !(fn->isExternallyVisible() && isConfiguredLaunch(call))) {
    report(sema, Error, at, "kernel %0 is not defined in this translation unit")
        << fn << arg->getSourceRange();
    report(sema, Note, fn->getLocation(),
           "declared here; define it in this file or in the header");
    return fn;
  }
  if (separate && !needsDescriptorOnly(call)) {
    checkHostAddresses(sema, call, param, fn, scoped, warnings);
    checkParameters(fn, at);
  }
  if (isLaunch(call)) {
    EnterExpressionEvaluationContext unevaluated(
        sema, Sema::ExpressionEvaluationContext::Unevaluated);
    ExprResult callee =
        sema.BuildDeclRefExpr(fn, fn->getType(), VK_LValue, arg->getExprLoc());
    checkArguments(call, param, callee.get());
  }
  return fn;
}

void LaunchCheck::forwarded(CallExpr *call, unsigned param) {
  if (!diagnose || !isLaunch(call))
    return;
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  unsigned before = sema.getDiagnostics().getNumErrors();
  if (Expr *callee = kernelCallee(sema, call, param))
    checkArguments(call, param, callee);
  if (sema.getDiagnostics().getNumErrors() == before)
    return;
  report(sema, Note, call->getArg(param)->getExprLoc(),
         "the kernel is known here by its type alone, which has no default "
         "arguments");
}

/// Builds callee(args...) as if the user had written it there, so that Clang
/// reports its errors. Null after an error.
CallExpr *LaunchCheck::checkArguments(CallExpr *call, unsigned param,
                                      Expr *callee) {
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  llvm::SmallVector<Expr *, 8> args;
  for (unsigned i = param + 1; i < call->getNumArgs(); ++i)
    args.push_back(argumentFor(sema, callee, asWritten(call->getArg(i))));
  ExprResult result = sema.BuildCallExpr(
      /*Scope=*/nullptr, callee, call->getArg(param)->getEndLoc(), args,
      call->getRParenLoc());
  if (result.isInvalid())
    return nullptr;
  auto *made = dyn_cast<CallExpr>(result.get()->IgnoreImplicit());
  const FunctionDecl *fn = made ? made->getDirectCallee() : nullptr;
  if (!fn)
    return nullptr;
  // The arguments of a generic closure are stored by value, whatever the
  // closure's parameters are.
  if (fn->getPrimaryTemplate())
    return made;
  // An operator call's first argument is the object.
  unsigned skip = isa<CXXOperatorCallExpr>(made) &&
                          !fn->hasCXXExplicitFunctionObjectParameter()
                      ? 1
                      : 0;
  for (unsigned i = fn->hasCXXExplicitFunctionObjectParameter() ? 1 : 0;
       i < fn->getNumParams(); ++i) {
    const ParmVarDecl *p = fn->getParamDecl(i);
    if (!p->getType()->isReferenceType() || i + skip >= made->getNumArgs() ||
        !bindsTemporary(sema.getASTContext(), made->getArg(i + skip)))
      continue;
    report(sema, Error, made->getArg(i + skip)->getExprLoc(),
           "parameter %0 is a reference, and the temporary it is bound to is "
           "gone when the kernel runs")
        << (p->getIdentifier() ? "'" + p->getNameAsString() + "'"
                               : std::to_string(i + 1));
    report(sema, Note, p->getLocation(),
           "declared here; take the parameter by value, or pass a variable "
           "that lives until the kernel has ended");
    return nullptr;
  }
  return made;
}

void LaunchCheck::checkMapping(const CallExpr *call, unsigned param,
                               const CXXRecordDecl *object, SourceLocation at) {
  if (!separate || needsDescriptorOnly(call))
    return;
  const CXXMethodDecl *method = nullptr;
  for (const CXXMethodDecl *each : object->methods())
    if (each->getOverloadedOperator() == OO_Call &&
        !each->getDescribedFunctionTemplate())
      method = method ? nullptr : each;
  checkHostAddresses(sema, call, param, method, scoped, warnings);
  if (!mappedObjects.insert(object->getCanonicalDecl()).second)
    return;
  if (object->isLambda()) {
    mapping.captures(object, at);
  } else {
    for (const CXXBaseSpecifier &base : object->bases())
      mapping.check("base '" + base.getType().getAsString() + "'",
                    base.getType(), base.getBeginLoc(), at);
    for (const FieldDecl *field : object->fields())
      mapping.check("member '" + field->getNameAsString() + "'",
                    field->getType(), field->getLocation(), at);
  }
  if (method)
    checkParameters(method, at);
}

void LaunchCheck::checkParameters(const FunctionDecl *kernel,
                                  SourceLocation at) {
  for (const ParmVarDecl *param : kernel->parameters())
    mapping.check("parameter '" + param->getNameAsString() + "'",
                  param->getType(), param->getLocation(), at);
}

void LaunchCheck::checkReturn(CallExpr *call, const FunctionDecl *fn,
                              const std::string &name) {
  QualType result = fn->getReturnType();
  if (result->isVoidType() || result->isDependentType() ||
      result->isUndeducedType())
    return;
  report(sema, Error, call->getExprLoc(),
         "a kernel must return void, and %0 returns %1")
      << name << result;
  report(sema, Note, fn->getLocation(),
         "declared here; write the result through a pointer parameter instead");
}

void LaunchCheck::sameSymbol(SourceLocation at, SourceLocation first) {
  if (!diagnose)
    return;
  report(sema, Error, at,
         "this kernel has the same name as another: both are written at the "
         "same place");
  report(sema, Note, first,
         "the other is launched here; make one of them a function object with "
         "a name, or write it in a line of its own");
}

void LaunchCheck::notAKernel(CallExpr *call, unsigned param) {
  if (!diagnose)
    return;
  Expr *arg = call->getArg(param);
  if (arg->getType()->isMemberFunctionPointerType()) {
    const CXXMethodDecl *method = nullptr;
    Expr::EvalResult result;
    if (arg->EvaluateAsRValue(result, sema.getASTContext()) &&
        result.Val.isMemberPointer())
      method =
          dyn_cast_or_null<CXXMethodDecl>(result.Val.getMemberPointerDecl());
    if (method && method->isVirtual())
      report(sema, Error, arg->getExprLoc(),
             "a virtual function cannot be a kernel")
          << arg->getSourceRange();
    else
      report(sema, Error, arg->getExprLoc(),
             "a non-static member function cannot be a kernel")
          << arg->getSourceRange();
    report(sema, Note, method ? method->getLocation() : arg->getExprLoc(),
           "launch a static member function, or a lambda that holds the object "
           "and calls it");
    return;
  }
  report(sema, Error, arg->getExprLoc(), "%0 cannot be a kernel")
      << arg->getType() << arg->getSourceRange();
  report(sema, Note, arg->getExprLoc(),
         "a kernel is a function, a lambda or a function object");
}

} // namespace xcc
