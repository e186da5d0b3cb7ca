// What is the same for all lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_UNIFORMITY_H
#define XCC_BACKEND_GPU_WARPS_UNIFORMITY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

struct BarrierOps;

/// What is known of the functions that are called. One object may serve all
/// functions of a module, as long as passes do not change what functions return.
class UniformResults {
public:
  /// What `decide` says, once for each function: whether its result is the same
  /// where its arguments are. Calls are followed to a limit, beyond which the
  /// answer is no.
  bool isSame(const llvm::Function &callee, llvm::function_ref<bool()> decide);
  /// Whether a callee is being looked at.
  bool inCallee() const { return depth; }

private:
  struct Answer {
    bool same;
    unsigned depth; ///< of the calls where it was asked
  };
  llvm::DenseMap<const llvm::Function *, Answer> known;
  unsigned depth = 0;
};

/// Which values and branches are the same for all lanes that come to them
/// together. LLVM's analysis, given what the back end leaves out; see
/// Uniformity.cpp. A snapshot: it knows nothing of later changes.
class Uniformity {
public:
  /// `analyses` has the back end's own.
  Uniformity(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
             const BarrierOps &ops, UniformResults &results);

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
  llvm::FunctionAnalysisManager own;
  llvm::UniformityInfo *info;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_UNIFORMITY_H
