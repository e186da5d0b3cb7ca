// Loops that need too many registers when they are unrolled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unroll.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace xcc::amdgcn {
namespace {

constexpr StringLiteral Mark = "xcc-keep-loops";

/// The limit for mayGain, before optimisation. A sort of xcc::sort has 1,300.
constexpr unsigned MostInstructions = 4000;

/// Whether the user or a pass has already decided about the loop.
bool isDecided(const Loop &loop) {
  for (StringRef name : {"llvm.loop.unroll.count", "llvm.loop.unroll.disable",
                         "llvm.loop.unroll.enable", "llvm.loop.unroll.full"})
    if (findStringMetadataForLoop(&loop, name))
      return true;
  return false;
}

/// Whether a value depends on one that changes with each iteration of the loop
/// itself. Values that change only in an inner loop do not count.
bool changesWith(const Loop &loop, const Value *value,
                 SmallPtrSetImpl<const Value *> &seen) {
  const auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !loop.contains(inst) || !seen.insert(inst).second)
    return false;
  if (isa<PHINode>(inst) && inst->getParent() == loop.getHeader())
    return true;
  return any_of(inst->operands(), [&](const Use &operand) {
    return changesWith(loop, operand, seen);
  });
}

/// Whether the loop's counter is an index into a local variable.
bool indexesLocals(const Loop &loop) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block) {
      const auto *address = dyn_cast<GetElementPtrInst>(&inst);
      if (!address || !isa<AllocaInst>(getUnderlyingObject(address)))
        continue;
      SmallPtrSet<const Value *, 16> seen;
      if (any_of(address->indices(), [&](const Use &index) {
            return changesWith(loop, index, seen);
          }))
        return true;
    }
  return false;
}

class Listener : public DiagnosticHandler {
public:
  Listener(std::unique_ptr<DiagnosticHandler> next, KernelUsages &usages,
           std::vector<gpu::LargeStack> &stacks)
      : next(std::move(next)), usages(usages), stacks(stacks) {}
  std::unique_ptr<DiagnosticHandler> next;

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (const auto *stack = dyn_cast<DiagnosticInfoStackSize>(&info);
        stack && stack->getSeverity() == DS_Error) {
      stacks.push_back({&stack->getFunction(), stack->getStackSize(),
                        stack->getStackLimit()});
      return true;
    }
    const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
    if (!remark || remark->getPassName() != "kernel-resource-usage")
      return next && next->handleDiagnostics(info);
    KernelUsage &usage = usages[remark->getFunction().getName()];
    StringRef what = remark->getRemarkName();
    for (const auto &arg : remark->getArgs()) {
      unsigned number = 0;
      if (StringRef(arg.Val).getAsInteger(10, number))
        continue;
      if (what == "Occupancy")
        usage.waves = number;
      else if (what == "ScratchSize")
        usage.scratch = number;
      else if (what == "VGPRSpill" || what == "SGPRSpill")
        usage.spills += number;
    }
    return true;
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return pass == "kernel-resource-usage" ||
           (next && next->isAnalysisRemarkEnabled(pass));
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return next && next->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return next && next->isPassedOptRemarkEnabled(pass);
  }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  KernelUsages &usages;
  std::vector<gpu::LargeStack> &stacks;
};

class Silence : public DiagnosticHandler {
public:
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
  bool isAnyRemarkEnabled() const override { return false; }
};

} // namespace

/// The kernel and all functions that it calls by name.
static SetVector<Function *> calledBy(Function &kernel) {
  SetVector<Function *> found;
  found.insert(&kernel);
  for (unsigned n = 0; n != found.size(); ++n)
    for (Instruction &inst : instructions(*found[n]))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration())
          found.insert(callee);
  return found;
}

bool mayGain(Function &kernel) {
  unsigned size = 0;
  for (const Function *function : calledBy(kernel))
    size += function->getInstructionCount();
  return size <= MostInstructions;
}

void keepLoops(Function &kernel) {
  for (Function *function : calledBy(kernel))
    function->addFnAttr(Mark);
}

PreservedAnalyses KeepLoopsPass::run(Loop &loop, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &analyses,
                                     LPMUpdater &) {
  // LLVM does not unroll loops without a known bound.
  if (isDecided(loop) || (!analyses.SE.getSmallConstantTripCount(&loop) &&
                          !analyses.SE.getSmallConstantMaxTripCount(&loop)))
    return PreservedAnalyses::all();
  if (indexesLocals(loop))
    return PreservedAnalyses::all();
  found = true;
  if (loop.getHeader()->getParent()->hasFnAttribute(Mark))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
  return PreservedAnalyses::all();
}

UsageListener::UsageListener(LLVMContext &context, KernelUsages &usages,
                             std::vector<gpu::LargeStack> &stacks)
    : context(context) {
  context.setDiagnosticHandler(std::make_unique<Listener>(
      context.getDiagnosticHandler(), usages, stacks));
}

UsageListener::~UsageListener() {
  auto listener = context.getDiagnosticHandler();
  context.setDiagnosticHandler(
      std::move(static_cast<Listener &>(*listener).next));
}

SuppressedMessages::SuppressedMessages(LLVMContext &context)
    : context(context), before(context.getDiagnosticHandler()) {
  context.setDiagnosticHandler(std::make_unique<Silence>());
}

SuppressedMessages::~SuppressedMessages() {
  context.setDiagnosticHandler(std::move(before));
}

} // namespace xcc::amdgcn
