// Marks results of CUDA's functions that a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cudaMalloc(&p, n);` drops its result, so a failure is shown when the thread
// ends. `if (cudaMalloc(&p, n) != cudaSuccess)` uses the result. Such a call
// becomes `looked(cudaMalloc(&p, n))`, which tells the header that the program
// handles failures.

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

  /// Replaces those parts of a statement that are calls with used results. Must
  /// be called before the parts are visited.
  void visit(clang::Stmt *parent);

private:
  clang::Sema &sema;
  llvm::SmallPtrSet<const clang::Stmt *, 16> done; ///< dropped, or replaced

  void drop(const clang::Stmt *stmt);
  void noteDropped(const clang::Stmt *parent);
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_FIND_RESULTSUSED_H
