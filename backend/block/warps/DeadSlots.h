// Values that lanes publish and nobody reads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp operation passes values through the exchange area. Where the lanes are
// vectors, the values can stay in registers, and memory need not be written.

#ifndef XCC_BACKEND_BLOCK_WARPS_DEADSLOTS_H
#define XCC_BACKEND_BLOCK_WARPS_DEADSLOTS_H

#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Forwards vectors that a block function stored in the exchange area to the
/// loads behind, and removes the stores if no load is left. Each operation
/// writes before it reads, so no other function reads what they wrote. Runs
/// when all loops over lanes have become vectors.
struct DropDeadSlotsPass : llvm::PassInfoMixin<DropDeadSlotsPass> {
  llvm::PreservedAnalyses run(llvm::Function &f,
                              llvm::FunctionAnalysisManager &fam);
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_WARPS_DEADSLOTS_H
