// Kernels whose addresses are taken
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelPointers.h"
#include "HeaderTemplates.h"
#include "Names.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace xcc {

bool isMarkedGlobal(const FunctionDecl *function) {
  return function->hasAttrs() && isAnnotated(function, "xcc.global");
}

bool takesPointer(const ParmVarDecl *param) {
  // XCC_KERNEL_OR_POINTER of <xcc/cuda/pointers.h> gives the annotation an
  // argument.
  return llvm::any_of(
      param->specific_attrs<AnnotateAttr>(), [](const AnnotateAttr *attr) {
        return attr->getAnnotation() == annotation::Kernel && attr->args_size();
      });
}

const DeclRefExpr *functionName(const Expr *expr) {
  while (true) {
    expr = expr->IgnoreParenCasts();
    if (const auto *replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(expr))
      expr = replaced->getReplacement();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else if (const auto *unary = dyn_cast<UnaryOperator>(expr);
             unary && (unary->getOpcode() == UO_AddrOf ||
                       unary->getOpcode() == UO_Deref))
      expr = unary->getSubExpr();
    else
      break;
  }
  const auto *name = dyn_cast<DeclRefExpr>(expr);
  return name && isa<FunctionDecl>(name->getDecl()) ? name : nullptr;
}

} // namespace xcc
