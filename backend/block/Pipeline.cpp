// Where the passes run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"
#include "block/loops/GuardRanges.h"
#include "block/loops/GuardSplits.h"
#include "block/loops/Rounds.h"
#include "block/loops/SharedOperands.h"
#include "block/loops/StridedGuards.h"
#include "block/loops/ThreadOrder.h"
#include "block/loops/UniformAtomics.h"
#include "block/loops/WholeWarps.h"
#include "block/loops/WideIndices.h"
#include "block/rewrites/FlatIndices.h"
#include "block/simd/JoinedAccesses.h"
#include "block/simd/Pass.h"
#include "block/warps/DeadSlots.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroConditionalWrapper.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace xcc::block {

/// Simplifies the new thread loops, because the simplification pipeline ran
/// before them and the vectorizer needs simple loops.
static void addCleanup(ModulePassManager &mpm) {
  FunctionPassManager fpm;
  fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
  fpm.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstCombinePass());
  // Before LICM, which reassociates sums and drops their nsw and nuw flags.
  LoopPassManager widen;
  widen.addPass(LoopRotatePass());
  widen.addPass(IndVarSimplifyPass());
  fpm.addPass(createFunctionToLoopPassAdaptor(std::move(widen)));
  LoopPassManager hoist;
  hoist.addPass(LICMPass(LICMOptions()));
  fpm.addPass(createFunctionToLoopPassAdaptor(std::move(hoist),
                                              /*UseMemorySSA=*/true));
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstCombinePass());
  LoopPassManager simplify;
  simplify.addPass(IndVarSimplifyPass());
  fpm.addPass(createFunctionToLoopPassAdaptor(std::move(simplify)));
  fpm.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
}

static void addCoroutines(ModulePassManager &mpm) {
  ModulePassManager coroutines;
  coroutines.addPass(CoroEarlyPass());
  CGSCCPassManager split;
  split.addPass(CoroSplitPass());
  coroutines.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(split)));
  coroutines.addPass(CoroCleanupPass());
  mpm.addPass(CoroConditionalWrapper(std::move(coroutines)));
}

void addToPipeline(PassBuilder &pb, OptimizationLevel, bool program) {
  pb.registerPipelineStartEPCallback(
      [](ModulePassManager &mpm, OptimizationLevel) {
        mpm.addPass(PrepareKernelsPass());
      });
  pb.registerPeepholeEPCallback(
      [](FunctionPassManager &fpm, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          fpm.addPass(JoinIndicesPass());
      });
  pb.registerOptimizerEarlyEPCallback([program](ModulePassManager &mpm,
                                                OptimizationLevel level,
                                                ThinOrFullLTOPhase) {
    // At -O0, LLVM splits coroutines only after this extension point.
    if (level == OptimizationLevel::O0)
      addCoroutines(mpm);
    mpm.addPass(BlockFunctionPass());
    if (program)
      return;
    if (level != OptimizationLevel::O0)
      addCleanup(mpm);
    else // host code that held a variable used by kernels
      mpm.addPass(GlobalDCEPass());
  });
  pb.registerVectorizerStartEPCallback(
      [](FunctionPassManager &fpm, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1) {
          fpm.addPass(WidenIndicesPass());
          fpm.addPass(SplitGuardedThreadsPass());
          fpm.addPass(RestrictGuardedThreadsPass());
        }
        fpm.addPass(JoinUniformAtomicsPass());
        fpm.addPass(HideWrappingIndicesPass());
        fpm.addPass(InterleaveSharedOperandsPass());
        fpm.addPass(KeepThreadOrderPass());
        fpm.addPass(SeparateWholeWarpsPass());
        if (level.getSpeedupLevel() > 1) {
          fpm.addPass(VectorizeThreadsPass());
          fpm.addPass(SkipGuardedThreadsPass());
        }
      });
  pb.registerVectorizerEndEPCallback(
      [](FunctionPassManager &fpm, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          fpm.addPass(JoinAccessesPass());
      });
  pb.registerOptimizerLastEPCallback(
      [](ModulePassManager &mpm, OptimizationLevel level, ThinOrFullLTOPhase) {
        if (level.getSpeedupLevel() > 1)
          mpm.addPass(createModuleToFunctionPassAdaptor(DropDeadSlotsPass()));
      });
}

} // namespace xcc::block
