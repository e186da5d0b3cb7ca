// A visitor of code that is evaluated at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_EVALUATEDCODE_H
#define XCC_FRONTEND_KERNELS_WALK_EVALUATEDCODE_H

#include "TreeVisitor.h"

namespace xcc {

/// Visits code after Sema has finished with it, implicit code included. Skips
/// unevaluated operands, and constant expressions that the compiler evaluates.
class EvaluatedCode : public TreeVisitor {
public:
  EvaluatedCode() { ShouldVisitImplicitCode = true; }
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) override { return true; }
  bool
  TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &) override {
    return true;
  }
  bool
  TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) override {
    return true;
  }
  bool TraverseRequiresExpr(clang::RequiresExpr *) override { return true; }
  bool TraverseConceptSpecializationExpr(
      clang::ConceptSpecializationExpr *) override {
    return true;
  }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr *) override { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) override { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl *) override { return true; }
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_EVALUATEDCODE_H
