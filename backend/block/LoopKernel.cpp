// Building block functions from regions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopKernel.h"
#include "Abi.h"
#include "Intrinsics.h"
#include "LowerQueries.h"
#include "ParallelLoops.h"
#include "Scratch.h"
#include "ThreadLoops.h"
#include "Uniformity.h"
#include "VariableLiveness.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

namespace {

class LoopKernelBuilder {
public:
  LoopKernelBuilder(const RegionPlan &Plan, const LiveAcross &Live,
                    const Uniformity &Uniform, const LoopKernelOptions &Options,
                    const DataLayout &DL)
      : Plan(Plan), Live(Live), Uniform(Uniform), Options(Options),
        Memory(Live, DL) {}

  LoopKernel build(Function &Kernel, const SharedLayout &Layout);

private:
  /// What a region does to a variable.
  struct Access {
    const Variable *Var;
    bool Reads = false, Writes = false;
  };

  void findAccesses();
  /// Whether all threads do the same in \p R, so that one does it for all.
  bool runsOnce(const Region &R, ArrayRef<Access> Accesses) const;
  /// Puts one region in its thread loops.
  void wrapRegion(const Region &R, unsigned Number);
  void lowerThreadQueriesOf(const Region &R, const ThreadLoops &Loops);
  void moveVariables(ArrayRef<Access> Accesses, const ThreadLoops &Loops);
  void replaceArrays(const Region &R, const ThreadLoops &Loops);
  void updateThreadRecord(IRBuilderBase &B, const ThreadLoops &Loops);
  /// Frees, at a thread's end, what it allocated on the stack.
  void restoreStack(const Region &R, const ThreadLoops &Loops);
  /// Moves the branch that ends \p R behind the thread loops.
  void moveDecision(const Region &R, const ThreadLoops &Loops);
  void connectRegions();
  /// Lets a block of which every thread leaves at once run nothing: what all
  /// threads agree on is computed by those that stay.
  BasicBlock *skipIdleBlock(BasicBlock *FirstRegion);
  void promoteVariables();

  const RegionPlan &Plan;
  const LiveAcross &Live;
  const Uniformity &Uniform;
  const LoopKernelOptions &Options;
  Scratch Memory;
  KernelBody Code;
  LaunchShape Shape;
  BlockLoop Blocks;
  std::vector<ThreadLoops> LoopsOf;            ///< by region
  std::vector<SmallVector<Access>> AccessesOf; ///< by region
  AllocaInst *AnyStays = nullptr; ///< whether a thread of the block stays
  /// Where a uniform variable is between regions.
  DenseMap<const AllocaInst *, AllocaInst *> SharedOf;
};

} // namespace

void LoopKernelBuilder::findAccesses() {
  AccessesOf.resize(Plan.Regions.size());
  VariableLiveness Liveness(*Code.F, Live.Variables);
  for (auto [R, Accesses] : zip_equal(Plan.Regions, AccessesOf)) {
    BitVector Loaded(Live.Variables.size()), Stored(Live.Variables.size());
    for (BasicBlock *BB : R.Blocks)
      for (Instruction &I : *BB) {
        if (auto N = Liveness.loadedBy(I))
          Loaded.set(*N);
        if (auto N = Liveness.storedBy(I))
          Stored.set(*N);
      }
    BitVector LiveAfter(Live.Variables.size());
    for (BasicBlock *Next : Plan.successors(R))
      LiveAfter |= Liveness.liveIn(Next);
    // The condition of the branch behind the loops is read there.
    if (R.Decider)
      if (auto *C =
              dyn_cast<LoadInst>(R.Decider->getTerminator()->getOperand(0)))
        if (auto N = Liveness.loadedBy(*C))
          LiveAfter.set(*N);
    BitVector Touched = Loaded;
    Touched |= Stored;
    for (unsigned N : Touched.set_bits())
      Accesses.push_back({&Live.Variables[N], Liveness.liveIn(R.Start).test(N),
                          Stored.test(N) && LiveAfter.test(N)});
  }
}

bool LoopKernelBuilder::runsOnce(const Region &R,
                                 ArrayRef<Access> Accesses) const {
  if (any_of(Accesses, [](const Access &A) { return !A.Var->IsUniform; }))
    return false;
  for (BasicBlock *BB : R.Blocks)
    for (Instruction &I : *BB) {
      if (isa<LoadInst, StoreInst>(I))
        if (auto *A = dyn_cast<AllocaInst>(getLoadStorePointerOperand(&I)))
          if (SharedOf.count(A))
            continue;
      if (!Uniform.isUniform(I) || I.mayHaveSideEffects())
        return false;
      // Made after the analysis: indices that are computed again.
      IntrinsicKind Kind = intrinsicCalledBy(I).Kind;
      if (Kind == IntrinsicKind::ThreadIdx ||
          Kind == IntrinsicKind::LinearThread)
        return false;
      if (I.isTerminator() && I.getNumSuccessors() > 1 &&
          !Uniform.isUniformUse(I.getOperandUse(0)))
        return false;
    }
  return true;
}

void LoopKernelBuilder::moveVariables(ArrayRef<Access> Accesses,
                                      const ThreadLoops &Loops) {
  IRBuilder<> Before(Loops.Preheader->getTerminator());
  IRBuilder<> Begin(Loops.Begin);
  IRBuilder<> End(&*Loops.End->getFirstInsertionPt());
  for (const Access &A : Accesses) {
    AllocaInst *Local = A.Var->Local;
    Type *T = Local->getAllocatedType();
    if (A.Var->IsUniform) {
      // Read before the loops: threads that count it up all start from there.
      AllocaInst *Shared = SharedOf.lookup(Local);
      if (A.Reads)
        Begin.CreateStore(Before.CreateLoad(T, Shared), Local);
      if (A.Writes)
        End.CreateStore(End.CreateLoad(T, Local), Shared);
    } else {
      if (A.Reads)
        Begin.CreateStore(Memory.load(Begin, Local, Loops.Linear), Local);
      if (A.Writes)
        Memory.store(End, End.CreateLoad(T, Local), Local, Loops.Linear);
    }
    // Nothing flows through the local copy from thread to thread.
    if (!A.Reads)
      Begin.CreateStore(PoisonValue::get(T), Local);
  }
}

void LoopKernelBuilder::replaceArrays(const Region &R,
                                      const ThreadLoops &Loops) {
  SmallPtrSet<const BasicBlock *, 16> Inside(R.Blocks.begin(), R.Blocks.end());
  for (const PrivateArray &A : Live.Arrays) {
    Value *Address = nullptr;
    for (Use &U : make_early_inc_range(A.Alloca->uses())) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(I);
      if (!Inside.contains(Phi ? Phi->getIncomingBlock(U) : I->getParent()))
        continue;
      if (isa<LifetimeIntrinsic>(I)) {
        I->eraseFromParent();
        continue;
      }
      if (!Address) {
        IRBuilder<> B(Loops.Begin);
        Address = Memory.addressOf(B, A.Alloca, Loops.Linear);
      }
      U.set(Address);
    }
  }
}

void LoopKernelBuilder::moveDecision(const Region &R,
                                     const ThreadLoops &Loops) {
  Instruction *Term = R.Decider->getTerminator();
  Term->removeFromParent();
  Term->insertInto(Loops.Exit, Loops.Exit->end());
  auto *Condition = dyn_cast<LoadInst>(Term->getOperand(0));
  AllocaInst *Shared = nullptr;
  if (Condition)
    if (auto *Local = dyn_cast<AllocaInst>(Condition->getPointerOperand()))
      Shared = SharedOf.lookup(Local);
  if (Shared) {
    IRBuilder<> B(Term);
    Term->setOperand(0, B.CreateLoad(Condition->getType(), Shared));
    Condition->eraseFromParent();
  }
}

BasicBlock *LoopKernelBuilder::skipIdleBlock(BasicBlock *FirstRegion) {
  ThreadLoops Rows = ThreadLoops::create(*Code.F, Shape, "idle");
  Options.Range->apply(Rows, Shape);
  // Of these loops, those over rows of threads are enough.
  IRBuilder<> B(&Code.Entry->front());
  AllocaInst *Any = B.CreateAlloca(B.getInt1Ty(), nullptr, "any");
  B.SetInsertPoint(Rows.Preheader->getTerminator());
  B.CreateStore(B.getFalse(), Any);
  auto *End = cast<BranchInst>(Rows.Before->getTerminator());
  B.SetInsertPoint(End);
  B.CreateStore(
      B.CreateOr(B.CreateLoad(B.getInt1Ty(), Any), End->getCondition()), Any);
  B.CreateBr(Rows.XLatch->getSuccessor(1));
  End->eraseFromParent();
  B.SetInsertPoint(Rows.Begin);
  B.CreateBr(Rows.End);
  cast<PHINode>(Rows.ThreadIdx[0])->removeIncomingValue(Rows.Before, false);
  DeleteDeadBlocks({Rows.Begin, Rows.End});

  B.SetInsertPoint(Rows.Exit);
  B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), Any), FirstRegion, Blocks.Latch);
  AnyStays = Any;
  return Rows.Preheader;
}

void LoopKernelBuilder::promoteVariables() {
  SmallVector<AllocaInst *, 16> Allocas;
  if (AnyStays)
    Allocas.push_back(AnyStays);
  for (auto [Local, Shared] : SharedOf)
    Allocas.push_back(Shared);
  for (const Variable &V : Live.Variables)
    Allocas.push_back(V.Local);
  DominatorTree DT(*Code.F);
  PromoteMemToReg(Allocas, DT);
  for (const PrivateArray &A : Live.Arrays)
    A.Alloca->eraseFromParent();
}

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
  ArrayRef<Access> Accesses = AccessesOf[Number];
  std::string Name = ("region" + Twine(Number)).str();
  ThreadLoops Loops = runsOnce(R, Accesses)
                          ? ThreadLoops::createOnce(F, Name)
                          : ThreadLoops::create(F, Shape, Name);

  IRBuilder<> B(Loops.Begin);
  if (Loops.isLoop()) {
    if (Options.Range)
      Options.Range->apply(Loops, Shape);
    // A thread that leaves at once must not have to write anything but what it
    // read.
    if (all_of(Accesses, [](const Access &A) { return !A.Writes || A.Reads; }))
      ThreadRange(R, Plan, SharedOf).apply(Loops, Shape);
    lowerThreadQueriesOf(R, Loops);
    if (Options.UpdatesThreadRecord)
      updateThreadRecord(B, Loops);
    restoreStack(R, Loops);
    replaceArrays(R, Loops);
  }
  LoopsOf[Number] = Loops;
  moveVariables(Accesses, Loops);
  B.SetInsertPoint(Loops.Begin);
  B.CreateBr(R.Start);

  // Every way out of the region is now the end of a thread.
  for (BasicBlock *BB : R.Blocks) {
    if (BB == R.Decider) {
      moveDecision(R, Loops);
      B.SetInsertPoint(BB);
      B.CreateBr(Loops.End);
      continue;
    }
    Instruction *Term = BB->getTerminator();
    if (isa<ReturnInst>(Term)) {
      Term->eraseFromParent();
      B.SetInsertPoint(BB);
      B.CreateBr(Loops.End);
    } else if (R.Next) {
      Term->replaceSuccessorWith(R.Next, Loops.End);
    }
  }
}

void LoopKernelBuilder::connectRegions() {
  IRBuilder<> B(Blocks.Header);
  B.CreateBr(Plan.Prologue);
  BasicBlock *First = LoopsOf[0].Preheader;
  if (Options.Range && !Plan.isSingle())
    First = skipIdleBlock(First);
  Plan.Prologue->getTerminator()->setSuccessor(0, First);
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
  Code = takeBody(Kernel, {Ptr, I64, I64}, Options.Name);
  Code.F->getArg(1)->setName("first");
  Code.F->getArg(2)->setName("last");

  Instruction *EntryEnd = Code.Entry->getTerminator();
  lowerLaunchQueries(*Code.F, Code.group(), Layout, EntryEnd);
  IRBuilder<> B(EntryEnd);
  Shape = LaunchShape::load(B, Code.group());
  if (Memory.size())
    Memory.locate(B, GroupFields{Code.group()}.scratch(B), Shape.Threads);
  for (const Variable &V : Live.Variables)
    if (V.IsUniform) {
      B.SetInsertPoint(V.Local);
      SharedOf[V.Local] = B.CreateAlloca(V.Local->getAllocatedType(), nullptr,
                                         V.Local->getName() + ".all");
    }

  findAccesses();

  Blocks = BlockLoop::create(*Code.F, Code.Entry, Shape);
  for (Instruction &I : make_early_inc_range(instructions(*Code.F)))
    if (Intrinsic In = intrinsicCalledBy(I);
        In.Kind == IntrinsicKind::BlockIdx) {
      I.replaceAllUsesWith(Blocks.BlockIdx[In.Dim]);
      I.eraseFromParent();
    }

  LoopsOf.resize(Plan.Regions.size());
  for (unsigned I = 0; I != Plan.Regions.size(); ++I)
    wrapRegion(Plan.Regions[I], I);
  connectRegions();
  promoteVariables();
  if (Options.Range)
    Options.Range->eraseTests();
  markParallel(*Code.F, Plan, LoopsOf);
  return {Code.F, Memory.size()};
}

LoopKernel buildLoopKernel(Function &Kernel, const RegionPlan &Plan,
                           const LiveAcross &Live, const Uniformity &Uniform,
                           const SharedLayout &Layout,
                           const LoopKernelOptions &Options) {
  return LoopKernelBuilder(Plan, Live, Uniform, Options, Kernel.getDataLayout())
      .build(Kernel, Layout);
}

} // namespace xcc::block
