// A visitor of syntax trees
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TreeVisitor.h"
#include "clang/Basic/Stack.h"

using namespace clang;

namespace xcc {

bool TreeVisitor::TraverseStmt(Stmt *stmt) {
  bool goesOn = true;
  runWithSufficientStackSpace(
      [] {}, [&] { goesOn = DynamicRecursiveASTVisitor::TraverseStmt(stmt); });
  return goesOn;
}

} // namespace xcc
