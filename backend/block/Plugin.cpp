// The passes for opt
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// opt-22 -load-pass-plugin=XccBlockPlugin.so -passes=xcc-prepare,xcc-block, or
// a default pipeline: -xcc-block-pipeline -passes='default<O3>'.
#include "BlockFunction.h"
#include "SharedOperands.h"
#include "ThreadOrder.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> InPipeline("xcc-block-pipeline", cl::Hidden,
                                cl::desc("Add the passes to the pipelines"));

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  auto Register = [](PassBuilder &PB) {
    if (InPipeline)
      xcc::block::addToPipeline(PB, OptimizationLevel::O3);
    PB.registerPipelineParsingCallback(
        [](StringRef Name, ModulePassManager &MPM,
           ArrayRef<PassBuilder::PipelineElement>) {
          if (Name == "xcc-prepare")
            MPM.addPass(xcc::block::PrepareKernelsPass());
          else if (Name == "xcc-block")
            MPM.addPass(xcc::block::BlockFunctionPass());
          else
            return false;
          return true;
        });
    PB.registerPipelineParsingCallback(
        [](StringRef Name, FunctionPassManager &FPM,
           ArrayRef<PassBuilder::PipelineElement>) {
          if (Name == "xcc-interleave")
            FPM.addPass(xcc::block::InterleaveSharedOperandsPass());
          else if (Name == "xcc-thread-order")
            FPM.addPass(xcc::block::KeepThreadOrderPass());
          else
            return false;
          return true;
        });
  };
  return {LLVM_PLUGIN_API_VERSION, "xcc-block", "0.1", Register};
}
