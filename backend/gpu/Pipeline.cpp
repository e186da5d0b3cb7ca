// Optimises a linked module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gpu/stages/Pipeline.h"
#include "Passes.h"
#include "access/KernelAccess.h"
#include "gpu/stages/BeforePipeline.h"
#include "link/Variant.h"
#include "support/Analyses.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace xcc::gpu {

static OptimizationLevel levelOf(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

void setMachine(Module &module, StringRef cpu, StringRef features) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (StringRef old :
         {"target-cpu", "target-features", "tune-cpu",
          "stack-protector-buffer-size", "min-legal-vector-width",
          "frame-pointer", "no-trapping-math"})
      function.removeFnAttr(old);
    function.addFnAttr("target-cpu", cpu);
    if (!features.empty())
      function.addFnAttr("target-features", features);
  }
}

void flushDenormals(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

void keepRestrict(Module &module, const KernelTable &kernels) {
  Analyses analyses(nullptr);
  SROAPass promote(SROAOptions::PreserveCFG);
  for (const Kernel &kernel : kernels) {
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry || entry->isDeclaration() ||
        entry->hasFnAttribute(Attribute::OptimizeNone))
      continue;
    promote.run(*entry, analyses.functions);
    for (Argument &arg : entry->args()) {
      if (!arg.getType()->isPointerTy() || !arg.hasOneUse())
        continue;
      auto *call = dyn_cast<CallInst>(arg.user_back());
      if (call && call->isArgOperand(&*arg.use_begin()) &&
          call->paramHasAttr(call->getArgOperandNo(&*arg.use_begin()),
                             Attribute::NoAlias))
        arg.addAttr(Attribute::NoAlias);
    }
  }
}

/// Replaces aliases, which a linked module does not need and some assemblers do
/// not support.
static void resolveAliases(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

void optimise(Module &module, TargetMachine &machine, unsigned level,
              const KernelTable &kernels, const BarrierOps &ops,
              function_ref<void(PassBuilder &)> extend) {
  Analyses analyses(&machine, tuningOf(level));
  PassBuilder &builder = analyses.builder;
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &manager, OptimizationLevel) {
        manager.addPass(AtomicLoopsPass());
      });
  // Before passes that compute which lanes reach a warp operation together.
  builder.registerOptimizerLastEPCallback(
      [&](ModulePassManager &manager, OptimizationLevel, ThinOrFullLTOPhase) {
        manager.addPass(BarriersPass(ops));
        manager.addPass(ReconvergencePass(ops));
      });
  access::addToPipeline(builder, kernels, KernelArguments::Values);
  addConstantsToPipeline(builder);
  if (level)
    extend(builder);
  resolveAliases(module);
  ModulePassManager pipeline;
  // At -O0 too: code that no kernel calls must not require libraries.
  pipeline.addPass(GlobalDCEPass());
  pipeline.addPass(pipelineOf(builder, levelOf(level)));
  pipeline.run(module, analyses.modules);
}

} // namespace xcc::gpu
