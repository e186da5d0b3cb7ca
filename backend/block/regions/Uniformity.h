// Uniform and divergent values of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REGIONS_UNIFORMITY_H
#define XCC_BACKEND_BLOCK_REGIONS_UNIFORMITY_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// The threads that run together: those of a block, or those of a warp. In warp
/// code, thread_idx says which warp runs (warps/Lanes.h).
enum class Scope { Block, Warp };

/// Finds the values of a kernel that are uniform in \p scope. Runs LLVM's
/// analysis with our own sources of divergence: thread indices, stack
/// addresses, atomics, and results of other functions. Blocks may be added to
/// the kernel later. Values added later count as uniform unless addDivergent
/// names them.
class Uniformity {
public:
  /// Before, defines the phis of \p f that are undefined on a path and would
  /// pass for uniform.
  explicit Uniformity(llvm::Function &f, Scope scope = Scope::Block);

  /// Whether all threads that compute \p v together get the same value.
  bool isUniform(const llvm::Value &v) const {
    return !added.contains(&v) && !info->isDivergent(&v);
  }
  /// Whether all threads that reach \p u together see the same value there.
  /// False if threads leave a loop around the definition in different
  /// iterations.
  bool isUniformUse(const llvm::Use &u) const {
    return !added.contains(u) && !info->isDivergentUse(u);
  }
  /// Marks \p v, created after the analysis, as divergent.
  void addDivergent(const llvm::Value &v) { added.insert(&v); }

private:
  llvm::FunctionAnalysisManager analyses;
  llvm::UniformityInfo *info;
  llvm::SmallPtrSet<const llvm::Value *, 8> added;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_UNIFORMITY_H
