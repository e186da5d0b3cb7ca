// Sources of divergence on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uniformity.h"
#include "Intrinsics.h"

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
  explicit BlockTTI(const DataLayout &DL) : TargetTransformInfoImplBase(DL) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity
  getInstructionUniformity(const Value *V) const override {
    return isSource(V) ? InstructionUniformity::NeverUniform
                       : InstructionUniformity::Default;
  }

private:
  static bool isSource(const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return false;
    // A thread's stack is its own; so is what it loads through such addresses.
    if (isa<AllocaInst>(I))
      return true;
    if (I->isAtomic() || I->isVolatile())
      return true;
    auto *Call = dyn_cast<CallBase>(I);
    if (!Call)
      return isa<VAArgInst>(I);
    switch (intrinsicCalledBy(*I).Kind) {
    case IntrinsicKind::None:
      return !Call->doesNotAccessMemory();
    case IntrinsicKind::ThreadIdx:
    case IntrinsicKind::LinearThread:
    case IntrinsicKind::WarpBarrier:
      return true;
    default:
      return false;
    }
  }
};

} // namespace

// The analysis can only be had from an analysis manager: its implementation is
// not in a public header. This manager knows our TTI instead of the target's.
Uniformity::Uniformity(Function &F) {
  Analyses.registerPass([] {
    return TargetIRAnalysis([](const Function &F) {
      return TargetTransformInfo(std::make_unique<BlockTTI>(F.getDataLayout()));
    });
  });
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return CycleAnalysis(); });
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return UniformityInfoAnalysis(); });
  Info = &Analyses.getResult<UniformityInfoAnalysis>(F);
}

} // namespace xcc::block
