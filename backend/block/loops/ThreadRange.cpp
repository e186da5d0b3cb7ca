// Threads that leave at the start
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadRange.h"
#include "PassingRange.h"
#include "block/Intrinsics.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Whether a thread that reaches \p bb in region \p r only leaves the region.
static bool onlyLeaves(const BasicBlock *bb, const Region &r,
                       const RegionPlan &plan) {
  for (unsigned steps = 0; steps < 4; ++steps) {
    if (bb == r.next)
      return true;
    if (!plan.regionOf(bb) || &plan.regions[*plan.regionOf(bb)] != &r)
      return false;
    const Instruction &first = *bb->getFirstNonPHIOrDbg();
    if (isa<PHINode>(bb->front()) || !first.isTerminator())
      return false;
    if (isa<ReturnInst>(first) || bb == r.decider)
      return true;
    bb = bb->getSingleSuccessor();
    if (!bb)
      return false;
  }
  return false;
}

/// Whether a thread that leaves after \p bb has had no effect there.
static bool doesNothing(const BasicBlock &bb) {
  return none_of(bb, [](const Instruction &i) {
    return hasEffect(i) || isa<PHINode, AllocaInst>(i);
  });
}

ThreadRange::ThreadRange(
    const Region &r, const RegionPlan &plan,
    const DenseMap<const AllocaInst *, AllocaInst *> &uniformLocals)
    : plan(&plan), uniformLocals(uniformLocals),
      number(*plan.regionOf(r.start)) {
  findTests(r);
}

static const DenseMap<const AllocaInst *, AllocaInst *> NoLocals;

/// Whether \p in is the counter of the innermost loop.
static bool isInnermost(Intrinsic in) {
  return in.kind == IntrinsicKind::Lane ||
         (in.kind == IntrinsicKind::ThreadIdx && in.dim == 0);
}

/// How often thread_idx.x is halved in \p i, if it is that of a group of threads.
static std::optional<unsigned> groupShift(const Instruction &i) {
  const APInt *by;
  const Value *x;
  if (!match(&i, m_LShr(m_ZExtOrSelf(m_Value(x)), m_APInt(by))) || by->ugt(10))
    return std::nullopt;
  auto *query = dyn_cast<Instruction>(x);
  return query && isInnermost(intrinsicCalledBy(*query))
             ? std::optional(unsigned(by->getZExtValue()))
             : std::nullopt;
}

ThreadRange::ThreadRange(const RegionPlan &plan)
    : plan(&plan), uniformLocals(NoLocals) {}

std::unique_ptr<ThreadRange> ThreadRange::takeFrom(Function &kernel) {
  // Without barriers, all but the prologue is one region.
  RegionPlan whole;
  whole.prologue = &kernel.getEntryBlock();
  whole.regions.emplace_back();
  whole.regions[0].start = whole.prologue->getSingleSuccessor();
  for (BasicBlock &bb : drop_begin(kernel))
    whole.regionIndex[&bb] = 0;
  std::unique_ptr<ThreadRange> range(new ThreadRange(whole));
  range->findTests(whole.regions[0]);
  if (range->tests.empty())
    return nullptr;

  range->keepCopies(*whole.prologue);
  for (BasicBlock &bb : kernel)
    ConstantFoldTerminator(&bb);
  removeUnreachableBlocks(kernel);
  return range;
}

/// Copies the tests to the prologue, and folds the originals away.
void ThreadRange::keepCopies(BasicBlock &prologue) {
  SmallVector<WeakTrackingVH, 4> old;
  for (Test &t : tests) {
    old.push_back(t.compare);
    unsigned index = t.index == t.compare->getOperand(0) ? 0 : 1;
    auto *copy =
        cast<Instruction>(keepCopy(t.compare, prologue.getTerminator()));
    t.compare = cast<ICmpInst>(copy);
    if (t.isAffine) {
      t.index = copy->getOperand(index);
      t.bound = copy->getOperand(1 - index);
    }
  }
  plan = nullptr;
  computed.clear();
  for (auto [t, compare] : zip_equal(tests, old))
    if (auto *i = dyn_cast_or_null<Instruction>(compare))
      replaceAndRecursivelySimplify(
          i, ConstantInt::getBool(prologue.getContext(), !t.leavesIf));
}

Value *ThreadRange::keepCopy(Value *v, Instruction *place) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i)
    return v;
  // Values of the prologue stay. A test is copied even there, because its uses
  // are folded away.
  if (!isLocal(*i) && !isa<ICmpInst>(i))
    return v;
  if (Value *known = computed.lookup(v))
    return known;
  Instruction *copy = i->clone();
  for (Use &op : copy->operands())
    op.set(keepCopy(op, place));
  copy->insertBefore(place->getIterator());
  copies.insert(copy);
  computed[v] = copy;
  return copy;
}

void ThreadRange::eraseTests() {
  for (Instruction *i : reverse(copies))
    i->eraseFromParent();
  copies.clear();
}

bool ThreadRange::isLocal(const Instruction &i) const {
  if (!plan)
    return copies.contains(&i);
  return plan->regionOf(i.getParent()).has_value();
}

void ThreadRange::findTests(const Region &r) {
  BasicBlock *bb = r.start;
  bool forAll = true;
  for (unsigned steps = 0; steps < 8; ++steps) {
    if (bb == r.decider || !doesNothing(*bb))
      return;
    auto *branch = dyn_cast<BranchInst>(bb->getTerminator());
    if (!branch)
      return;
    BasicBlock *stay;
    if (branch->isUnconditional()) {
      stay = branch->getSuccessor(0);
    } else if (onlyLeaves(branch->getSuccessor(0), r, *plan)) {
      addTests(branch->getCondition(), true, forAll);
      stay = branch->getSuccessor(1);
    } else if (onlyLeaves(branch->getSuccessor(1), r, *plan)) {
      addTests(branch->getCondition(), false, forAll);
      stay = branch->getSuccessor(0);
    } else {
      return;
    }
    // No other path may lead to the next block.
    if (stay == r.next || stay->getSinglePredecessor() != bb)
      return;
    forAll &= branch->isUnconditional();
    bb = stay;
  }
}

void ThreadRange::addTests(Value *condition, bool leavesIf, bool forAll) {
  Value *x, *y;
  if (match(condition, m_Not(m_Value(x))))
    return addTests(x, !leavesIf, forAll);
  bool both = leavesIf ? match(condition, m_LogicalOr(m_Value(x), m_Value(y)))
                       : match(condition, m_LogicalAnd(m_Value(x), m_Value(y)));
  if (both) {
    addTests(x, leavesIf, forAll);
    addTests(y, leavesIf, forAll && !isa<SelectInst>(condition));
  } else if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    addTest(*compare, leavesIf, forAll);
  }
}

void ThreadRange::addTest(ICmpInst &compare, bool leavesIf, bool forAll) {
  Type *t0 = compare.getOperand(0)->getType();
  if (!t0->isIntegerTy(32) && !t0->isIntegerTy(64))
    return;
  unsigned budget = 24;
  if (!isComputable(&compare, budget))
    return;
  Test t = {&compare, leavesIf, false, compare.getCmpPredicate(),
            nullptr,  nullptr};
  if (dependsOnX(&compare)) {
    t.isAffine = true;
    t.index = compare.getOperand(0);
    t.bound = compare.getOperand(1);
    if (dependsOnX(t.bound)) {
      std::swap(t.index, t.bound);
      t.predicate = compare.getSwappedCmpPredicate();
    }
    if (leavesIf)
      t.predicate = CmpInst::getInversePredicate(t.predicate);
    // LLVM's canonical form of `index >= 1`.
    if (t.predicate == CmpInst::ICMP_NE && match(t.bound, m_Zero()))
      t.predicate = CmpInst::ICMP_UGT;
    if (t.predicate == CmpInst::ICMP_NE || dependsOnX(t.bound))
      return;
    // An equality is a range for a signed and for an unsigned index.
    bool counts =
        countsUp(t.index, CmpInst::isSigned(t.predicate), forAll) ||
        (t.predicate == CmpInst::ICMP_EQ && countsUp(t.index, true, forAll));
    if (!counts)
      return;
    t.shift = shiftOf(t.index);
  }
  tests.push_back(t);
}

/// Whether the loops' set-up can compute \p v.
bool ThreadRange::isComputable(const Value *v, unsigned &budget) const {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !isLocal(*i))
    return true;
  if (budget == 0)
    return false;
  --budget;
  if (intrinsicCalledBy(*i).kind == IntrinsicKind::ThreadIdx ||
      isInnermost(intrinsicCalledBy(*i)))
    return true;
  if (auto *load = dyn_cast<LoadInst>(i))
    if (auto *a = dyn_cast<AllocaInst>(load->getPointerOperand()))
      return uniformLocals.contains(a);
  if (isa<PHINode>(i) || i->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(i) ||
      intrinsicCalledBy(*i).kind != IntrinsicKind::None)
    return false;
  return all_of(i->operand_values(),
                [&](const Value *op) { return isComputable(op, budget); });
}

bool ThreadRange::dependsOnX(const Value *v) const {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !isLocal(*i))
    return false;
  Intrinsic in = intrinsicCalledBy(*i);
  if (in)
    return isInnermost(in);
  return any_of(i->operand_values(),
                [&](const Value *op) { return dependsOnX(op); });
}

/// Of \p index, which counts up.
unsigned ThreadRange::shiftOf(const Value *index) const {
  auto *i = cast<Instruction>(index);
  if (isInnermost(intrinsicCalledBy(*i)))
    return 0;
  if (auto shift = groupShift(*i))
    return *shift;
  return shiftOf(*find_if(i->operand_values(),
                          [&](const Value *op) { return dependsOnX(op); }));
}

/// Whether \p v, thread_idx.x and what does not depend on it, is not negative for
/// the thread whose thread_idx.x is 0.
bool ThreadRange::beginsNonNegative(const Value *v) const {
  auto *i = cast<Instruction>(v);
  if (isInnermost(intrinsicCalledBy(*i)) || isa<ZExtInst>(i) || groupShift(*i))
    return true;
  if (isa<SExtInst, TruncInst>(i))
    return beginsNonNegative(i->getOperand(0));
  auto *orInst = dyn_cast<PossiblyDisjointInst>(i);
  if (i->getOpcode() != Instruction::Add && !(orInst && orInst->isDisjoint()))
    return false;
  Value *x = i->getOperand(0), *y = i->getOperand(1);
  if (dependsOnX(y))
    std::swap(x, y);
  return isKnownNonNegative(y, SimplifyQuery(i->getDataLayout())) &&
         beginsNonNegative(x);
}

/// Whether \p v is thread_idx.x plus a value that does not depend on it, and
/// does not wrap as a signed or unsigned number. If flags hold only for some
/// threads, this has to follow for the first thread, which has the smallest
/// number. It follows if nothing is subtracted, and also for a signed number
/// that is not negative: it has room for any subtraction that fits for another
/// thread.
bool ThreadRange::countsUp(const Value *v, bool isSigned, bool forAll) const {
  auto *i = cast<Instruction>(v);
  if (isInnermost(intrinsicCalledBy(*i)) || groupShift(*i))
    return true;
  if (isa<ZExtInst>(i))
    return countsUp(i->getOperand(0), false, forAll);
  if (isa<SExtInst>(i))
    return isSigned && countsUp(i->getOperand(0), true, forAll);
  if (auto *narrow = dyn_cast<TruncInst>(i)) {
    const bool fits = isSigned ? narrow->hasNoSignedWrap() &&
                                     (forAll || narrow->hasNoUnsignedWrap())
                               : narrow->hasNoUnsignedWrap();
    return fits && countsUp(i->getOperand(0), isSigned, forAll);
  }
  bool noWrap = false;
  if (i->getOpcode() == Instruction::Add)
    noWrap = isSigned ? i->hasNoSignedWrap() : i->hasNoUnsignedWrap();
  else if (auto *orInst = dyn_cast<PossiblyDisjointInst>(i))
    noWrap = orInst->isDisjoint();
  else if (i->getOpcode() == Instruction::Sub)
    return (isSigned ? i->hasNoSignedWrap()
                     : i->hasNoUnsignedWrap() && forAll) &&
           !dependsOnX(i->getOperand(1)) &&
           (forAll || beginsNonNegative(i->getOperand(0))) &&
           countsUp(i->getOperand(0), isSigned, forAll);
  if (!noWrap)
    return false;
  Value *x = i->getOperand(0), *y = i->getOperand(1);
  if (dependsOnX(y))
    std::swap(x, y);
  if (dependsOnX(y))
    return false;
  if (isSigned && !forAll && !beginsNonNegative(x) &&
      !isKnownNonNegative(y, SimplifyQuery(i->getDataLayout())))
    return false;
  return countsUp(x, isSigned, forAll);
}

/// Computes \p v for the thread with thread_idx.x = 0 at \p b.
Value *ThreadRange::compute(IRBuilderBase &b, Value *v,
                            const ThreadLoops &loops) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !isLocal(*i))
    return v;
  Value *&known = computed[v];
  if (known)
    return known;
  Value *result;
  Intrinsic in = intrinsicCalledBy(*i);
  if (isInnermost(in)) {
    result = b.getInt32(0);
  } else if (in.kind == IntrinsicKind::ThreadIdx) {
    result = loops.threadIdx[in.dim];
  } else if (isa<LoadInst>(i)) {
    AllocaInst *shared =
        uniformLocals.lookup(cast<AllocaInst>(i->getOperand(0)));
    result = b.CreateLoad(i->getType(), shared, i->getName());
  } else {
    // Flags hold for threads that reach the test, but the first thread may not
    // reach it. Bits that are disjoint for others need not be for the first, so
    // use a sum.
    auto *apart = dyn_cast<PossiblyDisjointInst>(i);
    Instruction *copy =
        apart && apart->isDisjoint()
            ? BinaryOperator::CreateAdd(i->getOperand(0), i->getOperand(1))
            : i->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use &op : copy->operands()) {
      Value *here = compute(b, op, loops);
      op.set(here);
    }
    result = b.Insert(copy, i->getName());
  }
  computed[v] = result;
  return result;
}

/// Removes the threads that leave at test \p t from [low, high).
void ThreadRange::narrow(IRBuilderBase &b, const Test &t,
                         const ThreadLoops &loops, Value *width, Value *&low,
                         Value *&high) {
  if (!t.isAffine) {
    Value *result = b.CreateFreeze(compute(b, t.compare, loops));
    Value *zero = b.getInt32(0);
    high = t.leavesIf ? b.CreateSelect(result, zero, high)
                      : b.CreateSelect(result, high, zero);
    return;
  }
  Value *first = b.CreateFreeze(compute(b, t.index, loops));
  Value *bound = b.CreateFreeze(compute(b, t.bound, loops));
  narrowToPassing(b, {t.predicate, first, bound, nullptr, t.shift}, width, low,
                  high);
}

std::pair<Value *, Value *> ThreadRange::bounds(IRBuilderBase &b,
                                                Value *width) {
  computed.clear();
  Value *low = b.getInt32(0), *high = width;
  for (const Test &t : tests)
    narrow(b, t, {}, width, low, high);
  return {low, high};
}

void ThreadRange::apply(ThreadLoops &loops, const LaunchShape &shape) {
  if (tests.empty())
    return;
  computed.clear();
  // In the loop over y, before that over x.
  BasicBlock *before = loops.before;
  Instruction *oldEnd = before->getTerminator();
  IRBuilder<> b(oldEnd);
  Value *width = shape.blockDim[0];
  Value *low = loops.low, *high = loops.high;
  for (const Test &t : tests)
    narrow(b, t, loops, width, low, high);
  // Threads that stay have passed the tests. Fold them in this region alone:
  // others may use the same comparison of the prologue.
  for (const Test &t : tests)
    if (plan)
      t.compare->replaceUsesWithIf(
          ConstantInt::getBool(before->getContext(), !t.leavesIf),
          [&](const Use &u) {
            auto *user = cast<Instruction>(u.getUser());
            return plan->regionOf(user->getParent()) == number;
          });
  loops.restrictX(low, high);
}

} // namespace xcc::block
