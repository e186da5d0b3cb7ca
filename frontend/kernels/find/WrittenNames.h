// What a call's arguments are called in the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A last parameter that is marked so (xcc::map's constructors have one) and
// left to its default is given the text of the arguments before it, for
// messages, logs and traces.

#ifndef XCC_FRONTEND_KERNELS_FIND_WRITTENNAMES_H
#define XCC_FRONTEND_KERNELS_FIND_WRITTENNAMES_H

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include <string>
#include <vector>

namespace xcc {

/// An argument whose name was asked for.
struct NamedArgument {
  std::string name; ///< as it is written
  const clang::Expr *object;
};

/// Writes the names where the call asks for them, and adds the arguments to
/// `named`. Called before code is generated for it.
void writeNames(const clang::ASTContext &context, clang::CallExpr *call,
                std::vector<NamedArgument> &named);
void writeNames(const clang::ASTContext &context, clang::CXXConstructExpr *call,
                std::vector<NamedArgument> &named);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_WRITTENNAMES_H
