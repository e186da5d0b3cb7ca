//===-- Passes.h - Our passes in the pipelines of GPUs ----------*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_GPU_PASSES_H
#define XCC_FRONTEND_GPU_PASSES_H

#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

/// Replaces calls of the intrinsic that asks for the active lanes by a full
/// mask, in kernels, where all lanes come; see FullMask.cpp.
class FullMaskPass : public llvm::PassInfoMixin<FullMaskPass> {
public:
  FullMaskPass(llvm::Intrinsic::ID mask, llvm::CallingConv::ID kernels)
      : mask(mask), kernels(kernels) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

private:
  llvm::Intrinsic::ID mask;
  llvm::CallingConv::ID kernels;
};

/// Makes one atomicrmw of a compare-and-swap loop; see AtomicLoops.cpp. Runs
/// once loops have been simplified.
class AtomicLoopsPass : public llvm::PassInfoMixin<AtomicLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Asks for four copies of small innermost loops whose trip count is known only
/// at run time; see UnrollSmall.cpp. Runs before the unroller.
class UnrollSmallPass : public llvm::PassInfoMixin<UnrollSmallPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Rejoins what Reassociate takes apart: q + (e & f) + (~e & g) becomes
/// q + ((e & f) | (~e & g)), three operations of which GPUs make one. Runs
/// after the last Reassociate.
class RejoinChoicePass : public llvm::PassInfoMixin<RejoinChoicePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace xcc::gpu

#endif // XCC_FRONTEND_GPU_PASSES_H
