// Where the passes run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"
#include "SharedOperands.h"
#include "ThreadOrder.h"

#include "llvm/Passes/PassBuilder.h"
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
static void addCleanup(ModulePassManager &MPM) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(InstCombinePass());
  LoopPassManager Rotate;
  Rotate.addPass(LoopRotatePass());
  Rotate.addPass(LICMPass(LICMOptions()));
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Rotate),
                                              /*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(InstCombinePass());
  LoopPassManager Simplify;
  Simplify.addPass(IndVarSimplifyPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(Simplify)));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
}

void addToPipeline(PassBuilder &PB, OptimizationLevel) {
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(PrepareKernelsPass());
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
        MPM.addPass(BlockFunctionPass());
        if (Level != OptimizationLevel::O0)
          addCleanup(MPM);
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(InterleaveSharedOperandsPass());
        FPM.addPass(KeepThreadOrderPass());
      });
}

} // namespace xcc::block
