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
#include "block/rewrites/FlatIndices.h"
#include "block/simd/Pass.h"

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

/// The new thread loops have seen none of the simplification pipeline, and the
/// vectorizer wants loops that have.
static void addCleanup(ModulePassManager &mpm) {
  FunctionPassManager fpm;
  fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
  fpm.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstCombinePass());
  // Before LICM, which reassociates sums and forgets that they do not wrap.
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
    // Without optimisation LLVM splits coroutines behind this.
    if (level == OptimizationLevel::O0)
      addCoroutines(mpm);
    mpm.addPass(BlockFunctionPass());
    if (program)
      return;
    if (level != OptimizationLevel::O0)
      addCleanup(mpm);
    else // of the host's code, what held a variable that kernels use
      mpm.addPass(GlobalDCEPass());
  });
  pb.registerVectorizerStartEPCallback(
      [](FunctionPassManager &fpm, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1) {
          fpm.addPass(SplitGuardedThreadsPass());
          fpm.addPass(RestrictGuardedThreadsPass());
        }
        fpm.addPass(JoinUniformAtomicsPass());
        fpm.addPass(HideRoundsPass());
        fpm.addPass(InterleaveSharedOperandsPass());
        fpm.addPass(KeepThreadOrderPass());
        fpm.addPass(SeparateWholeWarpsPass());
        if (level.getSpeedupLevel() > 1) {
          fpm.addPass(VectorizeThreadsPass());
          fpm.addPass(SkipGuardedThreadsPass());
        }
      });
}

} // namespace xcc::block
