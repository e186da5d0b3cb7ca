// LLVM's analyses, for pipelines and single passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_ANALYSES_H
#define XCC_BACKEND_SUPPORT_ANALYSES_H

#include "CompileLimit.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"

namespace xcc {

/// A pass builder with its analyses, which refer to each other.
struct Analyses {
  explicit Analyses(llvm::TargetMachine *machine,
                    llvm::PipelineTuningOptions tuning = {})
      : builder(machine, tuning, std::nullopt,
                CompileLimit::isSet() ? &callbacks : nullptr) {
    CompileLimit::watch(callbacks);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::PassBuilder builder;
};

/// LLVM's tuning for device code at a level of -O: vectorised from 2 on.
inline llvm::PipelineTuningOptions tuningOf(unsigned level) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 1;
  return tuning;
}

/// LLVM's pipeline of a level, with the callbacks registered with its builder.
inline llvm::ModulePassManager pipelineOf(llvm::PassBuilder &builder,
                                          llvm::OptimizationLevel level) {
  return level == llvm::OptimizationLevel::O0
             ? builder.buildO0DefaultPipeline(level)
             : builder.buildPerModuleDefaultPipeline(level);
}

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_ANALYSES_H
