// The passes for opt
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// opt-22 -load-pass-plugin=XccBlockPlugin.so -passes=xcc-prepare,xcc-block, or
// a default pipeline: -xcc-block-pipeline -passes='default<O3>'.
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
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> inPipeline("xcc-block-pipeline", cl::Hidden,
                                cl::desc("Add the passes to the pipelines"));

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  auto addPasses = [](PassBuilder &pb) {
    if (inPipeline)
      xcc::block::addToPipeline(pb, OptimizationLevel::O3);
    pb.registerPipelineParsingCallback(
        [](StringRef name, ModulePassManager &mpm,
           ArrayRef<PassBuilder::PipelineElement>) {
          if (name == "xcc-prepare")
            mpm.addPass(xcc::block::PrepareKernelsPass());
          else if (name == "xcc-block")
            mpm.addPass(xcc::block::BlockFunctionPass());
          else
            return false;
          return true;
        });
    pb.registerPipelineParsingCallback(
        [](StringRef name, FunctionPassManager &fpm,
           ArrayRef<PassBuilder::PipelineElement>) {
          if (name == "xcc-join-atomics")
            fpm.addPass(xcc::block::JoinUniformAtomicsPass());
          else if (name == "xcc-hide-rounds")
            fpm.addPass(xcc::block::HideWrappingIndicesPass());
          else if (name == "xcc-interleave")
            fpm.addPass(xcc::block::InterleaveSharedOperandsPass());
          else if (name == "xcc-thread-order")
            fpm.addPass(xcc::block::KeepThreadOrderPass());
          else if (name == "xcc-whole-warps")
            fpm.addPass(xcc::block::SeparateWholeWarpsPass());
          else if (name == "xcc-join-accesses")
            fpm.addPass(xcc::block::JoinAccessesPass());
          else if (name == "xcc-dead-slots")
            fpm.addPass(xcc::block::DropDeadSlotsPass());
          else if (name == "xcc-widen-indices")
            fpm.addPass(xcc::block::WidenIndicesPass());
          else if (name == "xcc-split-guards")
            fpm.addPass(xcc::block::SplitGuardedThreadsPass());
          else if (name == "xcc-restrict-guards")
            fpm.addPass(xcc::block::RestrictGuardedThreadsPass());
          else if (name == "xcc-simd")
            fpm.addPass(xcc::block::VectorizeThreadsPass());
          else if (name == "xcc-join-indices")
            fpm.addPass(xcc::block::JoinIndicesPass());
          else if (name == "xcc-strided-guards")
            fpm.addPass(xcc::block::SkipGuardedThreadsPass());
          else
            return false;
          return true;
        });
  };
  return {LLVM_PLUGIN_API_VERSION, "xcc-block", "0.1", addPasses};
}
