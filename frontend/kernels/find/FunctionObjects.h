// Function objects as kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class may have several call operators, its bases' among them. Overload
// resolution selects the kernel's operator. It depends on how the object is
// called (const, lvalue, rvalue): if that matters, the header names it in the
// entry.

#ifndef XCC_FRONTEND_KERNELS_FIND_FUNCTIONOBJECTS_H
#define XCC_FRONTEND_KERNELS_FIND_FUNCTIONOBJECTS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class Sema;
}

namespace xcc {

/// The class of the object whose entry is object_kernel<...>.
clang::QualType objectOf(const clang::FunctionDecl *entry);

/// The call operators of the class and its bases; of templates, their
/// specializations.
llvm::SmallVector<clang::FunctionDecl *, 4>
callOperators(const clang::CXXRecordDecl *record);

/// The only call operator of the class or, if it has none, of a base; of a
/// template its pattern. Null if there are several.
const clang::CXXMethodDecl *
onlyCallOperator(const clang::CXXRecordDecl *record);

/// Answers a specialization of xcc::detail::calls_differ<T> that has just been
/// defined: whether T's call operators differ in their qualifiers.
void answerCallsDiffer(clang::Sema &sema, clang::TagDecl *decl);

/// Expressions for the callee in launches of the object `arg`, in the order in
/// which to try them: as it is passed, then as a thread's own copy.
llvm::SmallVector<clang::Expr *, 2> calledAs(clang::ASTContext &context,
                                             const clang::Expr *arg);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_FUNCTIONOBJECTS_H
