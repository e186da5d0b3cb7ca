// Before the pipeline: inlining and exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"
#include "Intrinsics.h"
#include "Names.h"
#include "block/fibers/FunctionNeeds.h"
#include "block/fibers/Positions.h"
#include "block/rewrites/SpinLoops.h"
#include "block/rewrites/ThreadLocals.h"
#include "exceptions/HostCalls.h"
#include "support/BlockConstants.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

/// Replaces invokes by calls. No exception leaves or crosses a function of
/// device code, because a throw ends the launch, so landing pads are dead code.
static void removeUnwinding(Function &f) {
  if (exceptions::isUnwound(f))
    return;
  for (BasicBlock &bb : f)
    if (auto *invoke = dyn_cast<InvokeInst>(bb.getTerminator()))
      changeToCall(invoke);
  removeUnreachableBlocks(f);
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallBase>(&i))
      call->setDoesNotThrow();
  f.setDoesNotThrow();
  if (f.hasPersonalityFn()) {
    bool needsPersonality =
        any_of(f, [](BasicBlock &bb) { return bb.isEHPad(); });
    if (!needsPersonality)
      f.setPersonalityFn(nullptr);
  }
}

static void alwaysInline(Function &f) {
  f.removeFnAttr(Attribute::NoInline);
  f.removeFnAttr(Attribute::OptimizeNone);
  f.addFnAttr(Attribute::AlwaysInline);
}

/// Makes block-shared variables external without an initializer. Each block has
/// its own, with undefined contents at its start. The optimizer would treat a
/// zero-initialised global with one user as ordinary: it would forward the
/// zeros or keep a value in one thread's register. It leaves declarations
/// alone.
static void hideSharedVariables(Module &m) {
  for (GlobalVariable &g : m.globals()) {
    if (!isBlockShared(g) || g.isDeclaration())
      continue;
    g.setComdat(nullptr);
    g.setInitializer(nullptr);
    g.setConstant(false);
    g.setLinkage(GlobalValue::ExternalLinkage);
    g.setVisibility(GlobalValue::HiddenVisibility);
    g.setDSOLocal(true);
  }
}

/// Marks all functions and calls that may wait for other threads as convergent.
/// If the optimizer copied such a call into both arms of a branch, each copy
/// would wait for fewer threads. The header marks only the primitives; their
/// callers are marked here.
static void markConvergent(Module &m, const FunctionNeeds &r) {
  for (Function &f : m) {
    if (r.all(f) & NeedsBarrier)
      f.setConvergent();
    for (Instruction &i : instructions(f)) {
      auto *call = dyn_cast<CallBase>(&i);
      if (!call)
        continue;
      if (r.of(*call) & NeedsBarrier)
        call->setConvergent();
      // If calls in two arms of a branch were merged, lanes that took different
      // arms would meet at one operation.
      if (intrinsicCalledBy(i).kind == IntrinsicKind::WarpBarrier ||
          r.of(*call) & NeedsWarp)
        call->addFnAttr(Attribute::NoMerge);
    }
  }
}

/// Whether \p f calls \p what, directly or through others, by name.
static bool leadsTo(const Function &f, const Function &what,
                    SmallPtrSetImpl<const Function *> &seen) {
  if (!seen.insert(&f).second)
    return false;
  return any_of(instructions(f), [&](const Instruction &i) {
    auto *call = dyn_cast<CallBase>(&i);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee == &what || leadsTo(*callee, what, seen));
  });
}

/// Makes each thread start with an errno of 0, and marks kernels that use
/// errno.
static void separateErrno(Module &m) {
  Function *errorNumber = m.getFunction("__errno_location");
  if (!errorNumber || !errorNumber->isDeclaration())
    return;
  for (Function &f : m) {
    SmallPtrSet<const Function *, 16> seen;
    if (f.isDeclaration() || !f.hasFnAttribute(attribute::CPUKernel) ||
        !leadsTo(f, *errorNumber, seen))
      continue;
    f.addFnAttr(attribute::ReadsErrno);
    IRBuilder<> b(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    b.CreateStore(b.getInt32(0), b.CreateCall(errorNumber));
  }
}

PreservedAnalyses PrepareKernelsPass::run(Module &m, ModuleAnalysisManager &) {
  setIntrinsicAttributes(m);
  localiseBlockConstants(m, isBlockShared);
  hideSharedVariables(m);
  // A program whose main runs on the CPU device does unwind, and its
  // thread_local variables belong to the threads of the process.
  if (!m.getModuleFlag(HostProgramFlag)) {
    for (Function &f : m)
      if (!f.isDeclaration())
        removeUnwinding(f);
    addYieldsToSpinLoops(m);
    separateErrno(m);
    lowerThreadLocals(m);
  }

  FunctionNeeds r(m);
  markConvergent(m, r);
  addPositions(m, r);
  for (Function &f : m)
    if (!f.isDeclaration() && !f.hasFnAttribute(attribute::CPUKernel) &&
        r.direct(f) != NeedsNothing && !r.isRecursive(f))
      alwaysInline(f);
  return PreservedAnalyses::none();
}

} // namespace xcc::block
