// The parameters of a call that is not written down
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a generic lambda, or a class with several call operators, only the call decides
// the parameters. The header asks for the type of each: a reference to the argument,
// which is then mapped, or a value.

#ifndef XCC_FRONTEND_KERNELS_FIND_CALLPARAMETERS_H
#define XCC_FRONTEND_KERNELS_FIND_CALLPARAMETERS_H

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CallExpr;
class Sema;
} // namespace clang

namespace xcc {

/// The call, as it would be there; null where it cannot be, of which nothing is
/// said. `end` is its closing parenthesis.
clang::CallExpr *quietCall(clang::Sema &sema, clang::Expr *callee,
                           llvm::ArrayRef<clang::Expr *> args,
                           clang::SourceLocation end);

/// Answers xcc::detail::param_of<Index, Each, Callee, Arg...>, a specialization
/// of which has just been defined.
void answerParamOf(clang::Sema &sema, clang::TagDecl *decl);

/// A parameter of an entry, object_kernel<object, params...>.
struct EntryParameter {
  clang::QualType type; ///< of a value or, where it is one, a reference
  bool threadOwn;       ///< each thread passes on a copy, as an rvalue
};
llvm::SmallVector<EntryParameter, 4>
entryParameters(const clang::FunctionDecl *entry);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_CALLPARAMETERS_H
