// Loops that need too many registers when they are unrolled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For AMD GPUs, LLVM decides by size alone whether to unroll a loop, not by the
// number of registers. If a kernel needs more registers, fewer waves are
// resident on a SIMD unit. Spills cost even more. Only the code generator knows
// the number of registers. So its report about a kernel decides whether the
// kernel's loops are unrolled.

#ifndef XCC_BACKEND_TARGETS_AMDGCN_UNROLL_H
#define XCC_BACKEND_TARGETS_AMDGCN_UNROLL_H

#include "gpu/checks/Checks.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Loop;
class LPMUpdater;
} // namespace llvm

namespace xcc::amdgcn {

/// What the code generator reports about a kernel.
struct KernelUsage {
  unsigned waves = 0;   ///< resident on a SIMD unit
  unsigned spills = 0;  ///< of vector and scalar registers
  unsigned scratch = 0; ///< bytes of a lane in memory

  bool canBeBetter(unsigned mostWaves) const {
    return spills || waves < mostWaves;
  }
  /// Whether this code is better than `other`, for the same kernel.
  bool isBetter(const KernelUsage &other) const {
    if (scratch > other.scratch)
      return false;
    return spills != other.spills ? spills < other.spills : waves > other.waves;
  }
};
using KernelUsages = llvm::StringMap<KernelUsage>; ///< by symbol

/// Whether it is worth the time to generate \p kernel again. Loops are only a
/// small part of a kernel that calls half a library.
bool mayGain(llvm::Function &kernel);

/// Marks a kernel and its callees so that their loops are not unrolled. Loops
/// whose counters index local arrays are still unrolled: otherwise the arrays
/// would be in memory, which costs more than the registers.
void keepLoops(llvm::Function &kernel);

/// Disables unrolling of the loops of marked functions. It also records whether
/// there are loops that LLVM may unroll unasked. The pass runs before the
/// unrolling passes.
class KeepLoopsPass : public llvm::PassInfoMixin<KeepLoopsPass> {
public:
  explicit KeepLoopsPass(bool &found) : found(found) {}
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);

private:
  bool &found;
};

/// Listens, while it exists, to what the code generator reports about kernels.
class UsageListener {
public:
  UsageListener(llvm::LLVMContext &context, KernelUsages &usages,
                std::vector<gpu::LargeStack> &stacks);
  ~UsageListener();

private:
  llvm::LLVMContext &context;
};

/// Suppresses messages about trial code generation while it lives.
class SuppressedMessages {
public:
  explicit SuppressedMessages(llvm::LLVMContext &context);
  ~SuppressedMessages();

private:
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> before;
};

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_UNROLL_H
