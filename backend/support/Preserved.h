// Analyses that passes preserve
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_PRESERVED_H
#define XCC_BACKEND_SUPPORT_PRESERVED_H

#include "llvm/IR/Analysis.h"

namespace xcc {

/// The analyses that a pass preserves if it changes instructions but no
/// branches.
inline llvm::PreservedAnalyses keepingBranches(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_PRESERVED_H
