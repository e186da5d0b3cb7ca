// The text of a call's arguments in the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a call's last parameter is annotated (as in xcc::map's constructors) and
// has its default value, the compiler passes the text of the arguments before
// it. Messages, logs and traces use it.

#ifndef XCC_FRONTEND_KERNELS_FIND_WRITTENNAMES_H
#define XCC_FRONTEND_KERNELS_FIND_WRITTENNAMES_H

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include <string>
#include <vector>

namespace xcc {

/// An argument whose text was passed.
struct NamedArgument {
  std::string name; ///< as it is written
  const clang::Expr *object;
};

/// Passes the texts if the call wants them, and adds the arguments to `named`.
/// Called before code is generated for the call.
void writeNames(const clang::ASTContext &context, clang::CallExpr *call,
                std::vector<NamedArgument> &named);
void writeNames(const clang::ASTContext &context, clang::CXXConstructExpr *call,
                std::vector<NamedArgument> &named);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_WRITTENNAMES_H
