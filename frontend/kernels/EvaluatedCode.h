// What of a function is ever evaluated
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_EVALUATEDCODE_H
#define XCC_FRONTEND_KERNELS_EVALUATEDCODE_H

#include "clang/AST/RecursiveASTVisitor.h"

namespace xcc {

/// A visitor of code after Sema is through with it: what is implicit too, but
/// no operand that is never evaluated, nor what the compiler evaluates alone.
template <class Derived>
class EvaluatedCode : public clang::RecursiveASTVisitor<Derived> {
public:
  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &) {
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) {
    return true;
  }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }
  bool TraverseConceptSpecializationExpr(clang::ConceptSpecializationExpr *) {
    return true;
  }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr *) { return true; }
  bool TraverseConstantExpr(clang::ConstantExpr *) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl *) { return true; }
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_EVALUATEDCODE_H
