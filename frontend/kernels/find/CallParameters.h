// The parameter types that a call would have
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a generic lambda, or of a class with several call
// operators, depend on the call. The header asks the compiler for the type of
// each: a reference to the argument, which is then mapped, or a value.

#ifndef XCC_FRONTEND_KERNELS_FIND_CALLPARAMETERS_H
#define XCC_FRONTEND_KERNELS_FIND_CALLPARAMETERS_H

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CallExpr;
class Sema;
} // namespace clang

namespace xcc {

/// Builds the call without reporting errors; null if it is invalid. `end` is
/// its closing parenthesis.
clang::CallExpr *quietCall(clang::Sema &sema, clang::Expr *callee,
                           llvm::ArrayRef<clang::Expr *> args,
                           clang::SourceLocation end);

/// Answers a specialization of xcc::detail::param_of<Index, Each, Callee,
/// Arg...> that has just been defined.
void answerParamOf(clang::Sema &sema, clang::TagDecl *decl);

/// A parameter of an entry, object_kernel<object, params...>.
struct EntryParameter {
  clang::QualType type; ///< a reference, or the type of a value
  bool threadOwn;       ///< each thread passes its own copy as an rvalue
};
llvm::SmallVector<EntryParameter, 4>
entryParameters(const clang::FunctionDecl *entry);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_CALLPARAMETERS_H
