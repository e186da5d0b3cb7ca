// Sources of divergence on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uniformity.h"
#include "block/Intrinsics.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Dominators.h"
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

} // namespace

// Only an analysis manager can compute the analysis, because the header of its
// implementation is not public. This manager has our TTI instead of the
// target's.
Uniformity::Uniformity(Function &f, Scope scope) {
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
