// Checks whether a call of a kernel that is an object is valid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostAddresses.h"
#include "LaunchCalls.h"
#include "LaunchCheck.h"
#include "Names.h"
#include "Report.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/find/LaunchArguments.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

constexpr auto Error = DiagnosticsEngine::Error;
constexpr auto Note = DiagnosticsEngine::Note;

/// The number of indices that a parallel_for's body is called with: the
/// dimensions of the range before it. A number has one, extents<N> has N.
unsigned dimensionsOfLoop(const CallExpr *call, unsigned body) {
  if (!body)
    return 1;
  QualType range = call->getDirectCallee()->getParamDecl(body - 1)->getType();
  const auto *extents = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      range.getNonReferenceType()->getAsCXXRecordDecl());
  if (!extents || !extents->getTemplateArgs().size() ||
      extents->getTemplateArgs()[0].getKind() != TemplateArgument::Integral)
    return 1;
  return extents->getTemplateArgs()[0].getAsIntegral().getZExtValue();
}

/// Whether a call makes a kernel for later launches: xcc::jit::kernel.
bool isGenerating(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  const auto *scope =
      callee ? dyn_cast<NamespaceDecl>(callee->getDeclContext()) : nullptr;
  return scope && scope->getIdentifier() && scope->getName() == "jit" &&
         callee->getIdentifier() && callee->getName() == "kernel";
}

} // namespace

bool LaunchCheck::objectKernel(const FunctionDecl *entry, SourceLocation at) {
  QualType object = objectOf(entry);
  if (!isComplete(object, at, "the function object", at))
    return false;
  auto params = entryParameters(entry);
  for (const EntryParameter &param : params)
    if (!isComplete(param.type, at, "a parameter", at))
      return false;
  const CXXRecordDecl *record = object->getAsCXXRecordDecl();
  if (!diagnose || !record || rejected.contains(record->getCanonicalDecl()) ||
      !copies.object(record->getDefinition(), at))
    return true;

  const CXXMethodDecl *only = onlyCallOperator(record);
  unsigned number = 0;
  for (const EntryParameter &param : params) {
    const ParmVarDecl *named = only && number < only->getNumNonObjectParams()
                                   ? only->getNonObjectParameter(number)
                                   : nullptr;
    ++number;
    std::string what = named && named->getIdentifier()
                           ? "parameter '" + named->getNameAsString() + "'"
                           : "parameter " + std::to_string(number);
    SourceLocation declared = named ? named->getLocation() : at;
    // A template's, or an overload's, parameter types are those of the call.
    if (named && !only->getDescribedFunctionTemplate()
            ? !copies.parameter(what, named->getType(), declared, at)
        : param.threadOwn ? !copies.parameter(what, param.type, declared, at)
                          : !param.type->isReferenceType() &&
                                !copies.check(what, param.type, declared, at))
      return true;
    if (separate && (!named || only->getDescribedFunctionTemplate()))
      mapping.check(what, param.type, declared, at);
  }
  checkThreadsCall(entry, at);
  return true;
}

/// Checks whether the entry's body can call the object as detail::call does.
void LaunchCheck::checkThreadsCall(const FunctionDecl *entry,
                                   SourceLocation at) {
  ASTContext &context = sema.getASTContext();
  QualType named = entry->getTemplateSpecializationArgs()->get(0).getAsType();
  QualType object = objectOf(entry);
  auto params = entryParameters(entry);
  llvm::SmallVector<Expr *, 8> args;
  for (const auto &[each, threadOwn] : params) {
    args.push_back(new (context) OpaqueValueExpr(
        at,
        each->isReferenceType() ? each.getNonReferenceType()
        : threadOwn             ? each.getUnqualifiedType()
                                : each.getUnqualifiedType().withConst(),
        threadOwn || (each->isRValueReferenceType() &&
                      !each->getPointeeType()->isFunctionType())
            ? VK_XValue
            : VK_LValue));
  }
  auto works = [&](QualType type, ExprValueKind kind) {
    return quietCall(new (context) OpaqueValueExpr(at, type, kind), args);
  };
  auto call = [&](QualType type, ExprValueKind kind) {
    EnterExpressionEvaluationContext unevaluated(
        sema, Sema::ExpressionEvaluationContext::Unevaluated);
    sema.BuildCallExpr(/*Scope=*/nullptr,
                       new (context) OpaqueValueExpr(at, type, kind), at, args,
                       at);
  };
  // If a thread cannot copy an argument that is passed by value, report that.
  auto explain = [&](QualType type, ExprValueKind kind) {
    unsigned number = 0;
    for (const EntryParameter &param : params)
      if (!copies.parameter("parameter " + std::to_string(++number), param.type,
                            at, at))
        return;
    call(type, kind);
  };
  bool shared = false;
  if (named->isReferenceType()) {
    QualType type = named->getPointeeType();
    ExprValueKind kind = named->isLValueReferenceType() ? VK_LValue : VK_XValue;
    if (!works(type, kind)) {
      explain(type, kind);
      return;
    }
    shared = type.isConstQualified();
  } else {
    shared = works(object.withConst(), VK_LValue);
    if (!shared && !works(object, VK_LValue) && !works(object, VK_XValue)) {
      explain(object, VK_LValue);
      return;
    }
  }
  if (!shared)
    checkThreadsCopy(object, at);
}

/// Reports if threads cannot have copies of the object.
void LaunchCheck::checkThreadsCopy(QualType object, SourceLocation at) {
  if (copies.isCopied(object, at, /*direct=*/true))
    return;
  const CXXRecordDecl *record = object->getAsCXXRecordDecl();
  const CXXMethodDecl *only = onlyCallOperator(record);
  report(sema, Error, at,
         "each thread calls a copy of its own of %0, which cannot be copied "
         "from a constant")
      << (record->isLambda() ? "the lambda"
                             : "'" + record->getNameAsString() + "'");
  report(sema, Note, only ? only->getLocation() : record->getLocation(),
         "declared here; threads share an object whose call operator is const");
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
  SourceLocation at = call->getArg(param)->getExprLoc();
  if (!copies.object(record, at))
    return;
  unsigned before = sema.getDiagnostics().getNumErrors();
  checkMapping(call, param, record, at);
  if (isLaunch(call))
    checkObjectLaunch(call, param, record);
  else
    checkObject(call, param, record);
  if (sema.getDiagnostics().getNumErrors() != before)
    rejected.insert(record->getCanonicalDecl());
}

/// Checks an object that is not launched with the user's arguments.
void LaunchCheck::checkObject(CallExpr *call, unsigned param,
                              const CXXRecordDecl *record) {
  ASTContext &context = sema.getASTContext();
  Expr *arg = call->getArg(param);
  SourceLocation at = arg->getExprLoc();
  if (!needsDescriptorOnly(call) && !isGenerating(call)) {
    if (!isParallelFor(call))
      return;
    // If threads cannot share the body, each calls a copy of its own.
    QualType body = context.getCanonicalTagType(record);
    SmallVector<Expr *, 3> indices;
    for (unsigned left = dimensionsOfLoop(call, param); left; --left)
      indices.push_back(
          new (context) OpaqueValueExpr(at, context.getSizeType(), VK_PRValue));
    if (!quietCall(new (context)
                       OpaqueValueExpr(at, body.withConst(), VK_LValue),
                   indices) &&
        checkCall(new (context) OpaqueValueExpr(at, body, VK_XValue), indices))
      checkThreadsCopy(body, at);
    return;
  }
  const TemplateArgumentList *args =
      call->getDirectCallee()->getTemplateSpecializationArgs();
  if (!args || !args->size() ||
      args->get(0).getKind() != TemplateArgument::Pack)
    return;
  llvm::StringRef as =
      isGenerating(call) ? "xcc::jit::kernel" : "kernel_info_for";
  const CXXMethodDecl *only = onlyCallOperator(record);
  if (args->get(0).pack_size() == 0 &&
      (!only || only->getDescribedFunctionTemplate()) &&
      !quietCall(calledAs(context, arg).back(), {})) {
    if (callOperators(record).empty() && !only &&
        record->getVisibleConversionFunctions().empty()) {
      checkCall(arg, {});
      return;
    }
    report(sema, Error, at, "the parameter types of %0 are not known here")
        << (record->isLambda() ? "a generic lambda"
                               : "'" + record->getNameAsString() + "'")
        << arg->getSourceRange();
    report(sema, Note, at, "name them, as in %0<int, float *>(lambda)") << as;
    return;
  }
  checkNamedTypes(arg, args->get(0).getPackAsArray(), as);
}

/// Checks an object whose parameter types the user has named.
void LaunchCheck::checkNamedTypes(Expr *object,
                                  llvm::ArrayRef<TemplateArgument> types,
                                  llvm::StringRef as) {
  ASTContext &context = sema.getASTContext();
  SmallVector<Expr *, 8> named, variables;
  std::string references;
  for (const TemplateArgument &each : types) {
    QualType type = each.getAsType();
    if (type->isVoidType())
      return;
    QualType value = type.getNonReferenceType();
    bool refers = type->isLValueReferenceType() || type->isFunctionType();
    auto made = [&](ExprValueKind kind) {
      return new (context) OpaqueValueExpr(object->getExprLoc(), value, kind);
    };
    named.push_back(made(refers ? VK_LValue : VK_XValue));
    variables.push_back(made(VK_LValue));
    references += (references.empty() ? "" : ", ") +
                  context.getLValueReferenceType(value).getAsString(
                      context.getPrintingPolicy());
  }
  auto forms = calledAs(context, object);
  auto taken = [&](llvm::ArrayRef<Expr *> args) {
    return llvm::any_of(
        forms, [&](Expr *form) { return quietCall(form, args) != nullptr; });
  };
  if (named.empty() || taken(named))
    return;
  if (!taken(variables)) {
    checkCall(object, named);
    return;
  }
  report(
      sema, Error, object->getExprLoc(),
      "a parameter is a reference to its argument, and these types are values")
      << object->getSourceRange();
  report(sema, Note, object->getExprLoc(),
         "name the type as a reference, as in %0<%1>(lambda)")
      << as << references;
}

/// Builds the call without reporting errors; null if it is invalid.
CallExpr *LaunchCheck::quietCall(Expr *callee, llvm::ArrayRef<Expr *> args) {
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  return xcc::quietCall(sema, callee, args, callee->getExprLoc());
}

/// Returns whether the object can be called so; if not, lets Clang report why.
bool LaunchCheck::checkCall(Expr *object, llvm::ArrayRef<Expr *> args) {
  auto forms = calledAs(sema.getASTContext(), object);
  for (Expr *form : forms)
    if (quietCall(form, args))
      return true;
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  llvm::SmallVector<Expr *, 8> given(args);
  SourceLocation at = object->getExprLoc();
  return sema.BuildCallExpr(/*Scope=*/nullptr, forms.front(), at, given, at)
      .isUsable();
}

/// Checks a launch of an object with the launch's arguments.
void LaunchCheck::checkObjectLaunch(CallExpr *call, unsigned param,
                                    const CXXRecordDecl *record) {
  Expr *arg = call->getArg(param);
  SourceLocation at = arg->getExprLoc();
  auto forms = calledAs(sema.getASTContext(), arg);
  Expr *callee = forms.front();
  llvm::SmallVector<Expr *, 8> args;
  for (unsigned i = param + 1; i < call->getNumArgs(); ++i)
    args.push_back(argumentFor(sema, arg, asWritten(call->getArg(i))));
  for (Expr *form : llvm::reverse(forms))
    if (quietCall(form, args))
      callee = form;
  CallExpr *made = checkArguments(call, param, callee);
  if (!made) {
    if (const CXXMethodDecl *only = onlyCallOperator(record);
        only && only->getRefQualifier() == RQ_RValue && arg->isLValue())
      report(sema, Note, at, "pass it as an rvalue, with std::move");
    return;
  }
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(made->getDirectCallee());
  std::string name =
      record->isLambda() ? "the lambda" : "'" + record->getNameAsString() + "'";
  if (!method) {
    // The object converts to a function, and the call is of that function.
    if (!made->getType()->isVoidType())
      report(sema, Error, call->getExprLoc(),
             "a kernel must return void, and %0 returns %1")
          << name << made->getType();
    return;
  }
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
  checkReturn(call, method, name);
}

} // namespace xcc
