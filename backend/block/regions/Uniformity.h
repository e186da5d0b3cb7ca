// What is the same for all threads of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REGIONS_UNIFORMITY_H
#define XCC_BACKEND_BLOCK_REGIONS_UNIFORMITY_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace xcc::block {

/// Whose threads run together: all of a block, or those of a warp, in whose code
/// thread_idx says which warp it is (warps/Lanes.h).
enum class Scope { Block, Warp };

/// Which values of a kernel all threads of a block, or of a warp, agree on. LLVM's analysis
/// with sources of divergence of our own: thread indices, stack addresses,
/// atomics, and what other functions return. Blocks may be added to the kernel
/// afterwards; values added afterwards are not known to it.
class Uniformity {
public:
  explicit Uniformity(llvm::Function &f, Scope scope = Scope::Block);

  /// Whether all threads that compute \p v together get the same value.
  bool isUniform(const llvm::Value &v) const {
    return !added.contains(&v) && !info->isDivergent(&v);
  }
  /// Whether all threads that reach \p u together see the same value there:
  /// not so when they left a loop around the definition in different
  /// iterations.
  bool isUniformUse(const llvm::Use &u) const {
    return !added.contains(u) && !info->isDivergentUse(u);
  }
  /// Notes a value, made after the analysis, that differs between threads.
  void addDivergent(const llvm::Value &v) { added.insert(&v); }

private:
  llvm::FunctionAnalysisManager analyses;
  llvm::UniformityInfo *info;
  llvm::SmallPtrSet<const llvm::Value *, 8> added;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_UNIFORMITY_H
