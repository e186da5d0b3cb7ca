// A visitor of syntax trees
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every visitor here derives from it. Clang's RecursiveASTVisitor is a template
// that takes ten seconds to compile for each class; its dynamic form takes none,
// but recurses where the template has a queue.

#ifndef XCC_FRONTEND_KERNELS_WALK_TREEVISITOR_H
#define XCC_FRONTEND_KERNELS_WALK_TREEVISITOR_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace xcc {

class TreeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  /// A sum of thousands of terms is as many levels deep: where the stack ends,
  /// a new one begins.
  bool TraverseStmt(clang::Stmt *stmt) override;
};

/// Visits declarations only: bodies of functions, templates and the standard library
/// are skipped.
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
