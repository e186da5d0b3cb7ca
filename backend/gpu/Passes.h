// xcc's passes in the pipelines of GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_PASSES_H
#define XCC_BACKEND_GPU_PASSES_H

#include "llvm/IR/CallingConv.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PassManager.h"
#include <functional>

namespace xcc::gpu {

/// How a target implements barriers of a block and reconvergence of a warp.
struct BarrierOps {
  llvm::CallingConv::ID kernels;
  llvm::SmallVector<llvm::Intrinsic::ID, 2> barriers;
  /// Returns an i1 that is true if the given i1 is true for any lane of the
  /// warp. All lanes that have not ended execute it together.
  std::function<llvm::Value *(llvm::IRBuilder<> &, llvm::Value *)> any;
  /// A barrier that all lanes that have not ended execute together.
  std::function<void(llvm::IRBuilder<> &)> barrier;
  /// Ends a thread; null if a return ends it.
  std::function<void(llvm::IRBuilder<> &)> end;
  /// Changes a barrier so that lanes need not reach it together.
  std::function<void(llvm::CallInst &)> relax;
  /// Whether a warp has one program counter. Then, after a divergent branch,
  /// the lanes of one path have not started when those of another reach a
  /// barrier.
  bool pathsWithOneProgramCounter = false;
  /// `lanes` returns the set of lanes that are together here; null if the
  /// target needs no set. `gather` makes the lanes of such a set that have not
  /// ended reconverge.
  std::function<llvm::Value *(llvm::IRBuilder<> &)> lanes;
  std::function<void(llvm::IRBuilder<> &, llvm::Value *)> gather;
  /// Whether lanes that call a target intrinsic together, with equal arguments,
  /// get equal results, for intrinsics that LLVM's back end does not mark so.
  /// May be null.
  std::function<bool(const llvm::IntrinsicInst &)> isUniform = nullptr;
};

/// Makes barriers wait for all threads that have not ended, by whatever path each
/// reaches one; see BarrierCalls.cpp and Barriers.cpp.
class BarriersPass : public llvm::PassInfoMixin<BarriersPass> {
public:
  explicit BarriersPass(BarrierOps ops) : ops(std::move(ops)) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);

private:
  BarrierOps ops;
};

/// Makes lanes reconverge before a warp operation that they reach by several
/// paths; see Reconvergence.cpp.
class ReconvergencePass : public llvm::PassInfoMixin<ReconvergencePass> {
public:
  explicit ReconvergencePass(BarrierOps ops) : ops(std::move(ops)) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);

private:
  BarrierOps ops;
};

/// In kernels, replaces the intrinsic for the active lanes by a full mask if
/// all lanes reach the call; see FullMask.cpp.
class FullMaskPass : public llvm::PassInfoMixin<FullMaskPass> {
public:
  FullMaskPass(llvm::Intrinsic::ID mask, BarrierOps ops)
      : mask(mask), ops(std::move(ops)) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

private:
  llvm::Intrinsic::ID mask;
  BarrierOps ops;
};

/// Replaces a compare-and-swap loop by one atomicrmw; see AtomicLoops.cpp. Runs
/// after loop simplification.
class AtomicLoopsPass : public llvm::PassInfoMixin<AtomicLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Metadata of loops for which UnrollSmallPass requested copies and a target's
/// assembler should make more.
inline constexpr llvm::StringLiteral MoreCopies = "xcc.loop.more_copies";

/// Requests four copies of small innermost loops whose trip count is known only
/// at run time, and no copies of loops with barriers or recursion; see
/// UnrollSmall.cpp. Runs before the unroller.
class UnrollSmallPass : public llvm::PassInfoMixin<UnrollSmallPass> {
public:
  explicit UnrollSmallPass(llvm::ArrayRef<llvm::Intrinsic::ID> barriers)
      : barriers(barriers.begin(), barriers.end()) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

private:
  llvm::SmallVector<llvm::Intrinsic::ID, 2> barriers;
};

/// Replaces copies of a few bytes by loads and stores, as wide as their
/// alignment permits; see SmallCopies.cpp. Runs after function simplification.
class SmallCopiesPass : public llvm::PassInfoMixin<SmallCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Restores an expression that Reassociate splits: q + (e & f) + (~e & g)
/// becomes q + ((e & f) | (~e & g)), which GPUs compute with one three-input
/// operation. Runs after the last Reassociate.
class RejoinChoicePass : public llvm::PassInfoMixin<RejoinChoicePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Makes variables of addresses in loops that will be fully unrolled; see
/// AddressSteps.cpp. Runs before Reassociate.
class AddressStepsPass : public llvm::PassInfoMixin<AddressStepsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Combines several steps of a shift register into one shift; see
/// ShiftSteps.cpp. Runs after loop unrolling.
class ShiftStepsPass : public llvm::PassInfoMixin<ShiftStepsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Between these two passes, a function's calls of itself look like calls of an
/// unknown function; see SelfCalls.cpp.
class HideSelfCallsPass : public llvm::PassInfoMixin<HideSelfCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
};
class ShowSelfCallsPass : public llvm::PassInfoMixin<ShowSelfCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_PASSES_H
