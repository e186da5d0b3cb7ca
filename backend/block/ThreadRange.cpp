// Threads that have nothing to do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadRange.h"
#include "Intrinsics.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Whether control that reaches \p BB in region \p R does nothing but leave it.
static bool onlyLeaves(const BasicBlock *BB, const Region &R,
                       const RegionPlan &Plan) {
  for (unsigned Steps = 0; Steps < 4; ++Steps) {
    if (BB == R.Next)
      return true;
    if (!Plan.regionOf(BB) || &Plan.Regions[*Plan.regionOf(BB)] != &R)
      return false;
    const Instruction &First = *BB->getFirstNonPHIOrDbg();
    if (isa<PHINode>(BB->front()) || !First.isTerminator())
      return false;
    if (isa<ReturnInst>(First) || BB == R.Decider)
      return true;
    BB = BB->getSingleSuccessor();
    if (!BB)
      return false;
  }
  return false;
}

/// Whether a thread that runs no further than \p BB has done nothing.
static bool doesNothing(const BasicBlock &BB) {
  return none_of(BB, [](const Instruction &I) {
    return I.mayHaveSideEffects() || isa<PHINode, AllocaInst>(I);
  });
}

ThreadRange::ThreadRange(
    const Region &R, const RegionPlan &Plan,
    const DenseMap<const AllocaInst *, AllocaInst *> &UniformLocals)
    : Plan(&Plan), UniformLocals(UniformLocals),
      Number(*Plan.regionOf(R.Start)) {
  findTests(R);
}

static const DenseMap<const AllocaInst *, AllocaInst *> NoLocals;

ThreadRange::ThreadRange(const RegionPlan &Plan)
    : Plan(&Plan), UniformLocals(NoLocals) {}

std::unique_ptr<ThreadRange> ThreadRange::takeFrom(Function &Kernel) {
  // Without barriers, all but the prologue is one region.
  RegionPlan Whole;
  Whole.Prologue = &Kernel.getEntryBlock();
  Whole.Regions.emplace_back();
  Whole.Regions[0].Start = Whole.Prologue->getSingleSuccessor();
  for (BasicBlock &BB : drop_begin(Kernel))
    Whole.RegionOf[&BB] = 0;
  std::unique_ptr<ThreadRange> Range(new ThreadRange(Whole));
  Range->findTests(Whole.Regions[0]);
  if (Range->Tests.empty())
    return nullptr;

  Range->keepCopies(*Whole.Prologue);
  for (BasicBlock &BB : Kernel)
    ConstantFoldTerminator(&BB);
  removeUnreachableBlocks(Kernel);
  return Range;
}

/// Moves the tests to where no region is, and folds them away.
void ThreadRange::keepCopies(BasicBlock &Prologue) {
  SmallVector<WeakTrackingVH, 4> Old;
  for (Test &T : Tests) {
    Old.push_back(T.Compare);
    unsigned Index = T.Index == T.Compare->getOperand(0) ? 0 : 1;
    auto *Copy =
        cast<Instruction>(keepCopy(T.Compare, Prologue.getTerminator()));
    T.Compare = cast<ICmpInst>(Copy);
    if (T.IsAffine) {
      T.Index = Copy->getOperand(Index);
      T.Bound = Copy->getOperand(1 - Index);
    }
  }
  Plan = nullptr;
  Computed.clear();
  for (auto [T, Compare] : zip_equal(Tests, Old))
    if (auto *I = dyn_cast_or_null<Instruction>(Compare))
      replaceAndRecursivelySimplify(
          I, ConstantInt::getBool(Prologue.getContext(), !T.LeavesIf));
}

Value *ThreadRange::keepCopy(Value *V, Instruction *Place) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  // What is in the prologue stays; but a test itself is copied, since its uses
  // go.
  if (!isLocal(*I) && !isa<ICmpInst>(I))
    return V;
  if (Value *Known = Computed.lookup(V))
    return Known;
  Instruction *Copy = I->clone();
  for (Use &Op : Copy->operands())
    Op.set(keepCopy(Op, Place));
  Copy->insertBefore(Place->getIterator());
  Copies.insert(Copy);
  Computed[V] = Copy;
  return Copy;
}

void ThreadRange::eraseTests() {
  for (Instruction *I : reverse(Copies))
    I->eraseFromParent();
  Copies.clear();
}

bool ThreadRange::isLocal(const Instruction &I) const {
  if (!Plan)
    return Copies.contains(&I);
  return Plan->regionOf(I.getParent()).has_value();
}

void ThreadRange::findTests(const Region &R) {
  BasicBlock *BB = R.Start;
  for (unsigned Steps = 0; Steps < 8; ++Steps) {
    if (BB == R.Decider || !doesNothing(*BB))
      return;
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch)
      return;
    BasicBlock *Stay;
    if (Branch->isUnconditional()) {
      Stay = Branch->getSuccessor(0);
    } else if (onlyLeaves(Branch->getSuccessor(0), R, *Plan)) {
      addTests(Branch->getCondition(), true);
      Stay = Branch->getSuccessor(1);
    } else if (onlyLeaves(Branch->getSuccessor(1), R, *Plan)) {
      addTests(Branch->getCondition(), false);
      Stay = Branch->getSuccessor(0);
    } else {
      return;
    }
    // What follows has to be reached through here alone.
    if (Stay == R.Next || Stay->getSinglePredecessor() != BB)
      return;
    BB = Stay;
  }
}

void ThreadRange::addTests(Value *Condition, bool LeavesIf) {
  Value *X, *Y;
  if (match(Condition, m_Not(m_Value(X))))
    return addTests(X, !LeavesIf);
  bool Both = LeavesIf ? match(Condition, m_LogicalOr(m_Value(X), m_Value(Y)))
                       : match(Condition, m_LogicalAnd(m_Value(X), m_Value(Y)));
  if (Both) {
    addTests(X, LeavesIf);
    addTests(Y, LeavesIf);
  } else if (auto *Compare = dyn_cast<ICmpInst>(Condition)) {
    addTest(*Compare, LeavesIf);
  }
}

void ThreadRange::addTest(ICmpInst &Compare, bool LeavesIf) {
  Type *T0 = Compare.getOperand(0)->getType();
  if (!T0->isIntegerTy(32) && !T0->isIntegerTy(64))
    return;
  unsigned Budget = 24;
  if (!isComputable(&Compare, Budget))
    return;
  Test T = {&Compare, LeavesIf, false, Compare.getCmpPredicate(),
            nullptr,  nullptr};
  if (dependsOnX(&Compare)) {
    T.IsAffine = true;
    T.Index = Compare.getOperand(0);
    T.Bound = Compare.getOperand(1);
    if (dependsOnX(T.Bound)) {
      std::swap(T.Index, T.Bound);
      T.Predicate = Compare.getSwappedCmpPredicate();
    }
    if (LeavesIf)
      T.Predicate = CmpInst::getInversePredicate(T.Predicate);
    if (T.Predicate == CmpInst::ICMP_NE || dependsOnX(T.Bound))
      return;
    // An equality is a range whichever way the index is meant.
    bool Counts = countsUp(T.Index, CmpInst::isSigned(T.Predicate)) ||
                  (Compare.isEquality() && countsUp(T.Index, true));
    if (!Counts)
      return;
  }
  Tests.push_back(T);
}

/// Whether the loops' set-up can compute \p V.
bool ThreadRange::isComputable(const Value *V, unsigned &Budget) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isLocal(*I))
    return true;
  if (Budget == 0)
    return false;
  --Budget;
  if (intrinsicCalledBy(*I).Kind == IntrinsicKind::ThreadIdx)
    return true;
  if (auto *Load = dyn_cast<LoadInst>(I))
    if (auto *A = dyn_cast<AllocaInst>(Load->getPointerOperand()))
      return UniformLocals.contains(A);
  if (isa<PHINode>(I) || I->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(I) ||
      intrinsicCalledBy(*I).Kind != IntrinsicKind::None)
    return false;
  return all_of(I->operand_values(),
                [&](const Value *Op) { return isComputable(Op, Budget); });
}

bool ThreadRange::dependsOnX(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isLocal(*I))
    return false;
  Intrinsic In = intrinsicCalledBy(*I);
  if (In)
    return In.Kind == IntrinsicKind::ThreadIdx && In.Dim == 0;
  return any_of(I->operand_values(),
                [&](const Value *Op) { return dependsOnX(Op); });
}

/// Whether \p V is something that does not depend on thread_idx.x plus
/// thread_idx.x, and does not wrap as a signed or unsigned number.
bool ThreadRange::countsUp(const Value *V, bool Signed) const {
  auto *I = cast<Instruction>(V);
  if (intrinsicCalledBy(*I).Kind == IntrinsicKind::ThreadIdx)
    return true;
  if (isa<ZExtInst>(I))
    return countsUp(I->getOperand(0), false);
  if (isa<SExtInst>(I))
    return Signed && countsUp(I->getOperand(0), true);
  bool NoWrap = false;
  if (I->getOpcode() == Instruction::Add)
    NoWrap = Signed ? I->hasNoSignedWrap() : I->hasNoUnsignedWrap();
  else if (auto *Or = dyn_cast<PossiblyDisjointInst>(I))
    NoWrap = Or->isDisjoint();
  else if (I->getOpcode() == Instruction::Sub)
    return (Signed ? I->hasNoSignedWrap() : I->hasNoUnsignedWrap()) &&
           !dependsOnX(I->getOperand(1)) && countsUp(I->getOperand(0), Signed);
  if (!NoWrap)
    return false;
  Value *X = I->getOperand(0), *Y = I->getOperand(1);
  if (dependsOnX(Y))
    std::swap(X, Y);
  return !dependsOnX(Y) && countsUp(X, Signed);
}

/// Computes \p V for the thread with thread_idx.x = 0 at \p B.
Value *ThreadRange::compute(IRBuilderBase &B, Value *V,
                            const ThreadLoops &Loops) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isLocal(*I))
    return V;
  Value *&Known = Computed[V];
  if (Known)
    return Known;
  Value *Result;
  Intrinsic In = intrinsicCalledBy(*I);
  if (In.Kind == IntrinsicKind::ThreadIdx) {
    Result = In.Dim == 0 ? B.getInt32(0) : Loops.ThreadIdx[In.Dim];
  } else if (isa<LoadInst>(I)) {
    AllocaInst *Shared =
        UniformLocals.lookup(cast<AllocaInst>(I->getOperand(0)));
    Result = B.CreateLoad(I->getType(), Shared, I->getName());
  } else {
    Instruction *Copy = I->clone();
    // What held for a thread of the loop need not hold for an absent one.
    for (Use &Op : Copy->operands()) {
      Value *New = compute(B, Op, Loops);
      Op.set(New);
    }
    Result = B.Insert(Copy, I->getName());
  }
  Computed[V] = Result;
  return Result;
}

void ThreadRange::apply(ThreadLoops &Loops, const LaunchShape &Shape) {
  if (Tests.empty())
    return;
  Computed.clear();
  // In the loop over y, before that over x.
  BasicBlock *Before = Loops.Before;
  Instruction *OldEnd = Before->getTerminator();
  IRBuilder<> B(OldEnd);
  Value *Width = Shape.BlockDim[0];
  Value *Low = Loops.Low, *High = Loops.High;

  auto Min = [&](Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(llvm::Intrinsic::umin, X, Y);
  };
  auto Max = [&](Value *X, Value *Y) {
    return B.CreateBinaryIntrinsic(llvm::Intrinsic::umax, X, Y);
  };
  for (const Test &T : Tests) {
    if (!T.IsAffine) {
      Value *Result = B.CreateFreeze(compute(B, T.Compare, Loops));
      Value *Zero = B.getInt32(0);
      High = T.LeavesIf ? B.CreateSelect(Result, Zero, High)
                        : B.CreateSelect(Result, High, Zero);
      continue;
    }
    Value *Start = B.CreateFreeze(compute(B, T.Index, Loops));
    Value *Bound = B.CreateFreeze(compute(B, T.Bound, Loops));
    bool Signed = CmpInst::isSigned(T.Predicate);
    Type *Ty = Start->getType();
    Value *WidthTy = B.CreateZExtOrTrunc(Width, Ty);
    // Threads before the bound: max(bound - start, 0), at most all. The
    // difference is right modulo the type's size when it is positive. For
    // equality too: a start beyond the bound leaves the range empty.
    Value *Distance = B.CreateSub(Bound, Start);
    auto Below = [&](CmpInst::Predicate P) {
      Value *Positive = B.CreateICmp(P, Bound, Start);
      Value *N = B.CreateSelect(Positive, Distance, ConstantInt::get(Ty, 0));
      return Min(N, WidthTy);
    };
    auto ToIndex = [&](Value *V) {
      return B.CreateZExtOrTrunc(V, B.getInt32Ty());
    };
    CmpInst::Predicate Greater = Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
    CmpInst::Predicate AtLeast = Signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
    // Threads up to the bound: one more, if there is a first.
    auto UpTo = [&] {
      Value *Any = B.CreateICmp(AtLeast, Bound, Start);
      Value *Last =
          Min(Distance, B.CreateSub(WidthTy, ConstantInt::get(Ty, 1)));
      return B.CreateSelect(Any, B.CreateAdd(Last, ConstantInt::get(Ty, 1)),
                            ConstantInt::get(Ty, 0));
    };
    switch (T.Predicate) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_ULT:
      High = Min(High, ToIndex(Below(Greater)));
      break;
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULE:
      High = Min(High, ToIndex(UpTo()));
      break;
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGE:
      Low = Max(Low, ToIndex(Below(Greater)));
      break;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGT:
      Low = Max(Low, ToIndex(UpTo()));
      break;
    case CmpInst::ICMP_EQ: {
      // Indices are distinct, so at most one thread stays.
      Value *Is = B.CreateICmpULT(Distance, WidthTy);
      Value *At = ToIndex(Distance);
      Low = B.CreateSelect(Is, Max(Low, At), Low);
      High = B.CreateSelect(Is, Min(High, B.CreateAdd(At, B.getInt32(1))),
                            B.getInt32(0));
      break;
    }
    default:
      llvm_unreachable("an equality was refused");
    }
  }
  // The threads that are left know the answers; other regions may ask the same
  // of the prologue.
  for (const Test &T : Tests)
    if (Plan)
      T.Compare->replaceUsesWithIf(
          ConstantInt::getBool(Before->getContext(), !T.LeavesIf),
          [&](const Use &U) {
            auto *User = cast<Instruction>(U.getUser());
            return Plan->regionOf(User->getParent()) == Number;
          });
  Loops.restrictX(Low, High);
}

} // namespace xcc::block
