// Guards that a range of threads passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GuardRanges.h"
#include "EachLoop.h"
#include "PassingRange.h"
#include "block/Intrinsics.h"
#include "block/simd/Pass.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// More than the threads of any block or team.
static constexpr unsigned MostIterations = 1 << 20;

namespace {

/// A comparison of `start + iteration * step` with a uniform value, where the
/// loop's iterations are counted from 0; or a uniform condition.
struct Test {
  Value *condition;
  bool passesIf; ///< the value that passes
  const SCEVAddRecExpr *index = nullptr;
  const SCEV *bound = nullptr;
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE; ///< true for
                                                              ///< threads that
                                                              ///< pass
  bool mayWrap = false; ///< the index; the test then stays in the loop
  bool mayFall = false; ///< the step may not be positive; likewise

  bool staysInLoop() const { return mayWrap || mayFall; }
};

class GuardedRange {
public:
  GuardedRange(Loop &l, DominatorTree &dt, LoopInfo &loops, ScalarEvolution &se)
      : l(l), dt(dt), loops(loops), se(se), expander(se, "guard") {}

  bool matches();
  void restrict();

private:
  void findGuards();
  void addTests(Value *condition, bool passesIf);
  void addTest(Value *condition, bool passesIf);
  bool mayWrap(const SCEVAddRecExpr &index, bool isSigned) const;
  bool isExpandable(const SCEV *s) const;
  Value *frozen(Value *v);
  Value *expand(const SCEV *s);
  Value *anyMayPass(const Test &t);
  void narrow(const Test &t);

  Loop &l;
  DominatorTree &dt;
  LoopInfo &loops;
  ScalarEvolution &se;
  SCEVExpander expander;
  PHINode *x = nullptr;
  const SCEV *trips = nullptr;
  SmallVector<BasicBlock *, 4> guards;
  SmallVector<Test, 4> tests;
  IRBuilder<> *b = nullptr;
  Value *count = nullptr, *low = nullptr, *high = nullptr; ///< iterations
};

} // namespace

bool GuardedRange::isExpandable(const SCEV *s) const {
  return expander.isSafeToExpandAt(s, l.getLoopPreheader()->getTerminator());
}

/// Follows the branches that otherwise skip to the latch, up to the first block
/// with an effect.
void GuardedRange::findGuards() {
  BasicBlock *latch = l.getLoopLatch();
  for (BasicBlock *block = l.getHeader(); block != latch;) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional())
      return;
    const bool passesIf = branch->getSuccessor(1) == latch;
    BasicBlock *next = branch->getSuccessor(!passesIf);
    if (branch->getSuccessor(passesIf) != latch || next == latch ||
        any_of(*block, hasEffect))
      return;
    guards.push_back(block);
    addTests(branch->getCondition(), passesIf);
    if (next->getSinglePredecessor() != block)
      return;
    block = next;
  }
}

void GuardedRange::addTests(Value *condition, bool passesIf) {
  if (l.isLoopInvariant(condition))
    return addTest(condition, passesIf);
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return addTests(left, !passesIf);
  if (passesIf ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
               : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    addTests(left, passesIf);
    addTests(right, passesIf);
    return;
  }
  addTest(condition, passesIf);
}

bool GuardedRange::mayWrap(const SCEVAddRecExpr &index, bool isSigned) const {
  if (isSigned ? index.hasNoSignedWrap() : index.hasNoUnsignedWrap())
    return false;
  const unsigned bits = se.getTypeSizeInBits(index.getType());
  if (!index.getStepRecurrence(se)->isOne() || bits < 32)
    return true;
  APInt room =
      (isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) -
      MostIterations;
  const SCEV *start = index.getStart();
  return isSigned ? se.getSignedRangeMax(start).sgt(room)
                  : se.getUnsignedRangeMax(start).ugt(room);
}

void GuardedRange::addTest(Value *condition, bool passesIf) {
  Test t = {condition, passesIf};
  if (l.isLoopInvariant(condition)) {
    if (!isa<Constant>(condition))
      tests.push_back(t);
    return;
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy() ||
      compare->getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return;
  t.predicate =
      passesIf ? compare->getPredicate() : compare->getInversePredicate();
  const SCEV *left = se.getSCEV(compare->getOperand(0)),
             *right = se.getSCEV(compare->getOperand(1));
  if (se.isLoopInvariant(left, &l)) {
    std::swap(left, right);
    t.predicate = CmpInst::getSwappedPredicate(t.predicate);
  }
  t.index = dyn_cast<SCEVAddRecExpr>(left);
  t.bound = right;
  // LLVM's canonical form of `index >= 1`.
  if (t.predicate == CmpInst::ICMP_NE && right->isZero())
    t.predicate = CmpInst::ICMP_UGT;
  if (t.predicate == CmpInst::ICMP_NE || !t.index || t.index->getLoop() != &l ||
      !t.index->isAffine() || !se.isLoopInvariant(right, &l) ||
      !isExpandable(t.index->getStart()) || !isExpandable(right) ||
      !isExpandable(t.index->getStepRecurrence(se)))
    return;
  if (t.predicate == CmpInst::ICMP_EQ) {
    // The loop has fewer iterations than the index has values, so at most one
    // iteration is equal.
    if (!t.index->getStepRecurrence(se)->isOne() ||
        se.getTypeSizeInBits(right->getType()) < 32)
      return;
  } else {
    // With a negative step, the other end of the range would pass.
    const SCEV *step = t.index->getStepRecurrence(se);
    if (se.isKnownNegative(step))
      return;
    t.mayWrap = mayWrap(*t.index, CmpInst::isSigned(t.predicate));
    t.mayFall = !se.isKnownPositive(step);
  }
  tests.push_back(t);
}

bool GuardedRange::matches() {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch();
  if (findOptionMDForLoop(&l, "llvm.loop.isvectorized") ||
      !l.getLoopPreheader() || !latch || header == latch ||
      l.getExitingBlock() != latch || !l.getUniqueExitBlock() ||
      !l.getUniqueExitBlock()->phis().empty())
    return false;
  auto *repeat = dyn_cast<BranchInst>(latch->getTerminator());
  x = dyn_cast<PHINode>(&header->front());
  if (!repeat || !x || !x->getType()->isIntegerTy() ||
      !hasSingleElement(header->phis()) || !latch->phis().empty() ||
      !match(x->getIncomingValueForBlock(latch), m_Add(m_Specific(x), m_One())))
    return false;
  const SCEV *repeats = se.getBackedgeTakenCount(&l);
  if (isa<SCEVCouldNotCompute>(repeats) ||
      se.getTypeSizeInBits(repeats->getType()) > 64)
    return false;
  trips = se.getTripCountFromExitCount(repeats, x->getType(), &l);
  if (!isExpandable(trips))
    return false;
  findGuards();
  // Threads that do not pass all guards run only these blocks.
  SmallVector<BasicBlock *, 4> run(guards);
  run.push_back(latch);
  return !tests.empty() && hasNoEffect(l, run);
}

/// A value that is never poison in the loop may be poison before it.
Value *GuardedRange::frozen(Value *v) {
  return isGuaranteedNotToBeUndefOrPoison(v) ? v : b->CreateFreeze(v);
}

Value *GuardedRange::expand(const SCEV *s) {
  Instruction *place = l.getLoopPreheader()->getTerminator();
  Value *v = expander.expandCodeFor(s, s->getType(), place);
  b->SetInsertPoint(place);
  return frozen(v);
}

/// Whether the index wraps or counts down, so that any iteration may pass.
Value *GuardedRange::anyMayPass(const Test &t) {
  Value *step = expand(t.index->getStepRecurrence(se));
  Value *falls = b->CreateICmpSLE(step, ConstantInt::get(step->getType(), 0));
  if (!t.mayWrap)
    return falls;
  const SCEVPredicate *p =
      se.getWrapPredicate(t.index, CmpInst::isSigned(t.predicate)
                                       ? SCEVWrapPredicate::IncrementNSSW
                                       : SCEVWrapPredicate::IncrementNUSW);
  Instruction *place = l.getLoopPreheader()->getTerminator();
  Value *wraps = expander.expandCodeForPredicate(p, place);
  b->SetInsertPoint(place);
  return b->CreateOr(frozen(wraps), falls);
}

/// Removes the iterations that cannot pass \p t from [low, high).
void GuardedRange::narrow(const Test &t) {
  if (t.predicate == CmpInst::BAD_ICMP_PREDICATE) {
    b->SetInsertPoint(l.getLoopPreheader()->getTerminator());
    Value *passes = frozen(t.condition);
    Value *none = ConstantInt::get(count->getType(), 0);
    high = t.passesIf ? b->CreateSelect(passes, high, none)
                      : b->CreateSelect(passes, none, high);
    return;
  }
  IndexComparison c = {t.predicate, expand(t.index->getStart()),
                       expand(t.bound)};
  if (const SCEV *step = t.index->getStepRecurrence(se); !step->isOne())
    c.step = expand(step);
  Value *newLow = low, *newHigh = high;
  narrowToPassing(*b, c, count, newLow, newHigh);
  if (t.staysInLoop()) {
    Value *unknown = anyMayPass(t);
    newLow = b->CreateSelect(unknown, low, newLow);
    newHigh = b->CreateSelect(unknown, high, newHigh);
  }
  low = newLow;
  high = newHigh;
}

void GuardedRange::restrict() {
  BasicBlock *before = l.getLoopPreheader(), *exit = l.getUniqueExitBlock(),
             *latch = l.getLoopLatch();
  IRBuilder<> builder(before->getTerminator());
  b = &builder;
  Value *first = x->getIncomingValueForBlock(before);
  const bool isSingle = any_of(
      tests, [](const Test &t) { return t.predicate == CmpInst::ICMP_EQ; });
  count = expand(trips);
  low = ConstantInt::get(count->getType(), 0);
  high = count;
  for (const Test &t : tests)
    narrow(t);
  b->SetInsertPoint(before->getTerminator());
  Value *from = b->CreateAdd(first, low, "guard.first");
  Value *end = b->CreateAdd(first, high, "guard.end");
  Value *some = b->CreateICmpULT(low, high);
  BasicBlock *enter = SplitBlock(before, before->getTerminator(), &dt, &loops);
  ReplaceInstWithInst(before->getTerminator(),
                      BranchInst::Create(enter, exit, some));
  x->setIncomingValueForBlock(enter, from);

  auto *repeat = cast<BranchInst>(latch->getTerminator());
  b->SetInsertPoint(repeat);
  Value *next = x->getIncomingValueForBlock(latch);
  const bool repeatsIfTrue = repeat->getSuccessor(0) == x->getParent();
  Value *old = repeat->getCondition();
  repeat->setCondition(repeatsIfTrue ? b->CreateICmpNE(next, end)
                                     : b->CreateICmpEQ(next, end));
  RecursivelyDeleteTriviallyDeadInstructions(old);

  // All remaining iterations pass these tests.
  LLVMContext &c = latch->getContext();
  SmallVector<WeakTrackingVH, 4> done;
  for (const Test &t : tests)
    if (!t.staysInLoop() && isa<Instruction>(t.condition)) {
      t.condition->replaceUsesWithIf(
          ConstantInt::getBool(c, t.passesIf), [&](const Use &u) {
            auto *user = dyn_cast<Instruction>(u.getUser());
            return user && l.contains(user);
          });
      done.push_back(t.condition);
    }
  for (BasicBlock *block : l.blocks())
    SimplifyInstructionsInBlock(block);
  for (WeakTrackingVH &v : done)
    if (v)
      RecursivelyDeleteTriviallyDeadInstructions(v);
  SmallVector<BasicBlock *> blocks(l.blocks());
  for (BasicBlock *block : blocks)
    ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  for (BasicBlock *block : blocks)
    if (block != l.getHeader())
      MergeBlockIntoPredecessor(block, nullptr, &loops);
  if (isSingle)
    for (const char *done :
         {"llvm.loop.isvectorized", "llvm.loop.unroll.disable"})
      addStringMetadataToLoop(&l, done, 1);
}

PreservedAnalyses
RestrictGuardedThreadsPass::run(Function &f, FunctionAnalysisManager &fam) {
  return changeThreadLoops(
      f, fam,
      [](Loop &l, DominatorTree &dt, LoopInfo &loops, ScalarEvolution &se) {
        GuardedRange guarded(l, dt, loops, se);
        if (!guarded.matches())
          return false;
        guarded.restrict();
        return true;
      });
}

} // namespace xcc::block
