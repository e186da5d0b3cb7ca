//===-- Codegen.cpp - From a linked module to a back end's output ---------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GPU.h"
#include "Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

OptimizationLevel levelOf(unsigned level) {
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

/// A pass builder with its analyses, which refer to each other.
struct Passes {
  explicit Passes(TargetMachine *machine, PipelineTuningOptions tuning = {})
      : builder(machine, tuning) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  PassBuilder builder;
};

} // namespace

void setMachine(Module &module, StringRef cpu, StringRef features) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (StringRef old :
         {"target-cpu", "target-features", "tune-cpu", "stack-protector-buffer-size",
          "min-legal-vector-width", "frame-pointer", "no-trapping-math"})
      function.removeFnAttr(old);
    function.addFnAttr("target-cpu", cpu);
    if (!features.empty())
      function.addFnAttr("target-features", features);
    // A library's functions are compiled with their unit.
    if (!function.hasFnAttribute(Attribute::OptimizeNone) &&
        function.hasFnAttribute(Attribute::NoInline) &&
        function.getName().starts_with("__nv_"))
      function.removeFnAttr(Attribute::NoInline);
  }
}

void keepRestrict(Module &module, const KernelTable &kernels) {
  Passes passes(nullptr);
  SROAPass promote(SROAOptions::PreserveCFG);
  for (const Kernel &kernel : kernels) {
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry || entry->isDeclaration() ||
        entry->hasFnAttribute(Attribute::OptimizeNone))
      continue;
    promote.run(*entry, passes.functions);
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

void optimise(Module &module, TargetMachine &machine, unsigned level,
              function_ref<void(PassBuilder &)> extend) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 1;
  Passes passes(&machine, tuning);
  OptimizationLevel optLevel = levelOf(level);
  passes.builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &manager, OptimizationLevel) {
        manager.addPass(AtomicLoopsPass());
      });
  if (level > 1)
    extend(passes.builder);
  ModulePassManager pipeline =
      optLevel == OptimizationLevel::O0
          ? passes.builder.buildO0DefaultPipeline(optLevel)
          : passes.builder.buildPerModuleDefaultPipeline(optLevel);
  pipeline.run(module, passes.modules);
}

Error checkDefined(const Module &module, StringRef arch,
                   const KernelTable &kernels) {
  std::string missing;
  for (const GlobalObject &object : module.global_objects()) {
    if (!isLacking(object))
      continue;
    // Who needs it: up the users to kernels.
    SmallSetVector<const Value *, 16> seen;
    seen.insert(&object);
    SmallSetVector<const Function *, 4> users;
    for (unsigned i = 0; i < seen.size(); ++i)
      for (const User *user : seen[i]->users()) {
        if (const auto *inst = dyn_cast<Instruction>(user)) {
          const Function *function = inst->getFunction();
          seen.insert(function);
          if (any_of(kernels, [&](const Kernel &kernel) {
                return kernel.symbol == function->getName();
              }))
            users.insert(function);
        } else {
          seen.insert(user);
        }
      }
    std::string needed;
    for (const Kernel &kernel : kernels)
      if (any_of(users, [&](const Function *function) {
            return function->getName() == kernel.symbol;
          }))
        needed += (needed.empty() ? " (kernel '" : ", '") + kernel.name + "'";
    missing += "\n  '" + demangle(object.getName()) + "'" + needed +
               (needed.empty() ? "" : ")");
  }
  if (missing.empty())
    return Error::success();
  return createStringError("device code for " + arch +
                           " uses what no device library has:" + missing +
                           "\ncall it on the host, or define it in device code");
}

Error emit(Module &module, TargetMachine &machine, bool assembly,
           SmallVectorImpl<char> &out) {
  raw_svector_ostream os(out);
  legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, os, nullptr,
                                  assembly ? CodeGenFileType::AssemblyFile
                                           : CodeGenFileType::ObjectFile))
    return createStringError("the code generator of " +
                             module.getTargetTriple().str() +
                             " cannot write this kind of file");
  codegen.run(module);
  return Error::success();
}

std::string tableLine(const Kernel &kernel, uint32_t groupSize,
                      uint32_t privateSize) {
  std::string line;
  raw_string_ostream os(line);
  os << kernel.symbol << '\t' << kernel.name << '\t' << kernel.kernargSize
     << '\t' << groupSize << '\t' << privateSize << '\t' << 0 << '\t'
     << kernel.maxThreads << '\t' << utohexstr(kernel.fingerprint(), true, 16);
  return line;
}

} // namespace xcc::gpu
