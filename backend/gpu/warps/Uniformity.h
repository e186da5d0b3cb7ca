// What is uniform: the same for all lanes of a warp
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

/// The results of functions that were analysed for uniformity. One object may
/// serve all functions of a module, as long as no pass changes what functions
/// return.
class UniformResults {
public:
  /// Whether the callee's result is uniform if its arguments are. Calls
  /// `decide` once for each function. Calls nested more deeply than a limit
  /// give false.
  bool isSame(const llvm::Function &callee, llvm::function_ref<bool()> decide);
  /// Whether a callee is being analysed.
  bool inCallee() const { return depth; }

private:
  struct Answer {
    bool same;
    unsigned depth; ///< number of nested calls when this was computed
  };
  llvm::DenseMap<const llvm::Function *, Answer> known;
  unsigned depth = 0;
};

/// Tells which values and branches are uniform: the same for all lanes that
/// reach them together. This is LLVM's analysis plus what the back end leaves
/// out; see Uniformity.cpp. It is a snapshot and does not see later changes.
class Uniformity {
public:
  /// `analyses` must contain the back end's own analyses.
  Uniformity(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
             const BarrierOps &ops, UniformResults &results);

  bool isUniform(const llvm::Value *value) const {
    return info->isUniform(value);
  }
  /// Whether the value is uniform at this use. Lanes may have left a loop
  /// around the value after different numbers of iterations.
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
