// Is this call of a kernel right?
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchCheck.h"
#include "HostAddresses.h"
#include "KernelFinder.h"
#include "LaunchArguments.h"
#include "Names.h"
#include "Report.h"
#include "Symbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

constexpr auto Error = DiagnosticsEngine::Error;
constexpr auto Note = DiagnosticsEngine::Note;

/// The expression as the user wrote it, without what binding it added.
Expr *written(Expr *arg) {
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

/// A call that asks for the descriptor alone launches nothing.
bool asksOnly(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return (callee && callee->getIdentifier() &&
          callee->getName() == "kernel_info_for") ||
         isSymbolCall(call);
}

} // namespace

/// Also instantiates the type, where it is a template's.
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

bool LaunchCheck::object(QualType object, llvm::ArrayRef<TemplateArgument> args,
                         SourceLocation at) {
  if (!isComplete(object, at, "the function object", at))
    return false;
  for (const TemplateArgument &arg : args)
    if (!isComplete(arg.getAsType(), at, "a parameter", at))
      return false;
  return true;
}

FunctionDecl *LaunchCheck::function(CallExpr *call, unsigned param,
                                    FunctionDecl *known) {
  Expr *arg = call->getArg(param);
  SourceLocation at = arg->getExprLoc();
  ASTContext &context = sema.getASTContext();
  FunctionDecl *fn = known ? known : constantFunction(context, arg);
  if (!fn) {
    if (diagnose) {
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
  if (fn->isVariadic()) {
    if (diagnose) {
      report(sema, Error, at, "a variadic function cannot be a kernel")
          << arg->getSourceRange();
      report(sema, Note, fn->getLocation(),
             "%0 is declared here; give it a fixed number of parameters, or "
             "make it a template")
          << fn;
    }
    return nullptr;
  }
  for (const ParmVarDecl *p : fn->parameters())
    if (!isComplete(p->getType(), at, "parameter '" + p->getName() + "'",
                    p->getLocation()))
      return nullptr;
  if (!diagnose)
    return fn;
  checkReturn(call, fn, "'" + fn->getNameAsString() + "'");
  for (const ParmVarDecl *p : fn->parameters())
    if (!p->getType()->isReferenceType() &&
        !checkCopyable(p->getType(), at, "parameter '" + p->getName() + "'",
                       p->getLocation()))
      return fn;
  if (!fn->isDefined() && !isAnnotated(fn, annotation::Export)) {
    report(sema, Error, at, "kernel %0 is not defined in this translation unit")
        << fn << arg->getSourceRange();
    report(sema, Note, fn->getLocation(),
           "declared here; define it in this file or in the header");
    return fn;
  }
  if (separate && !asksOnly(call)) {
    checkHostAddresses(sema, call, param, fn, warnings);
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

/// Builds callee(args...) as if the user had written it there: what is wrong
/// with it is then said in Clang's own words. Null after an error.
CallExpr *LaunchCheck::checkArguments(CallExpr *call, unsigned param,
                                      Expr *callee) {
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  llvm::SmallVector<Expr *, 8> args;
  for (unsigned i = param + 1; i < call->getNumArgs(); ++i)
    args.push_back(written(call->getArg(i)));
  ExprResult result = sema.BuildCallExpr(
      /*Scope=*/nullptr, callee, call->getArg(param)->getEndLoc(), args,
      call->getRParenLoc());
  if (result.isInvalid())
    return nullptr;
  auto *made = dyn_cast<CallExpr>(result.get()->IgnoreImplicit());
  const FunctionDecl *fn = made ? made->getDirectCallee() : nullptr;
  if (!fn)
    return nullptr;
  // A generic closure's arguments are stored by value, whatever it takes.
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
           "parameter '%0' is a reference, and the temporary it is bound to is "
           "gone when the kernel runs")
        << p->getName();
    report(sema, Note, p->getLocation(),
           "declared here; take the parameter by value, or pass a variable "
           "that lives until the kernel has ended");
    return nullptr;
  }
  return made;
}

void LaunchCheck::checkMapping(const CallExpr *call, unsigned param,
                               const CXXRecordDecl *object, SourceLocation at) {
  if (!separate || asksOnly(call))
    return;
  const CXXMethodDecl *method = nullptr;
  for (const CXXMethodDecl *each : object->methods())
    if (each->getOverloadedOperator() == OO_Call &&
        !each->getDescribedFunctionTemplate())
      method = method ? nullptr : each;
  checkHostAddresses(sema, call, param, method, warnings);
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

void LaunchCheck::object(CallExpr *call, unsigned param,
                         const CXXRecordDecl *record) {
  if (!diagnose)
    return;
  if (!record->hasDefinition()) {
    isComplete(call->getArg(param)->getType(),
               call->getArg(param)->getExprLoc(), "the function object",
               record->getLocation());
    return;
  }
  record = record->getDefinition();
  ASTContext &context = sema.getASTContext();
  Expr *arg = call->getArg(param);
  SourceLocation at = arg->getExprLoc();

  bool first = checkedObjects.insert(record->getCanonicalDecl()).second;
  if (first) {
    auto capture = record->isLambda() ? record->captures_begin() : nullptr;
    for (const FieldDecl *field : record->fields()) {
      std::string what = ("member '" + field->getName() + "'").str();
      SourceLocation declared = field->getLocation();
      if (record->isLambda()) {
        what = "capture";
        if (capture->capturesVariable())
          what =
              ("capture '" + capture->getCapturedVar()->getName() + "'").str();
        declared = capture->getLocation();
        ++capture;
      }
      if (!field->getType()->isReferenceType() &&
          !checkCopyable(field->getType(), at, what, declared)) {
        refused.insert(record->getCanonicalDecl());
        return;
      }
    }
    QualType type = context.getCanonicalTagType(record);
    if (!record->isLambda() &&
        !checkCopyable(type, at, "function object", record->getLocation()))
      return;
  }
  if (!refused.contains(record->getCanonicalDecl()))
    checkMapping(call, param, record, at);
  if (!first && !isLaunch(call))
    return;

  if (!isLaunch(call)) {
    // kernel_info_for of a generic closure: the types must be named.
    const FunctionDecl *callee = call->getDirectCallee();
    if (record->isGenericLambda() && callee->getIdentifier() &&
        callee->getName() == "kernel_info_for") {
      const TemplateArgumentList *args =
          callee->getTemplateSpecializationArgs();
      if (args && args->size() &&
          args->get(0).getKind() == TemplateArgument::Pack &&
          args->get(0).pack_size() == 0) {
        report(sema, Error, at,
               "the parameter types of a generic lambda are not known here")
            << arg->getSourceRange();
        report(sema, Note, at,
               "name them, as in kernel_info_for<int, float *>(lambda)");
      }
    }
    return;
  }

  auto *value = new (context)
      OpaqueValueExpr(at, context.getCanonicalTagType(record), VK_LValue);
  if (CallExpr *made = checkArguments(call, param, value))
    if (const auto *method =
            dyn_cast_or_null<CXXMethodDecl>(made->getDirectCallee())) {
      if (method->isVirtual()) {
        report(sema, Error, at, "a virtual function cannot be a kernel")
            << arg->getSourceRange();
        report(sema, Note, method->getLocation(),
               "declared here; launch a lambda that calls it on an object made "
               "on the device");
        return;
      }
      if (method->isVariadic()) {
        report(sema, Error, at, "a variadic function cannot be a kernel")
            << arg->getSourceRange();
        report(sema, Note, method->getLocation(),
               "declared here; give it a fixed number of parameters");
        return;
      }
      checkReturn(call, method,
                  record->isLambda() ? "the lambda"
                                     : "'" + record->getNameAsString() + "'");
    }
}

bool LaunchCheck::checkCopyable(QualType type, SourceLocation at,
                                const llvm::Twine &what,
                                SourceLocation declared) {
  if (type->isDependentType() || !type->isRecordType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return true;
  record = record->getDefinition();
  // A closure inside another, as parallel_for makes it: said once is enough.
  if (refused.contains(record->getCanonicalDecl()))
    return false;
  const char *reason = nullptr;
  if (record->isPolymorphic())
    reason = "has virtual functions";
  else if (!record->hasTrivialDestructor())
    reason = "has a non-trivial destructor";
  else if (!record->hasTrivialCopyConstructor() &&
           !record->hasTrivialMoveConstructor())
    reason = "has a non-trivial copy constructor";
  if (!reason)
    return true;
  PrintingPolicy policy = sema.getASTContext().getPrintingPolicy();
  policy.SuppressTagKeyword = true;
  report(sema, Error, at,
         "%0 of type '%1' cannot be copied to a device: the type %2")
      << what.str() << type.getUnqualifiedType().getAsString(policy) << reason;
  report(sema, Note, declared,
         "declared here; pass a pointer or std::span to its elements, or only "
         "the values that the kernel needs");
  return false;
}

void LaunchCheck::sameSymbol(SourceLocation at, SourceLocation first) {
  if (!diagnose)
    return;
  report(sema, Error, at,
         "this kernel cannot be told from another: both are written at the "
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
