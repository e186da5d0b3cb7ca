// The parameter types that a call would have
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallParameters.h"
#include "FunctionObjects.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// An expression like declval<type>().
Expr *valueOf(ASTContext &context, QualType type, SourceLocation at) {
  return new (context) OpaqueValueExpr(
      at, type.getNonReferenceType(),
      type->isLValueReferenceType() || type->isFunctionType() ? VK_LValue
                                                              : VK_XValue);
}

/// Whether a copy can replace the object to which a reference to const would
/// bind: the copy has the same bits, and the object's address does not matter.
bool isSnapshot(Sema &sema, QualType type, SourceLocation at) {
  if (!type.isConstQualified() || type.isVolatileQualified() ||
      type->isArrayType())
    return false;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return true;
  if (!sema.isCompleteType(at, type))
    return false;
  record = record->getDefinition();
  return record->hasTrivialCopyConstructor() &&
         record->hasSimpleCopyConstructor() && record->hasTrivialDestructor() &&
         !record->isDynamicClass() && !record->hasFlexibleArrayMember();
}

/// The type in which `arg` travels to a parameter of type `param`. `threadOwn`:
/// wrapped in xcc::detail::thread_own.
QualType travels(Sema &sema, QualType param, const Expr *arg, bool &threadOwn) {
  QualType to = param.getNonReferenceType();
  threadOwn = false;
  if (!param->isReferenceType())
    return param.getUnqualifiedType();
  if (to->isFunctionType())
    return sema.Context.getPointerType(to);
  if (param->isLValueReferenceType())
    return isSnapshot(sema, to, arg->getExprLoc()) || !arg->isLValue()
               ? to.getUnqualifiedType()
               : param;
  if (to->isArrayType())
    return param;
  threadOwn = true;
  return to.getUnqualifiedType();
}

/// xcc::detail::thread_own<type>, from the namespace of the template `asks`; or
/// null.
QualType threadOwn(Sema &sema, const ClassTemplateSpecializationDecl *asks,
                   QualType type) {
  ASTContext &context = sema.Context;
  SourceLocation at = asks->getPointOfInstantiation();
  for (NamedDecl *found :
       asks->getDeclContext()->lookup(&context.Idents.get("thread_own")))
    if (auto *tmpl = dyn_cast<ClassTemplateDecl>(found)) {
      TemplateArgumentListInfo args(at, at);
      args.addArgument(TemplateArgumentLoc(
          TemplateArgument(type), context.getTrivialTypeSourceInfo(type, at)));
      return sema.CheckTemplateIdType(ElaboratedTypeKeyword::None,
                                      TemplateName(tmpl), at, args,
                                      /*Scope=*/nullptr,
                                      /*ForNestedNameSpecifier=*/false);
    }
  return {};
}

/// The type of the call's parameter for argument `index`; null if it has none.
QualType parameterFor(const CallExpr *call, unsigned index) {
  const FunctionDecl *fn = call->getDirectCallee();
  if (isa<CXXOperatorCallExpr>(call) && fn) {
    index += fn->hasCXXExplicitFunctionObjectParameter() ? 1 : 0;
    return index < fn->getNumParams() ? fn->getParamDecl(index)->getType()
                                      : QualType();
  }
  // The object converts to a function, whose type has the parameters.
  QualType callee = call->getCallee()->getType();
  if (callee->isPointerType())
    callee = callee->getPointeeType();
  const auto *type = callee->getAs<FunctionProtoType>();
  return type && index < type->getNumParams() ? type->getParamType(index)
                                              : QualType();
}

} // namespace

CallExpr *quietCall(Sema &sema, Expr *callee, llvm::ArrayRef<Expr *> args,
                    SourceLocation end) {
  llvm::SmallVector<Expr *, 8> given(args);
  Sema::SFINAETrap trap(sema);
  ExprResult made = sema.BuildCallExpr(/*Scope=*/nullptr, callee,
                                       callee->getExprLoc(), given, end);
  return made.isUsable() && !trap.hasErrorOccurred()
             ? dyn_cast<CallExpr>(made.get()->IgnoreImplicit())
             : nullptr;
}

void answerParamOf(Sema &sema, TagDecl *decl) {
  ClassTemplateSpecializationDecl *made = question(decl, annotation::ParamOf);
  if (!made)
    return;
  ASTContext &context = sema.Context;
  SourceLocation at = made->getPointOfInstantiation();
  const TemplateArgumentList &asked = made->getTemplateArgs();
  unsigned index = asked.get(0).getAsIntegral().getZExtValue();
  QualType callee = asked.get(2).getAsType();
  llvm::SmallVector<Expr *, 8> args;
  for (const TemplateArgument &arg : asked.get(3).pack_elements()) {
    if (arg.getAsType()->isVoidType())
      return;
    args.push_back(valueOf(context, arg.getAsType(), at));
  }
  if (index >= args.size() ||
      !sema.isCompleteType(at, callee.getNonReferenceType()))
    return;
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  CallExpr *call = nullptr;
  for (Expr *form : calledAs(context, valueOf(context, callee, at)))
    if (!call)
      call = quietCall(sema, form, args, at);
  QualType param = call ? parameterFor(call, index) : QualType();
  if (param.isNull())
    return;
  unsigned object = isa<CXXOperatorCallExpr>(call) ? 1 : 0;
  bool own = false;
  QualType type = travels(sema, param, call->getArg(index + object), own);
  if (own)
    type = threadOwn(sema, made, type);
  if (type.isNull())
    return;
  answer(context, made, type);
}

llvm::SmallVector<EntryParameter, 4>
entryParameters(const FunctionDecl *entry) {
  llvm::SmallVector<EntryParameter, 4> found;
  for (const TemplateArgument &arg :
       entry->getTemplateSpecializationArgs()->get(1).pack_elements()) {
    QualType type = arg.getAsType();
    const auto *made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
        type->getAsCXXRecordDecl());
    bool own = made && made->getIdentifier() &&
               made->getName() == "thread_own" &&
               isAnnotated(made->getSpecializedTemplate()->getTemplatedDecl(),
                           annotation::ThreadOwn);
    found.push_back(
        {own ? made->getTemplateArgs().get(0).getAsType() : type, own});
  }
  return found;
}

} // namespace xcc
