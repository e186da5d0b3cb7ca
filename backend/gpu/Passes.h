// Our passes in the pipelines of GPUs
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

/// How a target writes barriers of a block and reconvergence of a warp.
struct BarrierOps {
  llvm::CallingConv::ID kernels;
  llvm::SmallVector<llvm::Intrinsic::ID, 2> barriers;
  /// Whether an i1 is true for any lane of the warp. All lanes that have not ended
  /// execute it together.
  std::function<llvm::Value *(llvm::IRBuilder<> &, llvm::Value *)> any;
  /// A barrier that all lanes that have not ended execute together.
  std::function<void(llvm::IRBuilder<> &)> barrier;
  /// Ends a thread; null if a return does.
  std::function<void(llvm::IRBuilder<> &)> end;
  /// Makes a barrier one that lanes need not reach together.
  std::function<void(llvm::CallInst &)> loosen;
  /// Whether a warp has one program counter. After a divergent branch, the lanes
  /// of one path have then not begun when those of another reach a barrier.
  bool pathsInTurn = false;
  /// `lanes` gives the set of lanes that are together here. `gather` is where the
  /// lanes of such a set reconverge, all that have not ended. `lanes` is null if
  /// the target needs no set.
  std::function<llvm::Value *(llvm::IRBuilder<> &)> lanes;
  std::function<void(llvm::IRBuilder<> &, llvm::Value *)> gather;
  /// Whether lanes that call an intrinsic of the target's together, with equal
  /// arguments, get equal results, of those for which LLVM's back end does not
  /// say so. Null where it leaves out none.
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

/// Replaces calls of the intrinsic that asks for the active lanes by a full
/// mask, in kernels, where all lanes come; see FullMask.cpp.
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

/// Makes one atomicrmw of a compare-and-swap loop; see AtomicLoops.cpp. Runs
/// once loops have been simplified.
class AtomicLoopsPass : public llvm::PassInfoMixin<AtomicLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// What loops have in their metadata of which UnrollSmallPass asked for copies and
/// a target's assembler makes more.
inline constexpr llvm::StringLiteral MoreCopies = "xcc.loop.more_copies";

/// Asks for four copies of small innermost loops whose trip count is known only
/// at run time, and for no more of those with barriers or recursion; see UnrollSmall.cpp.
/// Runs before the unroller.
class UnrollSmallPass : public llvm::PassInfoMixin<UnrollSmallPass> {
public:
  explicit UnrollSmallPass(llvm::ArrayRef<llvm::Intrinsic::ID> barriers)
      : barriers(barriers.begin(), barriers.end()) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

private:
  llvm::SmallVector<llvm::Intrinsic::ID, 2> barriers;
};

/// Makes loads and stores of copies of a few bytes, as wide as their alignment
/// lets them be; see SmallCopies.cpp. Runs once functions have been simplified.
class SmallCopiesPass : public llvm::PassInfoMixin<SmallCopiesPass> {
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

/// Makes variables of the addresses in loops that will be unrolled whole; see
/// AddressSteps.cpp. Runs before Reassociate.
class AddressStepsPass : public llvm::PassInfoMixin<AddressStepsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Makes one shift of several steps of a shift register; see ShiftSteps.cpp.
/// Runs once loops have been unrolled.
class ShiftStepsPass : public llvm::PassInfoMixin<ShiftStepsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// From one to the other, calls of a function to itself are calls of something
/// unknown; see SelfCalls.cpp.
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
