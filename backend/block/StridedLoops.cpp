// Loops over data by the size of the grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoops.h"
#include "Intrinsics.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace xcc::block {

namespace {

/// One loop, if it has the form; see the header.
class StridedLoop {
public:
  StridedLoop(Loop &L, Function &Kernel)
      : L(L), Prologue(&Kernel.getEntryBlock()) {}

  bool matches();
  BasicBlock *align();

private:
  bool isAvailable(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || I->getParent() == Prologue;
  }
  bool matchesCounter();
  bool matchesStart();
  bool matchesGuard();
  bool matchesResults();

  Loop &L;
  BasicBlock *Prologue;
  BasicBlock *Header, *Latch, *Exit, *Preheader;
  PHINode *Counter;
  Value *Start, *Step, *Bound;
  CmpInst::Predicate Predicate; ///< the loop goes on while counter ? bound
  Instruction *Sum;             ///< block's first index + thread_idx.x
  Value *First, *Thread;
  bool IsSignExtended;
  BranchInst *Guard;
};

} // namespace

static Value *stripExtension(Value *V) {
  return isa<ZExtInst, SExtInst>(V) ? cast<CastInst>(V)->getOperand(0) : V;
}

static Intrinsic queryOf(Value *V) {
  auto *I = dyn_cast<Instruction>(stripExtension(V));
  return I ? intrinsicCalledBy(*I) : Intrinsic();
}

/// Whether \p V is a number of threads, which is not negative.
static bool isThreadCount(Value *V) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().isStrictlyPositive();
  // An extension of 32 bits that is not of a sign, or of numbers that fit.
  auto *Mul = dyn_cast<BinaryOperator>(stripExtension(V));
  if (!Mul || Mul->getOpcode() != Instruction::Mul)
    return false;
  if (isa<SExtInst>(V) && !Mul->hasNoSignedWrap())
    return false;
  Intrinsic A = queryOf(Mul->getOperand(0)), B = queryOf(Mul->getOperand(1));
  if (A.Kind == IntrinsicKind::BlockDim)
    std::swap(A, B);
  return A.Kind == IntrinsicKind::GridDim && B.Kind == IntrinsicKind::BlockDim;
}

bool StridedLoop::matchesCounter() {
  auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
  auto *Compare = Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare)
    return false;
  Predicate = Branch->getSuccessor(0) == Header
                  ? Compare->getPredicate()
                  : Compare->getInversePredicate();
  if (Predicate != CmpInst::ICMP_SLT && Predicate != CmpInst::ICMP_ULT)
    return false;
  auto *Next = dyn_cast<BinaryOperator>(Compare->getOperand(0));
  Bound = Compare->getOperand(1);
  if (!Next || Next->getOpcode() != Instruction::Add ||
      !Next->getType()->isIntegerTy(64) || !isAvailable(Bound))
    return false;
  for (unsigned N = 0; N != 2; ++N) {
    Counter = dyn_cast<PHINode>(Next->getOperand(N));
    Step = Next->getOperand(1 - N);
    if (Counter && Counter->getParent() == Header && isAvailable(Step) &&
        Counter->getIncomingValueForBlock(Latch) == Next &&
        isThreadCount(Step)) {
      Start = Counter->getIncomingValueForBlock(Preheader);
      return Next->hasNUses(2); // the counter and the test
    }
  }
  return false;
}

bool StridedLoop::matchesStart() {
  IsSignExtended = isa<SExtInst>(Start);
  Sum = dyn_cast<BinaryOperator>(stripExtension(Start));
  if (!Sum || Sum->getOpcode() != Instruction::Add)
    return false;
  // The sum is exact in 64 bits too.
  bool IsExact =
      Sum->getType()->isIntegerTy(64) ||
      (IsSignExtended ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap());
  for (unsigned N = 0; N != 2 && IsExact; ++N) {
    First = Sum->getOperand(N);
    Thread = Sum->getOperand(1 - N);
    Intrinsic In = queryOf(Thread);
    if (In.Kind == IntrinsicKind::ThreadIdx && In.Dim == 0 &&
        isAvailable(First))
      return true;
  }
  return false;
}

/// The loop is entered by threads with start < bound, and only by them.
bool StridedLoop::matchesGuard() {
  BasicBlock *Before = Preheader;
  // Only empty blocks lie between.
  while (!isa<BranchInst>(Before->getTerminator()) ||
         cast<BranchInst>(Before->getTerminator())->isUnconditional()) {
    BasicBlock *Pred = Before->getSinglePredecessor();
    if (!Pred || Pred == Prologue)
      return false;
    for (Instruction &I : *Before)
      if (I.mayHaveSideEffects())
        return false;
    Before = Pred;
  }
  Guard = cast<BranchInst>(Before->getTerminator());
  auto *Compare = dyn_cast<ICmpInst>(Guard->getCondition());
  if (!Compare)
    return false;
  Value *X = Compare->getOperand(0), *Y = Compare->getOperand(1);
  CmpInst::Predicate P = Compare->getPredicate();
  if (stripExtension(X) != Sum && X != Start) {
    std::swap(X, Y);
    P = CmpInst::getSwappedPredicate(P);
  }
  bool EntersIfTrue = Guard->getSuccessor(0) == Preheader ||
                      Guard->getSuccessor(0)->getSingleSuccessor() == Preheader;
  if (!EntersIfTrue)
    P = CmpInst::getInversePredicate(P);
  if (X == Start && Y == Bound)
    return P == Predicate;
  // The same in 32 bits, before the counter was widened.
  if (X != Sum || stripExtension(Bound) != Y || Bound == Y)
    return false;
  if (P == CmpInst::ICMP_SLT)
    return isa<SExtInst>(Bound) && Sum->hasNoSignedWrap() &&
           Predicate == CmpInst::ICMP_SLT;
  if (P == CmpInst::ICMP_ULT)
    return isa<ZExtInst>(Bound) && Sum->hasNoUnsignedWrap() && !IsSignExtended;
  return false;
}

/// What is used behind the loop has to be right for threads that did nothing:
/// variables of the loop, which have their first value then.
bool StridedLoop::matchesResults() {
  BasicBlock *Merge = Exit;
  if (!is_contained(successors(Guard->getParent()), Exit)) {
    Merge = Exit->getSingleSuccessor();
    if (!Merge || !is_contained(successors(Guard->getParent()), Merge) ||
        !Exit->getFirstNonPHIOrDbg()->isTerminator())
      return false;
  }
  auto InitialOf = [&](Value *V) -> Value * {
    for (PHINode &Phi : Header->phis())
      if (&Phi != Counter && Phi.getIncomingValueForBlock(Latch) == V)
        return Phi.getIncomingValueForBlock(Preheader);
    return nullptr;
  };
  BasicBlock *From = Guard->getParent();
  for (PHINode &Phi : Exit->phis()) {
    Value *Initial = InitialOf(Phi.getIncomingValueForBlock(Latch));
    if (!Initial)
      return false;
    if (Merge == Exit) {
      if (Phi.getIncomingValueForBlock(From) != Initial)
        return false;
      continue;
    }
    for (User *U : Phi.users()) {
      auto *Outer = dyn_cast<PHINode>(U);
      if (!Outer || Outer->getParent() != Merge ||
          Outer->getIncomingValueForBlock(From) != Initial ||
          Outer->getIncomingValueForBlock(Exit) != &Phi)
        return false;
    }
  }
  // Other values that say whether the loop was entered.
  if (Merge != Exit)
    for (PHINode &Phi : Merge->phis()) {
      auto *Inner = dyn_cast<PHINode>(Phi.getIncomingValueForBlock(Exit));
      if ((!Inner || Inner->getParent() != Exit) &&
          Phi.getIncomingValueForBlock(Exit) !=
              Phi.getIncomingValueForBlock(From))
        return false;
    }
  return true;
}

bool StridedLoop::matches() {
  Header = L.getHeader();
  Latch = L.getLoopLatch();
  Exit = L.getUniqueExitBlock();
  Preheader = L.getLoopPreheader();
  if (!Latch || !Exit || !Preheader || L.getExitingBlock() != Latch)
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (intrinsicCalledBy(I).isBarrier())
        return false;
  return matchesCounter() && matchesStart() && matchesGuard() &&
         matchesResults();
}

BasicBlock *StridedLoop::align() {
  Instruction *PrologueEnd = Prologue->getTerminator();
  IRBuilder<> B(PrologueEnd);
  Type *I64 = B.getInt64Ty();
  Value *First64 = First;
  if (First->getType() != I64)
    First64 =
        IsSignExtended ? B.CreateSExt(First, I64) : B.CreateZExt(First, I64);
  Value *Enters = B.CreateICmp(Predicate, First64, Bound, "block.enters");
  bool EntersIfTrue = Guard->getSuccessor(0) == Preheader ||
                      Guard->getSuccessor(0)->getSingleSuccessor() == Preheader;
  Guard->setCondition(EntersIfTrue ? Enters : B.CreateNot(Enters));

  // The counter of all threads, and the thread's own from it.
  Instruction *Next =
      cast<Instruction>(Counter->getIncomingValueForBlock(Latch));
  auto *Repeat =
      BasicBlock::Create(Header->getContext(), "together", Header->getParent());
  BasicBlock *Body =
      Header->splitBasicBlock(Header->getFirstInsertionPt(), "own");
  if (Latch == Header)
    Latch = Body;
  B.SetInsertPoint(Header->getTerminator());
  // A thousand beyond a number that was reached by counting does not wrap.
  bool IsSigned = CmpInst::isSigned(Predicate);
  Value *Own =
      B.CreateAdd(Counter, B.CreateZExt(stripExtension(Thread), I64),
                  "own.index", /*HasNUW=*/!IsSigned, /*HasNSW=*/IsSigned);
  Value *Stays = B.CreateICmp(Predicate, Own, Bound);
  B.CreateCondBr(Stays, Body, Repeat);
  Header->getTerminator()->eraseFromParent();

  Instruction *OldEnd = Latch->getTerminator();
  auto *Compare = cast<Instruction>(OldEnd->getOperand(0));
  B.SetInsertPoint(OldEnd);
  B.CreateBr(Repeat);
  OldEnd->eraseFromParent();
  if (Compare->use_empty())
    Compare->eraseFromParent();

  B.SetInsertPoint(Repeat);
  DenseMap<Value *, PHINode *> Merged;
  for (PHINode &Phi : Header->phis()) {
    if (&Phi == Counter)
      continue;
    Value *New = Phi.getIncomingValueForBlock(Latch);
    PHINode *M = B.CreatePHI(Phi.getType(), 2, Phi.getName());
    M->addIncoming(&Phi, Header);
    M->addIncoming(New, Latch);
    Merged[New] = M;
    Phi.setIncomingValueForBlock(Latch, M);
    Phi.replaceIncomingBlockWith(Latch, Repeat);
  }
  for (PHINode &Phi : Exit->phis()) {
    Phi.setIncomingValueForBlock(
        Latch, Merged.lookup(Phi.getIncomingValueForBlock(Latch)));
    Phi.replaceIncomingBlockWith(Latch, Repeat);
  }
  Value *NextTurn = B.CreateAdd(Counter, Step, "next.turn");
  B.CreateCondBr(B.CreateICmp(Predicate, NextTurn, Bound), Header, Exit);

  // What used the counter uses the thread's own, but for the two.
  Counter->replaceUsesWithIf(Own, [&](const Use &U) {
    return U.getUser() != Own && U.getUser() != NextTurn;
  });
  Counter->setIncomingValueForBlock(Latch, NextTurn);
  Counter->replaceIncomingBlockWith(Latch, Repeat);
  Counter->setIncomingValueForBlock(Preheader, First64);
  if (Next->use_empty())
    Next->eraseFromParent();
  return Repeat;
}

SmallVector<BasicBlock *, 2> alignStridedLoops(Function &Kernel) {
  SmallVector<BasicBlock *, 2> Repeats;
  // A loop that was aligned has no such form any more.
  for (bool Changed = true; Changed;) {
    Changed = false;
    DominatorTree DT(Kernel);
    LoopInfo Loops(DT);
    for (Loop *L : Loops.getLoopsInPreorder()) {
      if (L->getParentLoop())
        continue;
      formLCSSA(*L, DT, &Loops, /*SE=*/nullptr);
      StridedLoop Strided(*L, Kernel);
      if (!Strided.matches())
        continue;
      Repeats.push_back(Strided.align());
      Changed = true;
      break;
    }
  }
  return Repeats;
}

} // namespace xcc::block
