// Function objects as kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctionObjects.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace xcc {
namespace {

/// The call operators of the class or, if it has none, of its bases.
llvm::SmallVector<NamedDecl *, 4> declaredIn(const CXXRecordDecl *record) {
  llvm::SmallVector<NamedDecl *, 4> found;
  if (!record || !record->hasDefinition())
    return found;
  record = record->getDefinition();
  auto &names = record->getASTContext().DeclarationNames;
  for (NamedDecl *member : record->lookup(names.getCXXOperatorName(OO_Call)))
    found.push_back(member->getUnderlyingDecl());
  if (found.empty())
    for (const CXXBaseSpecifier &base : record->bases())
      found.append(declaredIn(base.getType()->getAsCXXRecordDecl()));
  return found;
}

const CXXMethodDecl *methodOf(const NamedDecl *member) {
  if (const auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
    member = tmpl->getTemplatedDecl();
  return dyn_cast<CXXMethodDecl>(member);
}

/// Whether the call operators differ in their qualifiers, or one deduces how
/// the object is called.
bool callsDiffer(const CXXRecordDecl *record) {
  std::optional<std::pair<unsigned, RefQualifierKind>> first;
  for (const NamedDecl *member : declaredIn(record)) {
    const CXXMethodDecl *method = methodOf(member);
    if (!method || method->isStatic())
      continue;
    std::pair<unsigned, RefQualifierKind> qualifiers;
    if (method->isExplicitObjectMemberFunction()) {
      // Treat the object parameter as qualifiers; one by value fits all
      // objects.
      QualType object = method->getParamDecl(0)->getType();
      QualType to = object.getNonReferenceType();
      if (object->isReferenceType() && object->isDependentType() &&
          !to.isConstQualified())
        return true;
      qualifiers = {object->isReferenceType() ? to.getCVRQualifiers()
                                              : unsigned(Qualifiers::Const),
                    object->isRValueReferenceType() ? RQ_RValue : RQ_None};
    } else {
      qualifiers = {method->getMethodQualifiers().getCVRQualifiers(),
                    method->getRefQualifier()};
    }
    if (first && *first != qualifiers)
      return true;
    first = qualifiers;
  }
  return false;
}

} // namespace

QualType objectOf(const FunctionDecl *entry) {
  return entry->getTemplateSpecializationArgs()
      ->get(0)
      .getAsType()
      .getNonReferenceType()
      .getUnqualifiedType();
}

llvm::SmallVector<FunctionDecl *, 4>
callOperators(const CXXRecordDecl *record) {
  llvm::SmallVector<FunctionDecl *, 4> found;
  for (NamedDecl *member : declaredIn(record))
    if (auto *method = dyn_cast<CXXMethodDecl>(member))
      found.push_back(method);
    else if (auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
      llvm::append_range(found, tmpl->specializations());
  return found;
}

const CXXMethodDecl *onlyCallOperator(const CXXRecordDecl *record) {
  auto found = declaredIn(record);
  return found.size() == 1 ? methodOf(found.front()) : nullptr;
}

void answerCallsDiffer(Sema &sema, TagDecl *decl) {
  ClassTemplateSpecializationDecl *made =
      question(decl, annotation::CallsDiffer);
  if (!made)
    return;
  QualType type = made->getTemplateArgs().get(0).getAsType();
  if (type->isRecordType() &&
      sema.isCompleteType(made->getPointOfInstantiation(), type) &&
      callsDiffer(type->getAsCXXRecordDecl()))
    answer(sema.Context, made, "held", true);
}

llvm::SmallVector<Expr *, 2> calledAs(ASTContext &context, const Expr *arg) {
  QualType type = arg->getType().getNonReferenceType();
  type.removeLocalVolatile();
  SourceLocation at = arg->getExprLoc();
  llvm::SmallVector<Expr *, 2> forms;
  if (!arg->isLValue())
    forms.push_back(new (context) OpaqueValueExpr(at, type, VK_XValue));
  forms.push_back(new (context) OpaqueValueExpr(at, type, VK_LValue));
  return forms;
}

} // namespace xcc
