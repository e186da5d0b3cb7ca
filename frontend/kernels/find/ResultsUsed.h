// Results of CUDA's functions that a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cudaMalloc(&p, n);` drops its result, and a failure that is not checked is
// shown when the thread ends. `if (cudaMalloc(&p, n) != cudaSuccess)` looks at it:
// such calls become `looked(cudaMalloc(&p, n))`, which tells the header so.

#ifndef XCC_FRONTEND_KERNELS_FIND_RESULTSUSED_H
#define XCC_FRONTEND_KERNELS_FIND_RESULTSUSED_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class Sema;
}

namespace xcc {

class ResultsUsed {
public:
  explicit ResultsUsed(clang::Sema &sema) : sema(sema) {}

  /// Looks at the parts of a statement, before they are visited: replaces those
  /// that are calls whose results are used.
  void visit(clang::Stmt *parent);

private:
  clang::Sema &sema;
  llvm::SmallPtrSet<const clang::Stmt *, 16> done; ///< dropped, or replaced

  void drop(const clang::Stmt *stmt);
  void noteDropped(const clang::Stmt *parent);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_RESULTSUSED_H
