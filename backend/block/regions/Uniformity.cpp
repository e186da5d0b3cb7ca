// Sources of divergence on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uniformity.h"
#include "block/Intrinsics.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace xcc::block {

namespace {

class BlockTTI final : public TargetTransformInfoImplBase {
public:
  BlockTTI(const DataLayout &dl, Scope scope)
      : TargetTransformInfoImplBase(dl), scope(scope) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity
  getInstructionUniformity(const Value *v) const override {
    return isSource(v) ? InstructionUniformity::NeverUniform
                       : InstructionUniformity::Default;
  }

private:
  bool isSource(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    if (!i)
      return false;
    // Each thread has its own stack, so values loaded from it differ too.
    if (isa<AllocaInst>(i))
      return true;
    if (i->isAtomic() || i->isVolatile())
      return true;
    auto *call = dyn_cast<CallBase>(i);
    if (!call)
      return isa<VAArgInst>(i);
    // The variable's address depends on the machine thread that runs.
    if (call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
      return true;
    switch (intrinsicCalledBy(*i).kind) {
    case IntrinsicKind::None:
      return !call->doesNotAccessMemory();
    case IntrinsicKind::ThreadIdx:
    case IntrinsicKind::LinearThread:
      return scope == Scope::Block;
    case IntrinsicKind::Lane:
    case IntrinsicKind::WarpBarrier:
      return true;
    default:
      return false;
    }
  }

  Scope scope;
};

/// The value that \p phi has on all paths on which it is defined; null if it is
/// defined on all paths, or has several values.
Value *onlyDefined(const PHINode &phi) {
  if (phi.hasConstantValue() || !phi.hasConstantOrUndefValue())
    return nullptr;
  for (Value *v : phi.incoming_values())
    if (v != &phi && !isa<UndefValue>(v))
      return v;
  return nullptr;
}

/// LLVM's analysis takes `phi [x, undef]` for uniform if x is: it assumes that
/// threads on the other path get x too. Nobody gives it to them, and where one
/// value is kept for all threads, they would write what they do not have over it.
/// So they get x, or 0 where x may not have been computed.
void defineOnAllPaths(Function &f) {
  SmallVector<PHINode *, 8> partial;
  for (BasicBlock &bb : f)
    for (PHINode &phi : bb.phis())
      if (onlyDefined(phi))
        partial.push_back(&phi);
  if (partial.empty())
    return;
  DominatorTree dt(f);
  // A phi may be what another one has on all paths: from the last to the first.
  for (PHINode *phi : reverse(partial)) {
    Value *x = onlyDefined(*phi);
    BasicBlock::iterator first = phi->getParent()->getFirstInsertionPt();
    if (x && dt.dominates(x, phi) && first != phi->getParent()->end()) {
      if (!isGuaranteedNotToBePoison(x))
        x = IRBuilder<>(phi->getParent(), first)
                .CreateFreeze(x, phi->getName());
      phi->replaceAllUsesWith(x);
      phi->eraseFromParent();
      continue;
    }
    for (Use &u : phi->incoming_values())
      if (isa<UndefValue>(u))
        u.set(Constant::getNullValue(phi->getType()));
  }
}

} // namespace

// Only an analysis manager can compute the analysis, because the header of its
// implementation is not public. This manager has our TTI instead of the
// target's.
Uniformity::Uniformity(Function &f, Scope scope) {
  defineOnAllPaths(f);
  analyses.registerPass([scope] {
    return TargetIRAnalysis([scope](const Function &f) {
      return TargetTransformInfo(
          std::make_unique<BlockTTI>(f.getDataLayout(), scope));
    });
  });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return UniformityInfoAnalysis(); });
  info = &analyses.getResult<UniformityInfoAnalysis>(f);
}

} // namespace xcc::block
