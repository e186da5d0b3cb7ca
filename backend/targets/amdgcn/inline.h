// Which functions become part of large ones
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each branch that lanes may take differently, the code generator of AMD GPUs
// keeps masks in registers. The time that this takes, and the number of registers,
// grow faster than the function. So LLVM's inliner adds no function of several
// blocks to one that would have more than `amdgpu-inline-max-bb` blocks then,
// unless the added one is marked inline. LLVM's own limit is 1,100 blocks, with
// which a JSON parser takes 1.6 times as long as with the limit here.

#ifndef XCC_BACKEND_TARGETS_AMDGCN_INLINE_H
#define XCC_BACKEND_TARGETS_AMDGCN_INLINE_H

#include "llvm/IR/PassManager.h"

namespace xcc::amdgcn {

/// Blocks of the largest function that others are added to. The kernels of
/// xcc::sort need up to 200 to do without calls.
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
