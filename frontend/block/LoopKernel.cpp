//===-- block/LoopKernel.cpp - Building block functions from regions ------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopKernel.h"
#include "Abi.h"
#include "Intrinsics.h"
#include "LowerQueries.h"
#include "ParallelLoops.h"
#include "ThreadLoops.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

namespace {

class LoopKernelBuilder {
public:
  LoopKernelBuilder(const RegionPlan &Plan, const LoopKernelOptions &Options)
      : Plan(Plan), Options(Options) {}

  LoopKernel build(Function &Kernel, const SharedLayout &Layout);

private:
  /// Puts one region in its thread loops.
  void wrapRegion(const Region &R, unsigned Number);
  void lowerThreadQueriesOf(const Region &R, const ThreadLoops &Loops);
  void updateThreadRecord(IRBuilderBase &B, const ThreadLoops &Loops);
  /// Frees, at a thread's end, what it allocated on the stack.
  void restoreStack(const Region &R, const ThreadLoops &Loops);
  void connectRegions();

  const RegionPlan &Plan;
  const LoopKernelOptions &Options;
  KernelBody Code;
  LaunchShape Shape;
  BlockLoop Blocks;
  std::vector<ThreadLoops> LoopsOf; ///< by region
};

} // namespace

void LoopKernelBuilder::updateThreadRecord(IRBuilderBase &B,
                                           const ThreadLoops &Loops) {
  Value *Record = GroupFields{Code.group()}.thread(B);
  auto Store = [&](Value *V, uint64_t Offset) {
    B.CreateStore(V, byteOffset(B, Record, Offset));
  };
  for (unsigned D = 0; D < 3; ++D) {
    Store(Loops.ThreadIdx[D], offsetof(xcc_cpu_thread, thread_idx) + 4 * D);
    Store(Blocks.BlockIdx[D], offsetof(xcc_cpu_thread, block_idx) + 4 * D);
  }
  Store(Loops.Linear, offsetof(xcc_cpu_thread, linear_thread));
  Store(Code.group(), offsetof(xcc_cpu_thread, group));
}

void LoopKernelBuilder::lowerThreadQueriesOf(const Region &R,
                                             const ThreadLoops &Loops) {
  for (BasicBlock *BB : R.Blocks)
    for (Instruction &I : make_early_inc_range(*BB)) {
      Intrinsic In = intrinsicCalledBy(I);
      Value *V;
      if (In.Kind == IntrinsicKind::ThreadIdx)
        V = Loops.ThreadIdx[In.Dim];
      else if (In.Kind == IntrinsicKind::BlockIdx)
        V = Blocks.BlockIdx[In.Dim];
      else if (In.Kind == IntrinsicKind::LinearThread)
        V = Loops.Linear;
      else
        continue;
      I.replaceAllUsesWith(V);
      I.eraseFromParent();
    }
}

void LoopKernelBuilder::restoreStack(const Region &R,
                                     const ThreadLoops &Loops) {
  bool Allocates = any_of(R.Blocks, [](BasicBlock *BB) {
    return any_of(*BB, [](Instruction &I) { return isa<AllocaInst>(I); });
  });
  if (!Allocates)
    return;
  IRBuilder<> B(Loops.Begin);
  Value *Saved = B.CreateStackSave();
  B.SetInsertPoint(&*Loops.End->getFirstInsertionPt());
  B.CreateStackRestore(Saved);
}

void LoopKernelBuilder::wrapRegion(const Region &R, unsigned Number) {
  Function &F = *Code.F;
  ThreadLoops Loops =
      ThreadLoops::create(F, Shape, "region" + Twine(Number));
  LoopsOf[Number] = Loops;

  lowerThreadQueriesOf(R, Loops);
  IRBuilder<> B(Loops.Begin);
  if (Options.UpdatesThreadRecord)
    updateThreadRecord(B, Loops);
  restoreStack(R, Loops);

  B.SetInsertPoint(Loops.Begin);
  B.CreateBr(R.Start);

  // Every way out of the region is now the end of a thread.
  for (BasicBlock *BB : R.Blocks) {
    Instruction *Term = BB->getTerminator();
    if (BB == R.Decider) {
      Term->removeFromParent();
      Term->insertInto(Loops.Exit, Loops.Exit->end());
      B.SetInsertPoint(BB);
      B.CreateBr(Loops.End);
    } else if (isa<ReturnInst>(Term)) {
      Term->eraseFromParent();
      B.SetInsertPoint(BB);
      B.CreateBr(Loops.End);
    } else if (R.Next) {
      Term->replaceSuccessorWith(R.Next, Loops.End);
    }
  }

  markParallel(R, Loops);
}

void LoopKernelBuilder::connectRegions() {
  IRBuilder<> B(Blocks.Header);
  B.CreateBr(LoopsOf[0].Preheader);
  for (auto [R, Loops] : zip_equal(Plan.Regions, LoopsOf)) {
    auto PreheaderOf = [&](BasicBlock *Start) {
      return LoopsOf[Plan.RegionOf.lookup(Start)].Preheader;
    };
    if (R.Decider) {
      Instruction *Term = Loops.Exit->getTerminator();
      for (unsigned I = 0, E = Term->getNumSuccessors(); I != E; ++I)
        Term->setSuccessor(I, PreheaderOf(Term->getSuccessor(I)));
      continue;
    }
    B.SetInsertPoint(Loops.Exit);
    B.CreateBr(R.Next ? PreheaderOf(R.Next) : Blocks.Latch);
  }
}

LoopKernel LoopKernelBuilder::build(Function &Kernel,
                                    const SharedLayout &Layout) {
  LLVMContext &C = Kernel.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Code = takeBody(Kernel, {Ptr, I64, I64}, ".block");
  Code.F->getArg(1)->setName("first");
  Code.F->getArg(2)->setName("last");

  Instruction *EntryEnd = Code.Entry->getTerminator();
  lowerLaunchQueries(*Code.F, Code.group(), Layout, EntryEnd);
  IRBuilder<> B(EntryEnd);
  Shape = LaunchShape::load(B, Code.group());
  Blocks = BlockLoop::create(*Code.F, Code.Entry, Shape);

  LoopsOf.resize(Plan.Regions.size());
  for (unsigned I = 0; I != Plan.Regions.size(); ++I)
    wrapRegion(Plan.Regions[I], I);
  connectRegions();
  return {Code.F, 0};
}

LoopKernel buildLoopKernel(Function &Kernel, const RegionPlan &Plan,
                           const SharedLayout &Layout,
                           const LoopKernelOptions &Options) {
  return LoopKernelBuilder(Plan, Options).build(Kernel, Layout);
}

} // namespace xcc::block
