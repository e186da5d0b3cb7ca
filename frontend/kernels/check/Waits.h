// Whether a call may wait for kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches return while kernels run. What the program does next may wait for
// them: in its own functions, in xcc's, or in functions without a known body.

#ifndef XCC_FRONTEND_KERNELS_CHECK_WAITS_H
#define XCC_FRONTEND_KERNELS_CHECK_WAITS_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"

namespace xcc {

/// Whether calling a function may wait for kernels. An unknown function may.
/// The standard library does not, unless it calls what it is given.
class Waits {
public:
  explicit Waits(clang::ASTContext &context) : context(context) {}

  bool in(const clang::CallExpr *call);
  bool in(const clang::FunctionDecl *function);
  bool inDestructorOf(clang::QualType type);

  /// Whether a declaration is in a header that is not the program's own.
  bool isLibrary(const clang::Decl *decl) const;

private:
  clang::ASTContext &context;
  llvm::DenseMap<const clang::FunctionDecl *, bool> functions;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> destructors;

  bool isUsers(clang::QualType type, unsigned depth = 0) const;
  bool usersAmong(llvm::ArrayRef<clang::TemplateArgument> args,
                  unsigned depth) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_WAITS_H
