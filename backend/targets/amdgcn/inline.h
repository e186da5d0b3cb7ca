// Which functions are inlined into large functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each branch that may diverge, the code generator of AMD GPUs keeps masks
// in registers. Its run time and the number of registers grow faster than the
// function does. So LLVM's inliner does not inline a function of several blocks
// if the caller would then have more than `amdgpu-inline-max-bb` blocks, unless
// the callee is marked inline. LLVM's own limit is 1,100 blocks. With it, a
// JSON parser takes 1.6 times as long as with the limit here.

#ifndef XCC_BACKEND_TARGETS_AMDGCN_INLINE_H
#define XCC_BACKEND_TARGETS_AMDGCN_INLINE_H

#include "llvm/IR/PassManager.h"

namespace xcc::amdgcn {

/// The maximum number of blocks of a function into which others are inlined.
/// The kernels of xcc::sort need up to 200 blocks to have no calls.
constexpr unsigned MostBlocks = 200;

/// Marks small functions as inline, so that large functions do not call them.
/// Runs when a function has been simplified, before the inliner looks at its
/// callers.
struct HintSmallPass : llvm::PassInfoMixin<HintSmallPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_INLINE_H
