// Gathers and scatters of neighbouring elements
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread uses several elements beside each other, such as a row of a
// matrix or the fields of a structure, LLVM gathers or scatters each of them for
// all lanes. A vector load or store for each lane, and a transposition in
// registers, is faster.

#ifndef XCC_BACKEND_BLOCK_SIMD_JOINEDACCESSES_H
#define XCC_BACKEND_BLOCK_SIMD_JOINEDACCESSES_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Replaces gathers, and scatters, without a mask whose elements lie beside each
/// other for each lane. Accesses the same elements, and nothing between them.
/// Runs when all loops over threads have become vectors.
struct JoinAccessesPass : llvm::PassInfoMixin<JoinAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_SIMD_JOINEDACCESSES_H
