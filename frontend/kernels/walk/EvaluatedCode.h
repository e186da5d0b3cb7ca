// What of a function is ever evaluated
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_WALK_EVALUATEDCODE_H
#define XCC_FRONTEND_KERNELS_WALK_EVALUATEDCODE_H

#include "TreeVisitor.h"

namespace xcc {

/// A visitor of code after Sema is through with it: what is implicit too, but
/// no operand that is never evaluated, nor what the compiler evaluates alone.
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
