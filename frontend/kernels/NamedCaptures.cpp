// Captures that name an object whose address is a constant
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NamedCaptures.h"
#include "FunctionObjects.h"
#include "TreeVisitor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace xcc {
namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 4>;

/// Makes the names of such captures ones of the lambda's members.
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
    // The lambda has its own list of initial values.
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
