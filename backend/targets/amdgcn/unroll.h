// Loops that cost more registers unrolled than there are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM unrolls loops of AMD GPUs by their size alone, however many registers that
// takes. With more registers fewer waves are resident on a SIMD unit, and with
// spills fewest. Only the code generator knows the number of registers. So what it
// reports for a kernel decides whether its loops stay as they are.

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

/// What the code generator says of a kernel.
struct KernelUsage {
  unsigned waves = 0;   ///< that a SIMD unit holds
  unsigned spills = 0;  ///< of registers, vector and scalar ones
  unsigned scratch = 0; ///< bytes of a lane in memory

  bool canBeBetter(unsigned mostWaves) const {
    return spills || waves < mostWaves;
  }
  /// Than other code for the same kernel.
  bool isBetter(const KernelUsage &other) const {
    if (scratch > other.scratch)
      return false;
    return spills != other.spills ? spills < other.spills : waves > other.waves;
  }
};
using KernelUsages = llvm::StringMap<KernelUsage>; ///< by symbol

/// Whether generating \p kernel again is worth the time: of a kernel that calls
/// half a library, loops are a small part.
bool mayGain(llvm::Function &kernel);

/// Marks a kernel and its callees so that their loops are not unrolled, except
/// loops whose counters index local arrays: in memory these arrays would cost more
/// than the registers.
void keepLoops(llvm::Function &kernel);

/// Leaves the loops of marked functions to themselves, and notes whether there
/// are any that LLVM may unroll unasked. Runs before the unrollers.
class KeepLoopsPass : public llvm::PassInfoMixin<KeepLoopsPass> {
public:
  explicit KeepLoopsPass(bool &found) : found(found) {}
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);

private:
  bool &found;
};

/// Listens for what the code generator says of kernels, as long as it lives.
class UsageListener {
public:
  UsageListener(llvm::LLVMContext &context, KernelUsages &usages,
                std::vector<gpu::LargeStack> &stacks);
  ~UsageListener();

private:
  llvm::LLVMContext &context;
};

/// Suppresses messages about trial code generation while it lives.
class QuietContext {
public:
  explicit QuietContext(llvm::LLVMContext &context);
  ~QuietContext();

private:
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> before;
};

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_UNROLL_H
