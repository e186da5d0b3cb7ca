// Entries that -foffload-host-calls makes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GeneratedEntries.h"
#include "HostEntries.h"
#include "kernels/check/Report.h"
#include "kernels/find/HeaderTemplates.h"
#include "targets/Target.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace clang;

namespace xcc {
namespace {

/// Names a pointer in an object of the type, which would be invalid on the
/// other side; empty if there is none.
std::string pointerIn(QualType type) {
  type = type.getCanonicalType();
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return pointerIn(array->getElementType());
  if (type->isAnyPointerType() || type->isReferenceType() ||
      type->isMemberPointerType())
    return "a pointer";
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return "";
  for (const CXXBaseSpecifier &base : record->bases())
    if (std::string found = pointerIn(base.getType()); !found.empty())
      return found;
  for (const FieldDecl *field : record->fields())
    if (!pointerIn(field->getType()).empty())
      return "the pointer '" + field->getNameAsString() + "'";
  return "";
}

/// Why a value of the type cannot be copied to the host, in words after
/// "parameter ... "; empty if it can. If host and device share memory,
/// addresses are valid on both sides.
std::string copyObstacle(ASTContext &context, QualType type, bool shared) {
  QualType to = type->isPointerType() || type->isReferenceType()
                    ? type->getPointeeType()
                    : QualType();
  if (to.isNull()) {
    if (!type.isTriviallyCopyableType(context))
      return "is not trivially copyable";
    if (std::string found = shared ? "" : pointerIn(type); !found.empty())
      return "holds " + found;
  } else if (to->isFunctionType()) {
    return "is a callback, which the host cannot call";
  } else if (type->isReferenceType() && to->isIncompleteType()) {
    return "refers to what is not defined here";
  } else if (type->isReferenceType() && !to.isTriviallyCopyableType(context)) {
    return "refers to what is not trivially copyable";
  } else if (!shared && !to->isVoidType() && !to->isIncompleteType()) {
    if (!to.isTriviallyCopyableType(context))
      return "points to what is not trivially copyable";
    if (std::string found = pointerIn(to); !found.empty())
      return "points to " + found +
             ", and what that points to would not be copied";
  }
  return "";
}

std::string moveObstacle(ASTContext &context, const FunctionDecl *function,
                         bool shared) {
  QualType result = function->getReturnType();
  if (result->isReferenceType() ||
      (!shared && result->isPointerType() &&
       !result->getPointeeType()->isVoidType() &&
       !result->getPointeeType()->isIncompleteType()))
    return "it returns an address of host memory";
  if (!result->isVoidType() && !result.isTriviallyCopyableType(context))
    return "its result is not trivially copyable";
  for (const ParmVarDecl *param : function->parameters())
    if (std::string why = copyObstacle(context, param->getType(), shared);
        !why.empty())
      return (param->getName().empty()
                  ? "a parameter "
                  : "parameter '" + param->getNameAsString() + "' ") +
             why;
  return "";
}

} // namespace

std::string whyNotGenerated(ASTContext &context, const FunctionDecl *function,
                            bool shared) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method && method->isInstance())
    return "it is called on an object";
  if (function->isVariadic())
    return "it is variadic, and not called by its name";
  return moveObstacle(context, function, shared);
}

bool standardLibraryDefines(const FunctionDecl *function) {
  ASTNameGenerator names(function->getASTContext());
  const std::string name = names.getName(function);
  // libc++ is not loaded: xcc itself does not use it. Its headers declare
  // functions that only its library defines.
  if (isOfLibcxx(name))
    return true;
  // xcc itself uses libstdc++, which brings libm, libc and libgcc_s.
  static llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary("libstdc++.so.6");
  return library.isValid() && library.getAddressOfSymbol(name.c_str());
}

namespace {

/// Reports a generated entry.
void reportGenerated(Sema &sema, FunctionDecl *function, bool shared) {
  if (shared) { // only values are copied
    report(sema, DiagnosticsEngine::Remark, function->getLocation(),
           "device code calls %0 on the host")
        << function;
    return;
  }
  std::string copied;
  for (const ParmVarDecl *param : function->parameters()) {
    QualType type = param->getType();
    bool refers = type->isPointerType() || type->isReferenceType();
    QualType to = refers ? type->getPointeeType() : QualType();
    copied += copied.empty() ? "" : ", ";
    copied += param->getName().empty() ? "'" + type.getAsString() + "'"
                                       : "'" + param->getNameAsString() + "'";
    copied += !refers                                       ? " by value"
              : !to->isVoidType() && to->isIncompleteType() ? " as it is"
              : to.isConstQualified()                       ? " in"
                                                            : " in and out";
  }
  if (function->isVariadic())
    copied += ", and what a call adds";
  report(sema, DiagnosticsEngine::Remark, function->getLocation(),
         "device code calls %0 on the host%1")
      << function << (copied.empty() ? "" : ": copies " + copied);
}

} // namespace

FunctionDecl *generateVariadicCall(Sema &sema, CallExpr *call, bool shared) {
  ASTContext &context = sema.getASTContext();
  FunctionDecl *fn = call->getDirectCallee();
  SourceLocation at = call->getExprLoc();
  if (!moveObstacle(context, fn, shared).empty())
    return nullptr;
  auto types = messageTypes(context, fn, call, 0);
  for (const TemplateArgument &type :
       llvm::ArrayRef(types).drop_front(fn->getNumParams()))
    if (!copyObstacle(context, type.getAsType(), shared).empty())
      return nullptr;
  FunctionDecl *entry =
      instantiateForHost(sema, "generated_host_entry", fn, types, at);
  if (!entry || !sema.getLangOpts().SYCLIsDevice)
    return entry;
  FunctionDecl *stub =
      instantiateForHost(sema, "generated_host_function", fn, types, at);
  if (!stub)
    return nullptr;
  sema.InstantiateFunctionDefinition(at, stub, /*Recursive=*/true,
                                     /*DefinitionRequired=*/true);
  call->setCallee(nameOf(context, stub, at));
  return stub;
}

FunctionDecl *generateHostCall(Sema &sema, FunctionDecl *function,
                               SourceLocation at, bool shared) {
  if (function->isVariadic()) { // each call has its own entry
    reportGenerated(sema, function, shared);
    return nullptr;
  }
  auto types = paramTypes(sema.getASTContext(), function);
  FunctionDecl *entry =
      instantiateForHost(sema, "generated_host_entry", function, types, at);
  if (!entry)
    return nullptr;
  if (sema.getLangOpts().SYCLIsDevice)
    return instantiateForHost(sema, "generated_host_function", function, types,
                              at);
  reportGenerated(sema, function, shared);
  return nullptr;
}

} // namespace xcc
