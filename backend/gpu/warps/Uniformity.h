// What is the same for all lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_UNIFORMITY_H
#define XCC_BACKEND_GPU_WARPS_UNIFORMITY_H

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

struct BarrierOps;

/// Which values and branches are the same for all lanes that come to them
/// together. LLVM's analysis, given what the back end leaves out; see
/// Uniformity.cpp. A snapshot: it knows nothing of later changes.
class Uniformity {
public:
  /// `analyses` has the back end's own.
  Uniformity(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
             const BarrierOps &ops);

  bool isUniform(const llvm::Value *value) const {
    return info->isUniform(value);
  }
  /// The same where it is used: lanes may have left a loop around the value
  /// after different numbers of iterations.
  bool isUniformUse(const llvm::Use &use) const {
    return !info->isDivergentUse(use);
  }
  bool hasDivergentTerminator(const llvm::BasicBlock &block) const {
    return info->hasDivergentTerminator(block);
  }

private:
  struct Callees;
  Uniformity(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
             const BarrierOps &ops, Callees &callees);
  void analyse(llvm::Function &function,
               llvm::FunctionAnalysisManager &analyses, const BarrierOps &ops,
               Callees &callees);

  llvm::FunctionAnalysisManager own;
  llvm::UniformityInfo *info;

  friend class LaneTTI;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_UNIFORMITY_H
