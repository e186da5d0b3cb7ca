// xcc's own attributes, which are stored as annotations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_FIND_FUNCTIONATTRIBUTE_H
#define XCC_FRONTEND_KERNELS_FIND_FUNCTIONATTRIBUTE_H

#include "clang/AST/Attr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace xcc {

struct AnnotationAttribute : clang::ParsedAttrInfo {
protected:
  /// Adds the annotation, with the attribute's arguments.
  static AttrHandling annotate(clang::Sema &sema, clang::Decl *decl,
                               const clang::ParsedAttr &attr,
                               llvm::StringRef annotation,
                               llvm::MutableArrayRef<clang::Expr *> args = {}) {
    clang::Attr *made = sema.CreateAnnotationAttr(attr, annotation, args);
    if (!made)
      return AttributeNotApplied;
    decl->addAttr(made);
    return AttributeApplied;
  }
};

/// An attribute of functions.
struct FunctionAttribute : AnnotationAttribute {
  bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attr,
                            const clang::Decl *decl) const override {
    if (llvm::isa<clang::FunctionDecl>(decl))
      return true;
    sema.Diag(attr.getLoc(), clang::diag::warn_attribute_wrong_decl_type_str)
        << attr << attr.isRegularKeywordAttribute() << "functions";
    return false;
  }
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_FUNCTIONATTRIBUTE_H
