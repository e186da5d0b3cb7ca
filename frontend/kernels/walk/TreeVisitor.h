// The base class of all visitors of syntax trees in the front end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's RecursiveASTVisitor is a template that takes ten seconds to compile
// for each class. Its dynamic form takes no time, but recurses where the
// template uses a queue.

#ifndef XCC_FRONTEND_KERNELS_WALK_TREEVISITOR_H
#define XCC_FRONTEND_KERNELS_WALK_TREEVISITOR_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace xcc {

class TreeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  /// A sum of thousands of terms is thousands of levels deep. Continues on a
  /// new stack when this one is full.
  bool TraverseStmt(clang::Stmt *stmt) override;
};

/// Visits declarations only. Skips bodies of functions, templates and the
/// standard library.
class DeclarationVisitor : public TreeVisitor {
public:
  bool TraverseStmt(clang::Stmt *) override { return true; }
  bool TraverseDecl(clang::Decl *decl) override {
    return !decl || decl->isTemplated() || decl->isInStdNamespace() ||
           TreeVisitor::TraverseDecl(decl);
  }
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_TREEVISITOR_H
