// Captures that hold a constant address
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NamedCaptures.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/walk/SharedVariables.h"
#include "kernels/walk/TreeVisitor.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace xcc {
namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 4>;

/// Makes references to such captures refer to the lambda's members.
class Renamer : public TreeVisitor {
public:
  Renamer(ASTContext &context, const Variables &names)
      : context(context), names(names) {}
  bool VisitStmt(Stmt *parent) override {
    for (Stmt *&child : parent->children())
      if (auto *ref = dyn_cast_or_null<DeclRefExpr>(child);
          ref && ref->isNonOdrUse() == NOUR_Constant)
        if (auto *name = dyn_cast<VarDecl>(ref->getDecl());
            name && names.contains(name))
          child = DeclRefExpr::Create(
              context, ref->getQualifierLoc(), SourceLocation(), name,
              /*RefersToEnclosingVariableOrCapture=*/true, ref->getLocation(),
              ref->getType(), ref->getValueKind(), ref->getFoundDecl());
    return true;
  }

private:
  ASTContext &context;
  const Variables &names;
};

/// Whether the variable may have different values on host and device.
bool mayDiffer(const ASTContext &context, const VarDecl *variable) {
  return variable->hasGlobalStorage() && !isBlockShared(variable) &&
         !(variable->getType().isConstant(context) && variable->hasInit() &&
           variable->evaluateValue());
}

/// Whether a value holds the address of a variable that may differ.
bool holdsSuchAddress(const ASTContext &context, const APValue &value,
                      QualType type) {
  if (value.isLValue())
    if (const auto *decl = value.getLValueBase().dyn_cast<const ValueDecl *>())
      if (const auto *variable = dyn_cast<VarDecl>(decl);
          variable && mayDiffer(context, variable))
        return true;
  bool holds = false;
  eachPart(context, value, type, [&](const APValue &part, QualType partType) {
    holds |= holdsSuchAddress(context, part, partType);
  });
  return holds;
}

/// Makes a lambda read its capture of `int *const p = &global;`. Otherwise
/// Clang may use the initial value instead.
void readAsCaptured(const ASTContext &context, VarDecl *variable) {
  const QualType type = variable->getType();
  if (!variable->hasLocalStorage() || !type.isConstQualified() ||
      variable->isInitCapture() || !variable->hasInit() ||
      variable->getInit()->isValueDependent() ||
      variable->isUsableInConstantExpressions(context))
    return;
  const APValue *value = variable->evaluateValue();
  if (value && holdsSuchAddress(context, *value, type))
    variable->ensureEvaluatedStmt()->Evaluated = APValue();
}

class LambdaFinder : public TreeVisitor {
public:
  explicit LambdaFinder(ASTContext &context) : context(context) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }
  bool TraverseDecl(Decl *decl) override {
    if (!decl || decl->isInStdNamespace() ||
        context.getSourceManager().isInSystemHeader(decl->getLocation()))
      return true;
    return TreeVisitor::TraverseDecl(decl);
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    if (lambda->isTypeDependent())
      return true;
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable())
        if (auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar()))
          readAsCaptured(context, variable);
    Variables names;
    for (const LambdaCapture &capture : lambda->explicit_captures())
      if (capture.capturesVariable())
        if (auto *name = dyn_cast<VarDecl>(capture.getCapturedVar());
            name && name->isInitCapture() && isConstantName(name))
          names.insert(name);
    if (names.empty())
      return true;
    Renamer renamer(context, names);
    for (FunctionDecl *body : callOperators(lambda->getLambdaClass()))
      if (const FunctionDecl *made = body->getDefinition())
        renamer.TraverseStmt(made->getBody());
    // Clear the name's own initialiser; the lambda keeps the captures' values.
    for (const VarDecl *name : names)
      const_cast<VarDecl *>(name)->setInit(new (context) OpaqueValueExpr(
          name->getLocation(), name->getType().getNonReferenceType(),
          VK_LValue));
    return true;
  }

private:
  ASTContext &context;

  static bool isConstantName(const VarDecl *name) {
    return name->getType()->isLValueReferenceType() && name->hasInit() &&
           !name->getInit()->isValueDependent() && name->evaluateValue();
  }
};

} // namespace

void useNamedCaptures(ASTContext &context, llvm::ArrayRef<Decl *> decls) {
  LambdaFinder finder(context);
  for (Decl *decl : decls)
    finder.TraverseDecl(decl);
}

} // namespace xcc
