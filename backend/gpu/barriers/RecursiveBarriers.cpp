// Barriers in recursive functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that reach a barrier by different paths are led to one place
// (Barriers.cpp), which requires that the call path is in one function. With
// recursion that is impossible. Lanes that return from a smaller depth wait
// after the call for those at a barrier (NVIDIA), or the wave reaches the
// barrier once for each depth (AMD). So tail recursion becomes a loop, even
// without optimisation, and other recursion is an error.

#include "BarrierCalls.h"
#include "gpu/Passes.h"
#include "gpu/checks/Checks.h"
#include "gpu/checks/Uses.h"
#include "gpu/stages/BeforePipeline.h"
#include "support/Analyses.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

bool isBarrier(const Instruction &inst, const BarrierOps &ops) {
  const auto *call = dyn_cast<CallBase>(&inst);
  return call && is_contained(ops.barriers, call->getIntrinsicID());
}

/// Functions with a barrier, and those that reach one by direct calls.
SetVector<Function *> leadingToBarriers(Module &module, const BarrierOps &ops) {
  return gpu::leadingToBarriers(
      module, [&](const CallBase &call) { return isBarrier(call, ops); });
}

/// The functions among them that call themselves, directly or through others.
SmallVector<Function *> recursiveAmong(Module &module,
                                       const SetVector<Function *> &functions) {
  SmallVector<Function *> found;
  CallGraph graph(module);
  for (auto at = scc_begin(&graph); !at.isAtEnd(); ++at)
    if (at.hasCycle())
      for (const CallGraphNode *node : *at)
        if (functions.contains(node->getFunction()))
          found.push_back(node->getFunction());
  return found;
}

/// An instruction that leads to a barrier without recursion, or null.
const Instruction *pathToBarrier(const Function &function,
                                 const SetVector<Function *> &leading,
                                 ArrayRef<Function *> recursive,
                                 const BarrierOps &ops) {
  for (const Instruction &inst : instructions(function)) {
    if (isBarrier(inst, ops))
      return &inst;
    const auto *call = dyn_cast<CallBase>(&inst);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && leading.contains(callee) && !is_contained(recursive, callee))
      return &inst;
  }
  return nullptr;
}

/// " (at file:line)" if there is debug information.
std::string position(const Instruction &inst) {
  const DILocation *at = inst.getDebugLoc();
  if (!at)
    return "";
  while (at->getInlinedAt())
    at = at->getInlinedAt();
  return formatv(" (at {0}:{1})", at->getFilename(), at->getLine()).str();
}

/// A line for each kernel that uses the function.
std::string rejection(const Module &module, const Function &function,
                      const Instruction &barrier, const KernelTable &kernels,
                      StringRef why) {
  std::string lines;
  for (const Kernel &kernel : kernels)
    if (leadsTo(module, kernel, function))
      lines += formatv("{0}:{1}: kernel '{2}' waits at a barrier in '{3}'{4}, "
                       "{5}\n",
                       kernel.file, kernel.line, kernel.name,
                       demangle(function.getName()), position(barrier), why)
                   .str();
  return lines;
}

/// Returns an error if a kernel uses a recursive function that leads to a
/// barrier.
Error rejectRecursion(Module &module, const BarrierOps &ops,
                      const KernelTable &kernels) {
  SetVector<Function *> leading = leadingToBarriers(module, ops);
  SmallVector<Function *> recursive = recursiveAmong(module, leading);
  std::string wrong;
  for (const Function *function : recursive)
    if (const Instruction *barrier =
            pathToBarrier(*function, leading, recursive, ops))
      wrong += rejection(module, *function, *barrier, kernels,
                         "which calls itself: on GPUs, threads of a warp at "
                         "different depths would never meet there");
  if (wrong.empty())
    return Error::success();
  return createStringError(wrong +
                           "note: write a loop, or let the recursion return "
                           "before the block waits\n");
}

} // namespace

Error loopRecursiveBarriers(Module &module, TargetMachine &machine,
                            const BarrierOps &ops, const KernelTable &kernels) {
  SetVector<Function *> leading = leadingToBarriers(module, ops);
  SmallVector<Function *> recursive = recursiveAmong(module, leading);
  if (recursive.empty())
    return Error::success();
  Analyses analyses(&machine);
  for (Function *function : recursive) {
    auto run = [&](auto pass) {
      analyses.functions.invalidate(*function,
                                    pass.run(*function, analyses.functions));
    };
    run(SROAPass(SROAOptions::ModifyCFG));
    run(SimplifyCFGPass());
    run(TailCallElimPass(/*UpdateFunctionEntryCount=*/false));
  }
  return rejectRecursion(module, ops, kernels);
}

Error checkBarriersInEntries(Module &module, const BarrierOps &ops,
                             const KernelTable &kernels) {
  if (Error error = rejectRecursion(module, ops, kernels))
    return error;
  std::string wrong;
  for (Function &function : module)
    // They are no longer called through pointers; see BarrierCalls.cpp.
    if (function.getCallingConv() != ops.kernels &&
        any_of(function.users(), [&](const User *user) {
          const auto *call = dyn_cast<CallBase>(user);
          return call && call->getCalledFunction() == &function;
        }))
      for (const Instruction &inst : instructions(function))
        if (isBarrier(inst, ops))
          wrong += rejection(module, function, inst, kernels,
                             "which cannot become part of its callers");
  if (wrong.empty())
    return Error::success();
  return createStringError(
      wrong + "note: on GPUs a kernel waits where its whole call path to "
              "the barrier is in one function; wait in a caller\n");
}

} // namespace xcc::gpu
