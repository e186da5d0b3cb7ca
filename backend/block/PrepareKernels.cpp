// Before the pipeline: inlining and exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"
#include "Intrinsics.h"
#include "Names.h"
#include "Positions.h"
#include "Reach.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

/// No exception leaves or crosses a function of device code: a throw ends the
/// launch. So unwinding is dead code, and an invoke a call.
static void removeUnwinding(Function &F) {
  for (BasicBlock &BB : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator()))
      changeToCall(Invoke);
  removeUnreachableBlocks(F);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Call->setDoesNotThrow();
  F.setDoesNotThrow();
  if (F.hasPersonalityFn()) {
    bool NeedsPersonality =
        any_of(F, [](BasicBlock &BB) { return BB.isEHPad(); });
    if (!NeedsPersonality)
      F.setPersonalityFn(nullptr);
  }
}

static void alwaysInline(Function &F) {
  F.removeFnAttr(Attribute::NoInline);
  F.removeFnAttr(Attribute::OptimizeNone);
  F.addFnAttr(Attribute::AlwaysInline);
}

/// Each block has its own block-shared variables, with contents that nobody
/// knows when it starts. A zero-initialised global that one kernel uses is
/// something else to the optimizer: it would forward the zeros, or keep a value
/// in one thread's register. A declaration it leaves alone.
static void hideSharedVariables(Module &M) {
  for (GlobalVariable &G : M.globals()) {
    if (!isBlockShared(G) || G.isDeclaration())
      continue;
    G.setComdat(nullptr);
    G.setInitializer(nullptr);
    G.setConstant(false);
    G.setLinkage(GlobalValue::ExternalLinkage);
    G.setVisibility(GlobalValue::HiddenVisibility);
    G.setDSOLocal(true);
  }
}

/// A function that waits for other threads is called where its call stands: a
/// copy of the call in each arm of a branch would wait for fewer of them. Only
/// the primitives say so in the header; this says it of all that lead to them.
static void markConvergent(Module &M, const Reach &R) {
  for (Function &F : M) {
    if (R.all(F) & NeedsBarrier)
      F.setConvergent();
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (R.of(*Call) & NeedsBarrier)
        Call->setConvergent();
      // Operations in two arms of a branch are not one that all lanes reach.
      if (intrinsicCalledBy(I).Kind == IntrinsicKind::WarpBarrier ||
          R.of(*Call) & NeedsWarp)
        Call->addFnAttr(Attribute::NoMerge);
    }
  }
}

PreservedAnalyses PrepareKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  setIntrinsicAttributes(M);
  hideSharedVariables(M);
  for (Function &F : M)
    if (!F.isDeclaration())
      removeUnwinding(F);

  Reach R(M);
  markConvergent(M, R);
  addPositions(M, R);
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(attribute::CPUKernel) &&
        R.direct(F) != NeedsNothing && !R.isRecursive(F))
      alwaysInline(F);
  return PreservedAnalyses::none();
}

} // namespace xcc::block
