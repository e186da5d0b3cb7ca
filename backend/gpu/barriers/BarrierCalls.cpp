// Inlines functions that contain barriers into kernels' entries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The paths to a barrier can be analysed and changed (Barriers.cpp) only if
// they are in one function. Also, a thread that returns from a kernel which its
// entry calls has not ended for the GPU: it waits after the call for threads
// that are still in the kernel, and they may wait for it at a barrier.
//
// So kernels are inlined into their entries, and every function that leads to a
// barrier into its callers. A call through a pointer that may call such a
// function is first compared with those whose address is taken.

#include "gpu/barriers/BarrierCalls.h"
#include "gpu/Passes.h"
#include "gpu/stages/BeforePipeline.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <set>

using namespace llvm;

namespace xcc::gpu {

SetVector<Function *>
leadingToBarriers(Module &module,
                  function_ref<bool(const CallBase &)> isBarrier) {
  SetVector<Function *> leading;
  for (Function &function : module)
    if (any_of(instructions(function), [&](const Instruction &inst) {
          auto *call = dyn_cast<CallBase>(&inst);
          return call && isBarrier(*call);
        }))
      leading.insert(&function);
  for (unsigned i = 0; i != leading.size(); ++i)
    for (User *user : leading[i]->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == leading[i])
        leading.insert(call->getFunction());
  return leading;
}

namespace {

bool inlineCall(CallBase &call) {
  // Some functions, such as variadic ones, cannot be inlined.
  if (Function *callee = call.getCalledFunction();
      callee && !isInlineViable(*callee).isSuccess())
    return false;
  InlineFunctionInfo info;
  return InlineFunction(call, info, /*MergeAttributes=*/true).isSuccess();
}

class BarrierCalls {
public:
  BarrierCalls(Module &module, function_ref<bool(const CallBase &)> isBarrier)
      : module(module), isBarrier(isBarrier) {}

  bool run() {
    collect();
    if (leading.empty())
      return false;
    while (nameCandidates())
      collect();
    inlineLeading();
    return true;
  }

private:
  Module &module;
  function_ref<bool(const CallBase &)> isBarrier;
  SetVector<Function *> leading; ///< functions that lead to a barrier
  std::set<std::pair<CallBase *, Function *>> compared;

  void collect() { leading = leadingToBarriers(module, isBarrier); }

  /// Adds a direct call of each function that leads to a barrier and that a
  /// call through a pointer may call.
  bool nameCandidates() {
    SmallVector<Function *> candidates;
    for (Function *function : leading)
      if (function->hasAddressTaken())
        candidates.push_back(function);
    if (candidates.empty())
      return false;
    SmallVector<CallInst *> calls;
    for (Function &function : module)
      for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&inst);
            call && call->isIndirectCall() && !call->isInlineAsm())
          calls.push_back(call);
    bool changed = false;
    for (CallInst *call : calls)
      for (Function *candidate : candidates)
        if (candidate->getFunctionType() == call->getFunctionType() &&
            compared.insert({call, candidate}).second) {
          compare(*call, *candidate);
          changed = true;
        }
    return changed;
  }

  /// pointer == &candidate ? candidate(...) : pointer(...)
  static void compare(CallInst &call, Function &candidate) {
    IRBuilder<> builder(&call);
    Value *same = builder.CreateICmpEQ(
        call.getCalledOperand(),
        builder.CreatePointerBitCastOrAddrSpaceCast(
            &candidate, call.getCalledOperand()->getType()));
    Instruction *then, *otherwise;
    SplitBlockAndInsertIfThenElse(same, call.getIterator(), &then, &otherwise);
    auto *direct = cast<CallInst>(call.clone());
    direct->setCalledFunction(&candidate);
    direct->setCallingConv(candidate.getCallingConv());
    direct->insertBefore(then->getIterator());
    BasicBlock *join = call.getParent();
    call.moveBefore(otherwise->getIterator());
    if (call.use_empty())
      return;
    auto *result = PHINode::Create(call.getType(), 2, "", join->begin());
    call.replaceAllUsesWith(result);
    result->addIncoming(direct, then->getParent());
    result->addIncoming(&call, otherwise->getParent());
  }

  void inlineLeading() {
    // Inline callees first.
    SmallVector<Function *> order;
    {
      CallGraph graph(module);
      for (auto at = scc_begin(&graph); !at.isAtEnd(); ++at)
        for (CallGraphNode *node : *at)
          if (Function *function = node->getFunction();
              function && leading.contains(function))
            if (!at.hasCycle())
              order.push_back(function);
    }
    for (Function *callee : order) {
      SmallVector<CallBase *> calls;
      for (User *user : callee->users())
        if (auto *call = dyn_cast<CallBase>(user);
            call && call->getCalledFunction() == callee)
          calls.push_back(call);
      for (CallBase *call : calls)
        inlineCall(*call);
      if (callee->hasLocalLinkage() && callee->use_empty())
        callee->eraseFromParent();
    }
  }
};

} // namespace

void inlineKernels(Module &module, const KernelTable &kernels) {
  for (const Kernel &kernel : kernels) {
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry || entry->isDeclaration())
      continue;
    SmallVector<CallBase *> calls;
    for (Instruction &inst : instructions(*entry))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && callee != entry)
          calls.push_back(call);
    for (CallBase *call : calls)
      inlineCall(*call);
  }
}

bool inlineBarriers(Module &module,
                    function_ref<bool(const CallBase &)> isBarrier) {
  return BarrierCalls(module, isBarrier).run();
}

} // namespace xcc::gpu
