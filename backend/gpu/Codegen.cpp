// From a linked module to a back end's output
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPU.h"
#include "Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
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
         {"target-cpu", "target-features", "tune-cpu",
          "stack-protector-buffer-size", "min-legal-vector-width",
          "frame-pointer", "no-trapping-math"})
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

/// A linked module needs no second names; not every assembler knows them.
static void resolveAliases(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

void optimise(Module &module, TargetMachine &machine, unsigned level,
              const BarrierTarget &target,
              function_ref<void(PassBuilder &, unsigned)> extend) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 1;
  Passes passes(&machine, tuning);
  OptimizationLevel optLevel = levelOf(level);
  passes.builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &manager, OptimizationLevel) {
        manager.addPass(AtomicLoopsPass());
      });
  // Before what asks which lanes come to a warp operation together.
  passes.builder.registerOptimizerLastEPCallback(
      [&](ModulePassManager &manager, OptimizationLevel, ThinOrFullLTOPhase) {
        manager.addPass(BarriersPass(target));
        manager.addPass(MeetingsPass(target));
      });
  if (level)
    extend(passes.builder, level);
  resolveAliases(module);
  ModulePassManager pipeline;
  // Without optimisation too, nothing is asked for by what no kernel reaches.
  pipeline.addPass(GlobalDCEPass());
  pipeline.addPass(
      optLevel == OptimizationLevel::O0
          ? passes.builder.buildO0DefaultPipeline(optLevel)
          : passes.builder.buildPerModuleDefaultPipeline(optLevel));
  pipeline.run(module, passes.modules);
}

namespace {

/// "kernel 'f(int)', kernel 'g()'": the kernels that lead to a value.
std::string kernelsThatUse(const GlobalObject &object,
                           const KernelTable &kernels) {
  SmallSetVector<const Value *, 16> seen;
  seen.insert(&object);
  for (unsigned i = 0; i < seen.size(); ++i)
    for (const User *user : seen[i]->users()) {
      if (const auto *inst = dyn_cast<Instruction>(user))
        seen.insert(inst->getFunction());
      else
        seen.insert(user);
    }
  std::string names;
  for (const Kernel &kernel : kernels)
    if (any_of(seen, [&](const Value *value) {
          return isa<Function>(value) && value->getName() == kernel.symbol;
        }))
      names += (names.empty() ? "kernel '" : ", kernel '") + kernel.name + "'";
  return names;
}

/// Every function and variable that a function leads to.
void collectUsed(const Value &from,
                 SmallSetVector<const GlobalObject *, 32> &used) {
  if (const auto *object = dyn_cast<GlobalObject>(&from)) {
    if (!used.insert(object))
      return;
    if (const auto *function = dyn_cast<Function>(object)) {
      for (const Instruction &inst : instructions(function))
        for (const Value *operand : inst.operands())
          if (isa<Constant>(operand))
            collectUsed(*operand, used);
      return;
    }
  }
  if (const auto *constant = dyn_cast<Constant>(&from))
    for (const Value *operand : constant->operands())
      collectUsed(*operand, used);
}

} // namespace

bool leadsTo(const Module &module, const Kernel &kernel,
             const Function &function) {
  const Function *entry = module.getFunction(kernel.symbol);
  SmallSetVector<const GlobalObject *, 32> used;
  if (entry)
    collectUsed(*entry, used);
  return used.contains(&function);
}

Error checkDefined(const Module &module, const KernelTable &kernels) {
  std::string missing;
  for (const GlobalObject &object : module.global_objects()) {
    if (!isLacking(object))
      continue;
    std::string users = kernelsThatUse(object, kernels);
    missing += "device code uses '" + demangle(object.getName()) +
               "', which nothing in this link defines for a device";
    if (!users.empty())
      missing += "; used by " + users;
    missing += '\n';
  }
  if (missing.empty())
    return Error::success();
  return createStringError(
      missing + "note: link the object that defines it, compiled by xcc with "
                "XCC_EXPORT on the declaration, or mark it XCC_HOST if the "
                "host is to run it\n");
}

Error checkShared(const Module &module, StringRef arch, uint64_t limit,
                  const KernelTable &kernels) {
  std::string wrong;
  for (const Kernel &kernel : kernels) {
    const Function *entry = module.getFunction(kernel.symbol);
    if (!entry)
      continue;
    SmallSetVector<const GlobalObject *, 32> used;
    collectUsed(*entry, used);
    uint64_t bytes = 0;
    for (const GlobalObject *object : used)
      if (const auto *variable = dyn_cast<GlobalVariable>(object);
          variable && variable->getAddressSpace() == SharedAddressSpace)
        bytes =
            alignTo(bytes, variable->getAlign().valueOrOne()) +
            module.getDataLayout().getTypeAllocSize(variable->getValueType());
    if (bytes > limit)
      wrong +=
          formatv("{0}:{1}: kernel '{2}' has {3} bytes of block-shared "
                  "variables, and on {4} a block has {5}\n",
                  kernel.file, kernel.line, kernel.name, bytes, arch, limit)
              .str();
  }
  if (wrong.empty())
    return Error::success();
  return createStringError(wrong + "note: make them smaller, or let the launch "
                                   "ask for memory: xcc::dynamic_shared\n");
}

Error checkWarpOperations(const Module &module, StringRef arch,
                          const KernelTable &kernels) {
  for (const Function &function : module)
    if (function.isIntrinsic() && !function.use_empty() &&
        (function.getName().starts_with("llvm.nvvm.shfl.") ||
         function.getName().starts_with("llvm.nvvm.vote.") ||
         function.getName().starts_with("llvm.nvvm.activemask") ||
         function.getName().starts_with("llvm.nvvm.bar.warp")))
      return createStringError(kernelsThatUse(function, kernels) +
                               " uses an operation of warps that " + arch +
                               " does not have; compile for sm_30 or newer\n");
  return Error::success();
}

/// Adds a column, 1, to the rows of kernels for which `holds` of all that they
/// lead to.
static void
markKernels(rt::KernelTableWriter &rows, const Module &module,
            const KernelTable &kernels, StringRef column,
            function_ref<bool(const SmallSetVector<const GlobalObject *, 32> &)>
                holds) {
  for (const Kernel &kernel : kernels)
    if (const Function *entry = module.getFunction(kernel.symbol)) {
      SmallSetVector<const GlobalObject *, 32> used;
      collectUsed(*entry, used);
      if (holds(used))
        rows.column(kernel.symbol, column, 1);
    }
}

void markCalls(rt::KernelTableWriter &rows, const Module &module,
               const KernelTable &kernels) {
  const GlobalVariable *rpc = module.getNamedGlobal(XCC_SYMBOL_RPC);
  if (rpc)
    markKernels(rows, module, kernels, "calls",
                [&](const auto &used) { return used.contains(rpc); });
}

void markStacks(rt::KernelTableWriter &rows, const Module &module,
                const KernelTable &kernels) {
  SmallPtrSet<const Function *, 8> unknown;
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function)) {
      const auto *variable = dyn_cast<AllocaInst>(&inst);
      const auto *call = dyn_cast<CallBase>(&inst);
      if ((variable && !variable->isStaticAlloca()) ||
          (call && call->isIndirectCall()))
        unknown.insert(&function);
    }
  CallGraph graph(const_cast<Module &>(module));
  for (auto at = scc_begin(&graph); !at.isAtEnd(); ++at)
    if (at.hasCycle())
      for (const CallGraphNode *node : *at)
        if (node->getFunction())
          unknown.insert(node->getFunction());
  if (!unknown.empty())
    markKernels(rows, module, kernels, "dynamic_stack", [&](const auto &used) {
      return any_of(used, [&](const GlobalObject *object) {
        const auto *function = dyn_cast<Function>(object);
        return function && unknown.contains(function);
      });
    });
}

} // namespace xcc::gpu
