// Function objects as kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class may have several call operators, its bases' among them. Which one a
// kernel is, is overload resolution's to say, with what the object is called
// as: the header names that in the entry where it makes a difference.

#ifndef XCC_FRONTEND_KERNELS_FIND_FUNCTIONOBJECTS_H
#define XCC_FRONTEND_KERNELS_FIND_FUNCTIONOBJECTS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class Sema;
}

namespace xcc {

/// The class of the object of which object_kernel<...> is the entry.
clang::QualType objectOf(const clang::FunctionDecl *entry);

/// The call operators of the class and its bases, and of templates what has
/// been made of them.
llvm::SmallVector<clang::FunctionDecl *, 4>
callOperators(const clang::CXXRecordDecl *record);

/// The only call operator of the class or, where it has none, of a base; of a
/// template the pattern. Null where there are several.
const clang::CXXMethodDecl *
onlyCallOperator(const clang::CXXRecordDecl *record);

/// Answers xcc::detail::calls_differ<T>, a specialization of which has just been
/// defined: do call operators differ by what an object is called as?
void answerCallsDiffer(clang::Sema &sema, clang::TagDecl *decl);

/// Expressions that stand for what is called in launches of the object that
/// `arg` is, in the order in which they are tried: as it is passed, and else as
/// a thread's own copy.
llvm::SmallVector<clang::Expr *, 2> calledAs(clang::ASTContext &context,
                                             const clang::Expr *arg);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_FUNCTIONOBJECTS_H
