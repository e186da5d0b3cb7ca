// Calls of host functions in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostCalls.h"
#include "HostEntries.h"
#include "Names.h"
#include "kernels/check/Report.h"
#include "kernels/find/FunctionAttribute.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/find/KernelFinder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace xcc {
namespace {

/// The attribute [[xcc::host]], to which XCC_HOST expands.
struct HostAttr : FunctionAttribute {
  HostAttr() {
    static constexpr Spelling spellings[] = {
        {ParsedAttr::AS_CXX11, "xcc::host"}};
    Spellings = spellings;
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    return annotate(sema, decl, attr, annotation::Host);
  }
};

ParsedAttrInfoRegistry::Add<HostAttr>
    registration("xcc-host", "a function that runs on the host");

std::optional<unsigned> functionParam(const FunctionDecl *callee) {
  for (unsigned i = 0, n = callee->getNumParams(); i < n; ++i) {
    const ParmVarDecl *param = callee->getParamDecl(i);
    if (param->hasAttrs() && isAnnotated(param, annotation::HostFunction))
      return i;
  }
  return std::nullopt;
}

void prepareMarked(Sema &sema, CallExpr *call, FunctionDecl *fn, bool device) {
  ASTContext &context = sema.getASTContext();
  SourceLocation at = call->getExprLoc();
  const auto *method = dyn_cast<CXXMethodDecl>(fn);
  if (method && method->isInstance()) {
    if (!device) {
      report(sema, DiagnosticsEngine::Error, at,
             "a member function that needs an object cannot be marked as one "
             "that runs on the host");
      report(sema, DiagnosticsEngine::Note, fn->getLocation(),
             "%0 is declared here; make it static, or call it in a lambda "
             "that xcc::host_call runs")
          << fn;
    }
    return;
  }
  auto types = messageTypes(context, fn, call, 0);
  if (!instantiateForHost(sema, "host_entry", fn, types, at) || !device)
    return;
  FunctionDecl *stub = instantiateForHost(sema, "host_function", fn, types, at);
  if (!stub)
    return;
  sema.MarkFunctionReferenced(at, stub);
  call->setCallee(nameOf(context, stub, at));
}

void prepareHostCallOf(Sema &sema, CallExpr *call, unsigned param,
                       bool device) {
  ASTContext &context = sema.getASTContext();
  Expr *arg = call->getArg(param);
  if (!arg->getType()->isFunctionPointerType())
    return; // The header names an object's entry.
  FunctionDecl *fn = constantFunction(context, arg);
  if (fn && isAnnotated(fn, annotation::HostEntry))
    return; // The call has been prepared already.
  const auto *ref = dyn_cast<DeclRefExpr>(arg->IgnoreParenImpCasts());
  if (ref && isa<ParmVarDecl>(ref->getDecl()) &&
      isAnnotated(ref->getDecl(), annotation::HostFunction))
    return;
  if (!fn) {
    if (!device) {
      report(sema, DiagnosticsEngine::Error, arg->getExprLoc(),
             "a function that the host is to run must be known at compile "
             "time, and this pointer is only known at run time")
          << arg->getSourceRange();
      report(sema, DiagnosticsEngine::Note, arg->getExprLoc(),
             "pass the function's name, or a lambda that calls through the "
             "pointer");
    }
    return;
  }
  FunctionDecl *entry = instantiateForHost(
      sema, "host_entry", fn, messageTypes(context, fn, call, param + 1),
      arg->getExprLoc());
  if (!entry || !device)
    return;
  sema.MarkFunctionReferenced(arg->getExprLoc(), entry);
  Expr *name = nameOf(context, entry, arg->getExprLoc());
  call->setArg(param, ImplicitCastExpr::Create(
                          context, arg->getType(), CK_BitCast, name, nullptr,
                          VK_PRValue, FPOptionsOverride()));
}

} // namespace

bool isHostCall(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee &&
         ((callee->hasAttrs() && isAnnotated(callee, annotation::Host)) ||
          functionParam(callee));
}

void prepareHostCall(Sema &sema, CallExpr *call) {
  FunctionDecl *callee = call->getDirectCallee();
  bool device = sema.getLangOpts().SYCLIsDevice;
  if (auto param = functionParam(callee)) {
    if (*param < call->getNumArgs())
      prepareHostCallOf(sema, call, *param, device);
  } else {
    prepareMarked(sema, call, callee, device);
  }
}

} // namespace xcc
