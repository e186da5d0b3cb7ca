// Loops over data by the size of the grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoops.h"
#include "block/Intrinsics.h"
#include "block/loops/Teams.h"
#include "block/regions/Uniformity.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

namespace {

/// One loop, if it has the form; see the header.
class StridedLoop {
public:
  /// \p uniform is null for a loop that is in no other. \p mask says of the
  /// threads that come to the loop together which of them take it at all.
  StridedLoop(Loop &l, Function &kernel, Scope scope, const DominatorTree &dt,
              const Uniformity *uniform, Value *mask = nullptr)
      : l(l), scope(scope), prologue(&kernel.getEntryBlock()), dt(dt),
        uniform(uniform), mask(mask) {}

  bool matches();
  /// Whether it is a loop around another, which has the form as well, and does
  /// nothing else that could be seen: rows of a grid.
  bool matchesRows(const Uniformity &ofKernel);
  /// Of a loop around another, which threads have an iteration.
  Value *taken() const { return iteration; }
  /// The loop has no guard because the test was taken out of the loop around
  /// it: puts it back, if it can be.
  bool takeBackGuard();
  /// Returns the block that repeats the loop. \p others are headers of copies
  /// that stay as they were.
  BasicBlock *align(LoopInfo &loops, DominatorTree &dt,
                    SmallPtrSetImpl<BasicBlock *> &others);

private:
  /// Whether all threads have it before the loop: of a loop in others, also
  /// what these compute that is the same for all.
  bool isAvailable(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return !i || i->getParent() == prologue ||
           (uniform && uniform->isUniform(*i) &&
            dt.dominates(i, preheader->getTerminator()));
  }
  /// Where what all threads have is computed.
  Instruction *place() const {
    return uniform ? static_cast<Instruction *>(guard)
                   : prologue->getTerminator();
  }
  bool matchesCounter();
  bool matchesStart();
  bool matchesCheckedStart();
  bool addTerms(Value *v, unsigned bits, unsigned depth);
  bool addRows(Value *v, unsigned depth);
  bool matchesGuard();
  bool isGuard(ICmpInst &compare, bool entersIf);
  bool isSignedGuard(CmpInst::Predicate p, Value *x, Value *y);
  bool matchesResults();
  void selectResults(BasicBlock *last, Value *worked);

  /// Whether it is what the threads differ in that take the loop together.
  bool isOwn(Intrinsic in) const {
    return scope == Scope::Warp
               ? in.kind == IntrinsicKind::Lane && dim == 0
               : in.kind == IntrinsicKind::ThreadIdx && in.dim == dim;
  }

  Loop &l;
  Scope scope;
  BasicBlock *prologue;
  const DominatorTree &dt;
  const Uniformity *uniform; ///< null for a loop that is in no other
  Value *mask;
  unsigned dim = 0;         ///< of the threads that share the iterations
  bool isRows = false;      ///< a loop around another
  bool isInclusive = false; ///< it goes on at the bound
  Value *iteration = nullptr;
  BasicBlock *header, *latch, *exit, *preheader;
  BasicBlock *merge;                   ///< where those that do nothing arrive
  SmallVector<PHINode *, 2> differing; ///< of which these have something else
  PHINode *counter;
  Value *start, *step, *bound;
  CmpInst::Predicate predicate; ///< the loop goes on while counter ? bound
  /// Where a counter of 32 bits is compared with a bound of 64: what makes 64
  /// of them, for which there is nothing else.
  CastInst *wide = nullptr;
  Instruction *sum; ///< block's first index + thread_idx.x
  Value *first, *thread;
  bool isSignExtended;
  BranchInst *guard;
  /// The bound, where the loop takes a number that may be negative for one that
  /// is not.
  Value *signedBound = nullptr;
  /// Whether nothing says that numbers do not wrap: it is looked at when the
  /// kernel runs. The index of the block's first thread is then a sum.
  bool isChecked = false;
  SmallVector<Value *, 4> firstTerms;
  /// Where blocks have several dimensions and threads are counted through:
  /// thread_idx.y, or that and thread_idx.z * block_dim.y, times `rowLength`.
  Value *row = nullptr, *plane = nullptr, *rowLength = nullptr;
  SmallVector<Value *, 2> firstRows; ///< what `rowLength` multiplies as well
  Type *firstType = nullptr;         ///< in which the sum is formed

  /// Whether the counter is a signed number.
  bool countsSigned() const {
    return wide ? isa<SExtInst>(wide) : CmpInst::isSigned(predicate);
  }
  bool entersIfTrue() const {
    const BasicBlock *bb = guard->getSuccessor(0);
    for (; bb && bb != preheader && bb != header; bb = bb->getSingleSuccessor())
      if (!bb->getSinglePredecessor())
        return false;
    return bb == preheader;
  }
  Value *check(IRBuilder<> &b);
  void keepForWrapping(Value *fits, LoopInfo &loops, DominatorTree &dt,
                       SmallPtrSetImpl<BasicBlock *> &others);
};

} // namespace

static Value *stripExtension(Value *v) {
  return isa<ZExtInst, SExtInst>(v) ? cast<CastInst>(v)->getOperand(0) : v;
}

/// The predicate of a comparison; of two numbers of one sign, the signed one.
static CmpInst::Predicate predicateOf(const ICmpInst &compare) {
  return compare.hasSameSign()
             ? ICmpInst::getSignedPredicate(compare.getPredicate())
             : compare.getPredicate();
}

/// The query, whichever way it was widened: none is negative.
static Intrinsic extendedQuery(Value *v) { return queryOf(stripExtension(v)); }

/// Whether \p v is a number of threads, which is not negative.
static bool isThreadCount(Value *v) {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return c->getValue().isStrictlyPositive();
  // An extension of 32 bits that is not of a sign, or of numbers that fit.
  auto *mul = dyn_cast<BinaryOperator>(stripExtension(v));
  if (!mul || mul->getOpcode() != Instruction::Mul)
    return false;
  if (isa<SExtInst>(v) && !mul->hasNoSignedWrap())
    return false;
  Intrinsic a = extendedQuery(mul->getOperand(0)),
            b = extendedQuery(mul->getOperand(1));
  if (a.kind == IntrinsicKind::BlockDim)
    std::swap(a, b);
  return a.kind == IntrinsicKind::GridDim && b.kind == IntrinsicKind::BlockDim;
}

bool StridedLoop::matchesCounter() {
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto *compare = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare)
    return false;
  predicate = compare->getPredicate();
  auto *tested = dyn_cast<Instruction>(compare->getOperand(0));
  bound = compare->getOperand(1);
  if (!tested || !l.contains(tested)) {
    tested = dyn_cast<Instruction>(bound);
    bound = compare->getOperand(0);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (branch->getSuccessor(0) != header)
    predicate = CmpInst::getInversePredicate(predicate);
  wide = nullptr;
  if (tested && isa<ZExtInst, SExtInst>(tested) && tested->hasOneUse() &&
      tested->getType()->isIntegerTy(64)) {
    wide = cast<CastInst>(tested);
    tested = dyn_cast<Instruction>(wide->getOperand(0));
    if (compare->hasSameSign())
      predicate = ICmpInst::getSignedPredicate(predicate);
  }
  auto *next = dyn_cast_or_null<BinaryOperator>(tested);
  isInclusive =
      predicate == CmpInst::ICMP_SLE || predicate == CmpInst::ICMP_ULE;
  if (!isInclusive && predicate != CmpInst::ICMP_SLT &&
      predicate != CmpInst::ICMP_ULT)
    return false;
  if (!next || next->getOpcode() != Instruction::Add || !isAvailable(bound))
    return false;
  if (!next->getType()->isIntegerTy(64) && !next->getType()->isIntegerTy(32))
    return false;
  for (unsigned n = 0; n != 2; ++n) {
    counter = dyn_cast<PHINode>(next->getOperand(n));
    step = next->getOperand(1 - n);
    if (counter && counter->getParent() == header && isAvailable(step) &&
        counter->getIncomingValueForBlock(latch) == next) {
      isChecked = isInclusive || !next->getType()->isIntegerTy(64) ||
                  !isThreadCount(step);
      start = counter->getIncomingValueForBlock(preheader);
      return next->hasNUses(2); // the counter and the test
    }
  }
  return false;
}

/// What a number of 64 bits is an extension of: 32 bits, of a sign if \p sign.
static Value *narrowed(Value *v, bool &sign) {
  sign = isa<SExtInst>(v);
  if (auto *cast = dyn_cast<CastInst>(v); cast && isa<ZExtInst, SExtInst>(cast))
    return cast->getSrcTy()->isIntegerTy(32) ? cast->getOperand(0) : nullptr;
  // The low half of a sum.
  Value *low;
  return match(v, m_And(m_Value(low), m_SpecificInt(UINT32_MAX))) ? low
                                                                  : nullptr;
}

/// Takes a sum apart, of which \p bits count: into numbers that all threads
/// have, and thread_idx.x once.
bool StridedLoop::addTerms(Value *v, unsigned bits, unsigned depth) {
  if (bits == 32)
    while (isa<TruncInst, ZExtInst, SExtInst>(v) &&
           cast<CastInst>(v)->getSrcTy()->getScalarSizeInBits() >= 32)
      v = cast<CastInst>(v)->getOperand(0);
  Intrinsic in = extendedQuery(v);
  if (isOwn(in)) {
    if (thread)
      return false;
    thread = v;
    return true;
  }
  if (isAvailable(v)) {
    firstTerms.push_back(v);
    return true;
  }
  auto *op = dyn_cast<BinaryOperator>(v);
  if (op && op->getOpcode() == Instruction::Mul && bits == 32 && !rowLength &&
      !dim)
    for (unsigned n = 0; n != 2; ++n) {
      Intrinsic length = extendedQuery(op->getOperand(n));
      if (length.kind == IntrinsicKind::BlockDim && length.dim == 0 &&
          addRows(op->getOperand(1 - n), 0) && row) {
        rowLength = op->getOperand(n);
        return true;
      }
    }
  return op && op->getOpcode() == Instruction::Add && depth < 6 &&
         addTerms(op->getOperand(0), bits, depth + 1) &&
         addTerms(op->getOperand(1), bits, depth + 1);
}

/// Takes a number of rows of threads apart, which are block_dim.x threads each.
bool StridedLoop::addRows(Value *v, unsigned depth) {
  Intrinsic in = extendedQuery(v);
  if (in.kind == IntrinsicKind::ThreadIdx && in.dim == 1 && !row) {
    row = v;
    return true;
  }
  if (isAvailable(v)) {
    firstRows.push_back(v);
    return true;
  }
  auto *op = dyn_cast<BinaryOperator>(v);
  if (op && op->getOpcode() == Instruction::Mul && !plane) {
    Intrinsic x = extendedQuery(op->getOperand(0)),
              y = extendedQuery(op->getOperand(1));
    if (x.kind == IntrinsicKind::BlockDim)
      std::swap(x, y);
    if (x.kind == IntrinsicKind::ThreadIdx && x.dim == 2 &&
        y.kind == IntrinsicKind::BlockDim && y.dim == 1) {
      plane = op;
      return true;
    }
  }
  return op && op->getOpcode() == Instruction::Add && depth < 4 &&
         addRows(op->getOperand(0), depth + 1) &&
         addRows(op->getOperand(1), depth + 1);
}

bool StridedLoop::matchesCheckedStart() {
  isChecked = true;
  isSignExtended = countsSigned();
  thread = row = plane = rowLength = nullptr;
  firstTerms.clear();
  firstRows.clear();
  firstType = start->getType();
  sum = nullptr;
  Value *from = start;
  if (start->getType()->isIntegerTy(64)) {
    bool sign;
    if (Value *narrow = narrowed(start, sign)) {
      from = narrow;
      sum = dyn_cast<Instruction>(narrow);
      firstType = Type::getInt32Ty(start->getContext());
      isSignExtended = sign;
    }
  }
  // The low half of a wider sum, which guards may compare whole.
  Value *whole;
  if (start->getType()->isIntegerTy(32) &&
      match(start, m_Trunc(m_Value(whole))) &&
      whole->getType()->isIntegerTy(64)) {
    if (addTerms(whole, 64, 0) && thread) {
      sum = dyn_cast<Instruction>(whole);
      firstType = whole->getType();
      return true;
    }
    thread = nullptr;
    firstTerms.clear();
  }
  // The dimensions of blocks are numbers of 32 bits.
  if (firstType->isIntegerTy(64))
    return addTerms(from, 64, 0) && thread;
  return addTerms(from, firstType->getIntegerBitWidth(), 0) && thread;
}

bool StridedLoop::matchesStart() {
  if (isChecked)
    return matchesCheckedStart();
  isSignExtended = isa<SExtInst>(start);
  sum = dyn_cast<BinaryOperator>(stripExtension(start));
  if (!sum || sum->getOpcode() != Instruction::Add)
    return matchesCheckedStart();
  // The sum is exact in 64 bits too.
  bool isExact =
      sum->getType()->isIntegerTy(64) ||
      (isSignExtended ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  for (unsigned n = 0; n != 2 && isExact; ++n) {
    first = sum->getOperand(n);
    thread = sum->getOperand(1 - n);
    Intrinsic in = extendedQuery(thread);
    if (isOwn(in) && isAvailable(first))
      return true;
  }
  return matchesCheckedStart();
}

/// The loop is entered by threads with start < bound, and only by them.
bool StridedLoop::matchesGuard() {
  BasicBlock *before = preheader;
  // Only blocks without effect lie between.
  while (!isa<BranchInst>(before->getTerminator()) ||
         cast<BranchInst>(before->getTerminator())->isUnconditional()) {
    BasicBlock *pred = before->getSinglePredecessor();
    if (!pred || pred == prologue)
      return false;
    for (Instruction &i : *before)
      if (hasEffect(i))
        return false;
    before = pred;
  }
  guard = cast<BranchInst>(before->getTerminator());
  auto *compare = dyn_cast<ICmpInst>(guard->getCondition());
  return compare && isGuard(*compare, entersIfTrue());
}

/// Of numbers of 32 bits that are not negative where the loop is entered, the
/// loop compares unsigned ones of 64; the guard asks for more.
bool StridedLoop::isSignedGuard(CmpInst::Predicate p, Value *x, Value *y) {
  auto *wideBound = dyn_cast<ZExtInst>(bound);
  auto *wideStart = dyn_cast<ZExtInst>(start);
  if (p != CmpInst::ICMP_SLT || predicate != CmpInst::ICMP_ULT || !wideBound ||
      !wideStart || wideBound->getOperand(0) != y ||
      wideStart->getOperand(0) != x || !x->getType()->isIntegerTy(32) ||
      !(wideStart->hasNonNeg() || isOwn(extendedQuery(x))))
    return false;
  signedBound = y;
  return true;
}

/// Whether start < bound is what the comparison says, or its contrary.
bool StridedLoop::isGuard(ICmpInst &compare, bool entersIf) {
  signedBound = nullptr;
  Value *x = compare.getOperand(0), *y = compare.getOperand(1);
  if (wide) {
    CmpInst::Predicate p = predicateOf(compare);
    if (x == bound) {
      std::swap(x, y);
      p = CmpInst::getSwappedPredicate(p);
    }
    if (!entersIf)
      p = CmpInst::getInversePredicate(p);
    auto *cast = dyn_cast<CastInst>(x);
    return y == bound && p == predicate && cast &&
           cast->getOpcode() == wide->getOpcode() &&
           cast->getOperand(0) == start;
  }
  CmpInst::Predicate p = compare.getPredicate();
  if (x != start && (!sum || stripExtension(x) != sum)) {
    std::swap(x, y);
    p = CmpInst::getSwappedPredicate(p);
  }
  if (!entersIf)
    p = CmpInst::getInversePredicate(p);
  if (x == start && y == bound)
    return p == predicate;
  if (isSignedGuard(p, x, y))
    return true;
  // The sum's low bits, before the counter was widened.
  if (isChecked && bound->getType()->isIntegerTy(32)) {
    bool sign;
    return sum && x == sum && narrowed(y, sign) == bound &&
           sign == CmpInst::isSigned(predicate) &&
           (p == predicate ||
            (!sign && !isInclusive && p == CmpInst::ICMP_SLT));
  }
  if (isChecked) {
    bool sign;
    return sum && x == sum && bound->getType()->isIntegerTy(64) && y != bound &&
           narrowed(bound, sign) == y && sign == isSignExtended &&
           sign == CmpInst::isSigned(p) && p == predicate;
  }
  // The same in 32 bits, before the counter was widened.
  if (x != sum || stripExtension(bound) != y || bound == y)
    return false;
  if (p == CmpInst::ICMP_SLT)
    return isa<SExtInst>(bound) && sum->hasNoSignedWrap() &&
           predicate == CmpInst::ICMP_SLT;
  if (p == CmpInst::ICMP_ULT)
    return isa<ZExtInst>(bound) && sum->hasNoUnsignedWrap() && !isSignExtended;
  return false;
}

/// What is used behind the loop are variables of the loop, which threads that
/// did nothing have too, and what is computed from them with no other effect.
bool StridedLoop::matchesResults() {
  merge = exit;
  if (!is_contained(successors(guard->getParent()), exit)) {
    merge = exit->getSingleSuccessor();
    if (!merge || !is_contained(successors(guard->getParent()), merge))
      return false;
    for (Instruction &i : *exit)
      if (!isa<PHINode>(i) && !i.isTerminator() &&
          (hasEffect(i) || i.mayReadOrWriteMemory() ||
           !isSafeToSpeculativelyExecute(&i)))
        return false;
  }
  auto initialOf = [&](Value *v) -> Value * {
    for (PHINode &phi : header->phis())
      if (&phi != counter && phi.getIncomingValueForBlock(latch) == v)
        return phi.getIncomingValueForBlock(preheader);
    return nullptr;
  };
  for (PHINode &phi : exit->phis())
    if (!initialOf(phi.getIncomingValueForBlock(latch)))
      return false;
  BasicBlock *from = guard->getParent(), *last = merge == exit ? latch : exit;
  for (PHINode &phi : merge->phis()) {
    Value *idle = phi.getIncomingValueForBlock(from),
          *result = phi.getIncomingValueForBlock(last);
    if (auto *inner = dyn_cast<PHINode>(result);
        inner && inner->getParent() == exit && merge != exit)
      result = inner->getIncomingValueForBlock(latch);
    if (result != idle && initialOf(result) != idle)
      differing.push_back(&phi);
  }
  if (!isChecked)
    return true;
  // The copy of the loop has copies of what is before it.
  for (BasicBlock *bb = preheader; bb != from;
       bb = bb->getSinglePredecessor()) {
    if (bb != preheader && bb->size() != 1)
      return false;
    for (Instruction &i : *bb)
      for (User *user : i.users())
        if (auto *u = cast<Instruction>(user);
            !l.contains(u) && u->getParent() != bb)
          return false;
  }
  return true;
}

/// Threads that did nothing have what they had before: \p worked says of each.
void StridedLoop::selectResults(BasicBlock *last, Value *worked) {
  IRBuilder<> b(last->getTerminator());
  for (PHINode *phi : differing) {
    Value *idle = phi->getIncomingValueForBlock(guard->getParent());
    int index = phi->getBasicBlockIndex(last);
    phi->setIncomingValue(
        index, b.CreateSelect(worked, phi->getIncomingValue(index), idle));
  }
}

bool StridedLoop::matches() {
  header = l.getHeader();
  latch = l.getLoopLatch();
  exit = l.getUniqueExitBlock();
  preheader = l.getLoopPreheader();
  if (!latch || !exit || !preheader || l.getExitingBlock() != latch)
    return false;
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb)
      if (intrinsicCalledBy(i).isBarrier())
        return false;
  if (!matchesCounter() || !matchesStart() || !matchesGuard() ||
      !matchesResults())
    return false;
  if (!uniform)
    return true;
  // What is computed with where the guard is has to be known there.
  auto isKnown = [&](const Value *v) {
    auto *i = dyn_cast_or_null<Instruction>(v);
    return !i || dt.dominates(i, guard);
  };
  return isKnown(bound) && isKnown(step) && (isChecked || isKnown(first)) &&
         all_of(firstTerms, isKnown) && all_of(firstRows, isKnown) &&
         isKnown(thread) && isKnown(row) && isKnown(plane) &&
         isKnown(rowLength);
}

/// Whether a block may be run by threads that would not come to it.
static bool isPure(const BasicBlock &bb) {
  return none_of(bb, [](const Instruction &i) {
    IntrinsicKind query = intrinsicCalledBy(i).kind;
    return !isa<PHINode>(i) && !i.isTerminator() &&
           query != IntrinsicKind::ThreadIdx &&
           query != IntrinsicKind::LinearThread &&
           query != IntrinsicKind::Lane &&
           (hasEffect(i) || i.mayReadOrWriteMemory() ||
            !isSafeToSpeculativelyExecute(&i));
  });
}

bool StridedLoop::matchesRows(const Uniformity &ofKernel) {
  if (l.getSubLoops().size() != 1 || mask || scope == Scope::Warp)
    return false;
  Loop &inner = *l.getSubLoops().front();
  if (!inner.isInnermost() || !inner.getLoopPreheader())
    return false;
  for (BasicBlock *bb : l.blocks()) {
    if (!inner.contains(bb) && !isPure(*bb))
      return false;
  }
  StridedLoop row(inner, *prologue->getParent(), scope, dt, &ofKernel);
  if (!row.matches())
    return false;
  // But for what decides over the two loops, there is one path.
  for (BasicBlock *bb : l.blocks())
    if (!inner.contains(bb) && bb->getTerminator() != row.guard &&
        bb != l.getLoopLatch() && bb->getTerminator()->getNumSuccessors() != 1)
      return false;
  // What lies before the loop is known where its guard is.
  for (BasicBlock *bb = l.getLoopPreheader();;) {
    BasicBlock *pred = bb->getSinglePredecessor();
    if (!pred || pred == prologue || !isPure(*bb))
      break;
    for (Instruction &i : make_early_inc_range(*bb))
      if (!isa<PHINode>(i) && !i.isTerminator())
        i.moveBefore(pred->getTerminator()->getIterator());
    if (pred->getTerminator()->getNumSuccessors() != 1)
      break;
    bb = pred;
  }
  isRows = true;
  for (dim = 1; dim != 3; ++dim)
    if (matches())
      return true;
  return false;
}

bool StridedLoop::takeBackGuard() {
  header = l.getHeader();
  latch = l.getLoopLatch();
  exit = l.getUniqueExitBlock();
  preheader = l.getLoopPreheader();
  Loop *outer = l.getParentLoop();
  if (!latch || !exit || !preheader || l.getExitingBlock() != latch || !outer ||
      !outer->getLoopPreheader() || !matchesCounter() || !matchesStart())
    return false;
  // There is one path to the loop, and no test on it.
  for (BasicBlock *bb = preheader; bb != outer->getHeader();) {
    BasicBlock *pred = bb->getSinglePredecessor();
    if (!pred || !outer->contains(pred) ||
        pred->getTerminator()->getNumSuccessors() != 1)
      return false;
    bb = pred;
  }
  for (BasicBlock *bb : outer->blocks())
    if (!l.contains(bb) && !isPure(*bb))
      return false;
  // Where the test is now, with nothing but tests between.
  BasicBlock *to = outer->getLoopPreheader();
  BranchInst *test = nullptr;
  bool entersIf = false;
  for (;;) {
    BasicBlock *pred = to->getSinglePredecessor();
    if (!isPure(*to) || !pred || pred == prologue)
      return false;
    auto *branch = dyn_cast<BranchInst>(pred->getTerminator());
    if (!branch)
      return false;
    if (branch->isConditional()) {
      entersIf = branch->getSuccessor(0) == to;
      auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
      if (compare && isGuard(*compare, entersIf)) {
        test = branch;
        break;
      }
    }
    to = pred;
  }
  BasicBlock *before = test->getParent(), *past = test->getSuccessor(entersIf);
  if (past == to)
    return false;
  // Threads that passed the loops by have what they had, as those will that
  // come to the inner loop and do nothing.
  auto stripped = [](Value *v) {
    while (auto *phi = dyn_cast<PHINode>(v)) {
      if (phi->getNumIncomingValues() != 1)
        break;
      v = phi->getIncomingValue(0);
    }
    return v;
  };
  auto initialOf = [&](const Loop &loop, Value *v) -> Value * {
    for (PHINode &phi : loop.getHeader()->phis())
      if (stripped(phi.getIncomingValueForBlock(loop.getLoopLatch())) == v)
        return phi.getIncomingValueForBlock(loop.getLoopPreheader());
    return nullptr;
  };
  if (!outer->getLoopLatch())
    return false;
  for (PHINode &phi : past->phis()) {
    Value *idle = phi.getIncomingValueForBlock(before);
    for (unsigned n = 0; n != phi.getNumIncomingValues(); ++n) {
      if (phi.getIncomingBlock(n) == before || phi.getIncomingValue(n) == idle)
        continue;
      Value *result = stripped(phi.getIncomingValue(n));
      auto *carried = dyn_cast_or_null<PHINode>(initialOf(l, result));
      if (!carried || carried->getParent() != outer->getHeader() ||
          initialOf(*outer, result) != idle)
        return false;
    }
  }
  for (PHINode &phi : exit->phis())
    if (!initialOf(l, phi.getIncomingValueForBlock(latch)))
      return false;

  auto *compare = cast<Instruction>(test->getCondition());
  past->removePredecessor(before, /*KeepOneInputPHIs=*/true);
  BranchInst::Create(to, test->getIterator());
  test->eraseFromParent();
  BasicBlock *enter =
      preheader->splitBasicBlock(preheader->getTerminator(), "guarded");
  preheader->getTerminator()->eraseFromParent();
  IRBuilder<> b(preheader);
  Instruction *again = compare->clone();
  b.Insert(again);
  if (entersIf)
    b.CreateCondBr(again, enter, exit);
  else
    b.CreateCondBr(again, exit, enter);
  for (PHINode &phi : exit->phis())
    for (PHINode &own : header->phis())
      if (stripped(own.getIncomingValueForBlock(latch)) ==
          phi.getIncomingValueForBlock(latch)) {
        phi.addIncoming(own.getIncomingValueForBlock(enter), preheader);
        break;
      }
  if (compare->use_empty())
    compare->eraseFromParent();
  return true;
}

/// Whether no index that a thread of the block has in the loop wraps, nor the
/// one behind the loop.
Value *StridedLoop::check(IRBuilder<> &b) {
  // More than a block, or a team of them, has threads below the most there is.
  auto limitOf = [](Type *type, bool isSigned) {
    unsigned bits = type->getIntegerBitWidth();
    APInt most =
        isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    return ConstantInt::get(type, most - 2 * MostTeamThreads);
  };
  bool isSigned = countsSigned();
  auto fits = isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  Type *type = counter->getType();
  Value *limit = limitOf(type, isSigned);
  Value *forward =
      b.CreateICmp(isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, step,
                   ConstantInt::get(type, 0));
  Value *small = b.CreateICmp(fits, step, limit);
  Value *begins;
  if (firstType->getIntegerBitWidth() > type->getIntegerBitWidth()) {
    auto *most = cast<ConstantInt>(limit);
    begins = b.CreateICmpULE(first,
                             ConstantInt::get(firstType, most->getZExtValue()));
  } else {
    begins =
        b.CreateICmp(isSignExtended ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                     first, limitOf(firstType, isSignExtended));
  }
  // What is added is not negative, given the others.
  Value *last = b.CreateSub(limit, step), *ends;
  if (!wide) {
    ends = b.CreateICmp(fits, bound, last);
  } else {
    ends = b.CreateICmp(CmpInst::isSigned(predicate) ? CmpInst::ICMP_SLE
                                                     : CmpInst::ICMP_ULE,
                        bound, b.CreateZExt(last, bound->getType()));
    // A negative counter is a large number beside an unsigned bound.
    if (isSigned && CmpInst::isUnsigned(predicate))
      begins = b.CreateAnd(
          begins,
          b.CreateICmpSGE(first, ConstantInt::get(first->getType(), 0)));
  }
  return b.CreateAnd({forward, small, begins, ends});
}

/// Has a copy of the loop do what it did, for numbers that wrap: the guard is
/// then of the other one alone.
void StridedLoop::keepForWrapping(Value *fits, LoopInfo &loops,
                                  DominatorTree &dt,
                                  SmallPtrSetImpl<BasicBlock *> &others) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> blocks;
  BasicBlock *before = guard->getParent();
  cloneLoopWithPreheader(exit, before, &l, map, ".wrapping", &loops, &dt,
                         blocks);
  others.insert(cast<BasicBlock>(map[header]));
  if (merge == exit) {
    remapInstructionsInBlocks(blocks, map);
    for (PHINode &phi : exit->phis()) {
      Value *out = phi.getIncomingValueForBlock(latch);
      Value *copied = map.lookup(out);
      phi.addIncoming(copied ? copied : out, cast<BasicBlock>(map[latch]));
    }
  } else {
    // What is computed behind the loop is too: only where threads come together
    // again do the two.
    BasicBlock *behind =
        CloneBasicBlock(exit, map, ".wrapping", before->getParent());
    map[exit] = behind;
    blocks.push_back(behind);
    remapInstructionsInBlocks(blocks, map);
    for (PHINode &phi : merge->phis()) {
      Value *out = phi.getIncomingValueForBlock(exit);
      Value *copied = map.lookup(out);
      phi.addIncoming(copied ? copied : out, behind);
    }
  }
  const bool positive = entersIfTrue();
  BasicBlock *enter = guard->getSuccessor(positive ? 0 : 1),
             *skip = guard->getSuccessor(positive ? 1 : 0);
  Value *condition = guard->getCondition();
  LLVMContext &context = before->getContext();
  auto *whole = BasicBlock::Create(context, "whole", before->getParent());
  auto *wrapping = BasicBlock::Create(context, "wrapping", before->getParent());
  IRBuilder<> b(guard);
  b.CreateCondBr(fits, whole, wrapping);
  guard->eraseFromParent();
  auto branch = [&](BasicBlock *at, BasicBlock *to) {
    b.SetInsertPoint(at);
    return positive ? b.CreateCondBr(condition, to, skip)
                    : b.CreateCondBr(condition, skip, to);
  };
  guard = branch(whole, enter);
  BranchInst *own = branch(wrapping, cast<BasicBlock>(map[preheader]));
  if (mask) {
    b.SetInsertPoint(own);
    own->setCondition(positive ? b.CreateAnd(mask, condition)
                               : b.CreateOr(b.CreateNot(mask), condition));
  }
  enter->replacePhiUsesWith(before, whole);
  for (PHINode &phi : skip->phis()) {
    int index = phi.getBasicBlockIndex(before);
    phi.setIncomingBlock(index, whole);
    phi.addIncoming(phi.getIncomingValue(index), wrapping);
  }
}

BasicBlock *StridedLoop::align(LoopInfo &loops, DominatorTree &dt,
                               SmallPtrSetImpl<BasicBlock *> &others) {
  IRBuilder<> b(place());
  Type *i64 = b.getInt64Ty();
  if (signedBound) {
    bound = b.CreateSExt(signedBound, i64);
    predicate = CmpInst::ICMP_SLT;
  }
  if (isChecked) {
    first = ConstantInt::get(firstType, 0);
    for (Value *term : firstTerms)
      first = b.CreateAdd(first, b.CreateZExtOrTrunc(term, firstType),
                          "block.first");
    for (Value *term : firstRows)
      first =
          b.CreateAdd(first,
                      b.CreateMul(b.CreateZExtOrTrunc(term, firstType),
                                  b.CreateZExtOrTrunc(rowLength, firstType)),
                      "block.first");
    Value *fits = check(b);
    keepForWrapping(fits, loops, dt, others);
    b.SetInsertPoint(place());
  }
  auto widened = [&](Value *v, bool isSigned) {
    return v->getType() == i64 ? v
           : isSigned          ? b.CreateSExt(v, i64)
                               : b.CreateZExt(v, i64);
  };
  Value *first64 = widened(first, isSignExtended);
  if (isChecked) {
    step = widened(step, countsSigned());
    bound = widened(bound, countsSigned());
  }
  // There is a number behind it (check).
  if (isInclusive) {
    bound = b.CreateAdd(bound, b.getInt64(1));
    predicate = CmpInst::getStrictPredicate(predicate);
  }
  Value *enters = b.CreateICmp(predicate, first64, bound, "block.enters");
  Value *worked = guard->getCondition();
  if (!entersIfTrue())
    worked = IRBuilder<>(guard).CreateNot(worked);
  if (mask)
    worked = IRBuilder<>(guard).CreateAnd(mask, worked);
  guard->setCondition(entersIfTrue() ? enters : b.CreateNot(enters));

  // The counter of all threads, and the thread's own from it.
  Instruction *next =
      cast<Instruction>(counter->getIncomingValueForBlock(latch));
  auto *repeat =
      BasicBlock::Create(header->getContext(), "together", header->getParent());
  BasicBlock *body =
      header->splitBasicBlock(header->getFirstInsertionPt(), "own");
  if (latch == header)
    latch = body;
  // Wide as it is, it counts in the same way.
  PHINode *iterations = counter;
  if (counter->getType() != i64) {
    b.SetInsertPoint(header, header->begin());
    iterations = b.CreatePHI(i64, 2, "iterations");
    iterations->addIncoming(first64, preheader);
    iterations->addIncoming(PoisonValue::get(i64), latch);
  }
  b.SetInsertPoint(header->getTerminator());
  // A team's threads beyond a number that was reached by counting do not wrap.
  bool isSigned = countsSigned();
  Value *inBlock = b.CreateZExt(stripExtension(thread), i64);
  if (rowLength) {
    // Fewer than 1,024 each, and so is the sum.
    Value *rows = stripExtension(row);
    if (plane)
      rows = b.CreateAdd(rows, plane, "", /*HasNUW=*/true, /*HasNSW=*/true);
    Value *before =
        b.CreateMul(rows, b.CreateZExtOrTrunc(rowLength, rows->getType()), "",
                    /*HasNUW=*/true, /*HasNSW=*/true);
    inBlock = b.CreateAdd(b.CreateZExt(before, i64), inBlock, "",
                          /*HasNUW=*/true, /*HasNSW=*/true);
  }
  Value *own =
      b.CreateAdd(iterations, inBlock, "own.index",
                  // Beside an unsigned bound it is not negative (check).
                  /*HasNUW=*/!isSigned || CmpInst::isUnsigned(predicate),
                  /*HasNSW=*/isSigned || wide);
  Value *stays = b.CreateICmp(predicate, own, bound);
  if (mask)
    stays = b.CreateAnd(mask, stays);
  // A loop in it is taken by all threads too: then what is around it is done
  // for nothing by those that have no iteration.
  if (isRows) {
    iteration = stays;
  } else {
    b.CreateCondBr(stays, body, repeat);
    header->getTerminator()->eraseFromParent();
  }

  Instruction *oldEnd = latch->getTerminator();
  auto *compare = cast<Instruction>(oldEnd->getOperand(0));
  b.SetInsertPoint(oldEnd);
  b.CreateBr(repeat);
  oldEnd->eraseFromParent();
  if (compare->use_empty())
    compare->eraseFromParent();
  if (wide && wide->use_empty())
    wide->eraseFromParent();

  b.SetInsertPoint(repeat);
  DenseMap<Value *, Value *> merged;
  for (PHINode &phi : header->phis()) {
    if (&phi == counter || &phi == iterations)
      continue;
    Value *latest = phi.getIncomingValueForBlock(latch), *m;
    if (isRows) {
      m = b.CreateSelect(stays, latest, &phi, phi.getName());
    } else {
      PHINode *either = b.CreatePHI(phi.getType(), 2, phi.getName());
      either->addIncoming(&phi, header);
      either->addIncoming(latest, latch);
      m = either;
    }
    merged[latest] = m;
    phi.setIncomingValueForBlock(latch, m);
    phi.replaceIncomingBlockWith(latch, repeat);
  }
  for (PHINode &phi : exit->phis()) {
    phi.setIncomingValueForBlock(
        latch, merged.lookup(phi.getIncomingValueForBlock(latch)));
    phi.replaceIncomingBlockWith(latch, repeat);
  }
  Value *nextIteration = b.CreateAdd(iterations, step, "next.iteration");
  b.CreateCondBr(b.CreateICmp(predicate, nextIteration, bound), header, exit);

  // What used the counter uses the thread's own, but for the two.
  if (iterations == counter) {
    counter->replaceUsesWithIf(own, [&](const Use &u) {
      return u.getUser() != own && u.getUser() != nextIteration;
    });
  } else {
    for (User *user : make_early_inc_range(counter->users()))
      if (isSigned ? isa<SExtInst>(user) : isa<ZExtInst>(user))
        if (user->getType() == i64)
          user->replaceAllUsesWith(own);
    b.SetInsertPoint(header->getTerminator());
    Value *narrow = b.CreateTrunc(own, counter->getType(), "own.narrow",
                                  /*IsNUW=*/!isSigned, /*IsNSW=*/isSigned);
    counter->replaceUsesWithIf(
        narrow, [&](const Use &u) { return u.getUser() != next; });
    next->replaceAllUsesWith(PoisonValue::get(next->getType()));
    next->eraseFromParent();
    counter->eraseFromParent();
    next = nullptr;
  }
  iterations->setIncomingValueForBlock(latch, nextIteration);
  iterations->replaceIncomingBlockWith(latch, repeat);
  iterations->setIncomingValueForBlock(preheader, first64);
  if (next && next->use_empty())
    next->eraseFromParent();
  selectResults(merge == exit ? repeat : exit, worked);
  return repeat;
}

/// A counter of 64 bits of which 32 count, as InstCombine makes of
/// `int i = global_id()`: it becomes one of 32.
static void narrowCounter(Loop &l, const DominatorTree &dt) {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch(),
             *preheader = l.getLoopPreheader();
  if (!latch || !preheader)
    return;
  for (PHINode &phi : make_early_inc_range(header->phis())) {
    if (!phi.getType()->isIntegerTy(64))
      continue;
    Type *narrow = Type::getInt32Ty(phi.getContext());
    SmallVector<Instruction *, 4> signs, zeros, truncs;
    bool all = true;
    for (User *user : phi.users()) {
      auto *i = cast<Instruction>(user);
      if (i->getType() == narrow && isa<TruncInst>(i))
        truncs.push_back(i);
      else if (match(i, m_And(m_Specific(&phi), m_SpecificInt(UINT32_MAX))))
        zeros.push_back(i);
      else if (match(i, m_Shl(m_Specific(&phi), m_SpecificInt(32))))
        for (User *outer : i->users())
          if (match(outer, m_AShr(m_Specific(i), m_SpecificInt(32))))
            signs.push_back(cast<Instruction>(outer));
          else
            all = false;
      else
        all = false;
    }
    auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    if (!all || !next || next->getOpcode() != Instruction::Add)
      continue;
    // The sum of a step and the counter's low half.
    bool isFirst = is_contained(signs, next->getOperand(0)) ||
                   is_contained(zeros, next->getOperand(0));
    Value *step = next->getOperand(isFirst ? 1 : 0);
    if (!isFirst && !is_contained(signs, next->getOperand(1)) &&
        !is_contained(zeros, next->getOperand(1)))
      continue;
    if (!l.isLoopInvariant(step) || !all_of(next->users(), [&](User *u) {
          return u == &phi || (isa<TruncInst>(u) && u->getType() == narrow);
        }))
      continue;
    IRBuilder<> b(preheader->getTerminator());
    Value *start = phi.getIncomingValueForBlock(preheader), *first = nullptr;
    for (User *user : start->users())
      if (auto *low = dyn_cast<TruncInst>(user);
          low && low->getType() == narrow &&
          dt.dominates(low, preheader->getTerminator()))
        first = low;
    if (!first)
      first = b.CreateTrunc(start, narrow);
    // Where the step is known, so that it is with what all threads have.
    if (auto *known = dyn_cast<Instruction>(step);
        known && !isa<PHINode>(known))
      b.SetInsertPoint(known->getNextNode());
    Value *by = b.CreateTrunc(step, narrow);
    b.SetInsertPoint(header, header->begin());
    PHINode *counter = b.CreatePHI(narrow, 2, phi.getName());
    b.SetInsertPoint(header, header->getFirstInsertionPt());
    for (Instruction *i : truncs)
      i->replaceAllUsesWith(counter);
    Value *sign = b.CreateSExt(counter, phi.getType()),
          *zero = b.CreateZExt(counter, phi.getType());
    for (Instruction *i : signs)
      i->replaceAllUsesWith(sign);
    for (Instruction *i : zeros)
      i->replaceAllUsesWith(zero);
    b.SetInsertPoint(next);
    Value *sum = b.CreateAdd(counter, by);
    counter->addIncoming(first, preheader);
    counter->addIncoming(sum, latch);
    for (User *user : make_early_inc_range(next->users()))
      if (user != &phi) {
        user->replaceAllUsesWith(sum);
        cast<Instruction>(user)->eraseFromParent();
      }
    phi.replaceAllUsesWith(PoisonValue::get(phi.getType()));
    phi.eraseFromParent();
    // One may be what another was for.
    SmallVector<WeakTrackingVH> made{next, sign, zero};
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(made);
  }
}

/// What a loop carries beside its counter of 32 bits is the counter in 64: it is
/// made of the counter.
static void dropWideCounters(Loop &l) {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch(),
             *preheader = l.getLoopPreheader();
  if (!latch || !preheader)
    return;
  for (PHINode &copy : make_early_inc_range(header->phis())) {
    auto *next = dyn_cast<CastInst>(copy.getIncomingValueForBlock(latch));
    if (!next || !isa<ZExtInst, SExtInst>(next) || !l.contains(next))
      continue;
    for (PHINode &counter : header->phis()) {
      if (counter.getIncomingValueForBlock(latch) != next->getOperand(0))
        continue;
      Value *narrow = counter.getIncomingValueForBlock(preheader),
            *first = copy.getIncomingValueForBlock(preheader);
      auto *cast = dyn_cast<CastInst>(first);
      if (!cast || cast->getOpcode() != next->getOpcode() ||
          cast->getOperand(0) != narrow)
        continue;
      IRBuilder<> b(header, header->getFirstInsertionPt());
      copy.replaceAllUsesWith(
          b.CreateCast(next->getOpcode(), &counter, copy.getType()));
      copy.eraseFromParent();
      break;
    }
  }
}

namespace {

/// A loop that counts down becomes one that counts its counter's complement up,
/// which is in the contrary order, whatever the numbers are.
class DownwardLoop {
public:
  DownwardLoop(Loop &l, BasicBlock *prologue) : l(l), prologue(prologue) {}

  bool matches();
  void countUp();

private:
  void addTerms(Value *v, bool isNegative, unsigned depth);
  Value *complement(Value *v);
  Instruction *placeBehind(Instruction &i) const {
    return i.getParent() == prologue ? prologue->getTerminator()
                                     : &*i.getNextNode();
  }

  Loop &l;
  BasicBlock *prologue;
  PHINode *counter = nullptr;
  Instruction *next;
  ICmpInst *compare;
  CmpInst::Predicate predicate;
  Value *step, *bound, *start;
  SmallVector<std::pair<Value *, bool>, 4> terms; ///< of start, negative or not
  APInt rest;
  bool hasThread = false;
};

} // namespace

void DownwardLoop::addTerms(Value *v, bool isNegative, unsigned depth) {
  Value *x, *y;
  if (auto *c = dyn_cast<ConstantInt>(v)) {
    rest += isNegative ? -c->getValue() : c->getValue();
  } else if (depth < 6 && match(v, m_Not(m_Value(x)))) {
    addTerms(x, !isNegative, depth + 1);
    rest -= isNegative ? -APInt(rest.getBitWidth(), 1)
                       : APInt(rest.getBitWidth(), 1);
  } else if (depth < 6 && match(v, m_Add(m_Value(x), m_Value(y)))) {
    addTerms(x, isNegative, depth + 1);
    addTerms(y, isNegative, depth + 1);
  } else if (depth < 6 && match(v, m_Sub(m_Value(x), m_Value(y)))) {
    addTerms(x, isNegative, depth + 1);
    addTerms(y, !isNegative, depth + 1);
  } else {
    IntrinsicKind query = extendedQuery(v).kind;
    hasThread |= isNegative && (query == IntrinsicKind::ThreadIdx ||
                                query == IntrinsicKind::Lane);
    terms.push_back({v, isNegative});
  }
}

bool DownwardLoop::matches() {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch(),
             *preheader = l.getLoopPreheader();
  if (!latch || !preheader || l.getExitingBlock() != latch)
    return false;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  compare = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->hasOneUse())
    return false;
  next = dyn_cast<Instruction>(compare->getOperand(0));
  bound = compare->getOperand(1);
  predicate = compare->getPredicate();
  if (branch->getSuccessor(0) != header)
    predicate = CmpInst::getInversePredicate(predicate);
  if (!next || !CmpInst::isRelational(predicate) ||
      !(ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) ||
      !next->hasNUses(2) || !l.isLoopInvariant(bound))
    return false;
  // Where the complement of the bound is known.
  if (auto *known = dyn_cast<Instruction>(bound);
      known && known->getParent() != prologue)
    return false;
  if (next->getOpcode() == Instruction::Sub) {
    step = next->getOperand(1);
  } else if (auto *c = next->getOpcode() == Instruction::Add
                           ? dyn_cast<ConstantInt>(next->getOperand(1))
                           : nullptr;
             c && c->isNegative() && !c->isMinValue(/*IsSigned=*/true)) {
    step = ConstantInt::get(c->getType(), -c->getValue());
  } else {
    return false;
  }
  counter = dyn_cast<PHINode>(next->getOperand(0));
  if (!counter || counter->getParent() != header ||
      counter->getIncomingValueForBlock(latch) != next ||
      !l.isLoopInvariant(step))
    return false;
  for (Instruction *i : {static_cast<Instruction *>(counter), next})
    for (User *user : i->users())
      if (!l.contains(cast<Instruction>(user)))
        return false;
  start = counter->getIncomingValueForBlock(preheader);
  if (!isa<Instruction>(start) || isa<PHINode>(start))
    return false;
  rest = APInt(start->getType()->getIntegerBitWidth(), 0);
  addTerms(start, false, 0);
  return hasThread && terms.size() < 8;
}

Value *DownwardLoop::complement(Value *v) {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return ConstantInt::get(c->getType(), ~c->getValue());
  IRBuilder<> b(isa<Instruction>(v) ? placeBehind(*cast<Instruction>(v))
                                    : prologue->getTerminator());
  return b.CreateNot(v);
}

void DownwardLoop::countUp() {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch();
  Type *type = counter->getType();
  // ~(x + y) is -x - y - 1.
  IRBuilder<> b(placeBehind(*cast<Instruction>(start)));
  Value *from = ConstantInt::get(type, -rest - 1);
  for (auto [term, isNegative] : terms) {
    Value *own = term;
    if (!isNegative) {
      auto *i = dyn_cast<Instruction>(term);
      own = IRBuilder<>(i ? placeBehind(*i) : prologue->getTerminator())
                .CreateNeg(term);
    }
    from = b.CreateAdd(from, own);
  }
  Value *limit = complement(bound);
  CmpInst::Predicate upward = CmpInst::getSwappedPredicate(predicate);
  for (User *user : make_early_inc_range(start->users()))
    if (auto *guard = dyn_cast<ICmpInst>(user);
        guard && guard != compare && guard->getOperand(0) == start &&
        guard->getOperand(1) == bound && guard->isRelational()) {
      b.SetInsertPoint(guard);
      guard->replaceAllUsesWith(b.CreateICmp(
          CmpInst::getSwappedPredicate(guard->getPredicate()), from, limit));
      guard->eraseFromParent();
    }

  b.SetInsertPoint(header, header->begin());
  PHINode *up = b.CreatePHI(type, 2, counter->getName() + ".up");
  b.SetInsertPoint(next);
  Value *more = b.CreateAdd(up, step, "", next->hasNoUnsignedWrap(),
                            next->hasNoSignedWrap());
  up->addIncoming(from, l.getLoopPreheader());
  up->addIncoming(more, latch);
  b.SetInsertPoint(compare);
  if (cast<BranchInst>(latch->getTerminator())->getSuccessor(0) != header)
    upward = CmpInst::getInversePredicate(upward);
  compare->replaceAllUsesWith(b.CreateICmp(upward, more, limit));
  compare->eraseFromParent();

  b.SetInsertPoint(header, header->getFirstInsertionPt());
  Value *down = b.CreateNot(up);
  b.SetInsertPoint(cast<Instruction>(down));
  for (User *user : make_early_inc_range(counter->users())) {
    auto *cast = dyn_cast<CastInst>(user);
    bool isSigned = cast && isa<SExtInst>(cast);
    if (cast && isa<ZExtInst>(cast))
      isSigned = cast->hasNonNeg();
    if (isSigned) {
      cast->replaceAllUsesWith(b.CreateNot(b.CreateSExt(up, cast->getType())));
      cast->eraseFromParent();
    }
  }
  counter->replaceAllUsesWith(down);
  counter->eraseFromParent();
  next->eraseFromParent();
}

/// Whether all threads of a block come to a loop together, each time, but for
/// those that have left the kernel: the loops around it, and the branches on the
/// way, are the same for all.
static bool isReachedTogether(const Loop &l, const DominatorTree &dt,
                              const PostDominatorTree &ends,
                              const Uniformity &uniform) {
  auto isUniform = [&](const BasicBlock *bb) {
    const Instruction *end = bb->getTerminator();
    return end->getNumSuccessors() < 2 ||
           (isa<BranchInst>(end) &&
            uniform.isUniformUse(end->getOperandUse(0)));
  };
  for (const Loop *outer = l.getParentLoop(); outer;
       outer = outer->getParentLoop()) {
    SmallVector<BasicBlock *, 4> exiting;
    outer->getExitingBlocks(exiting);
    if (!all_of(exiting, isUniform))
      return false;
  }
  auto leaves = [](const BasicBlock *bb) {
    return isa<ReturnInst>(bb->getTerminator()) && bb->size() == 1;
  };
  const BasicBlock *inner = l.getLoopPreheader();
  // The loop's own guard is behind the first branch.
  bool isGuard = true;
  for (auto *node = dt.getNode(inner)->getIDom(); node;
       node = node->getIDom()) {
    const BasicBlock *bb = node->getBlock();
    if (bb->getTerminator()->getNumSuccessors() < 2)
      continue;
    if (std::exchange(isGuard, false))
      continue;
    if (!isUniform(bb) && !ends.dominates(inner, bb) &&
        none_of(successors(bb), leaves) &&
        // The guard may pass the loop by.
        !ends.dominates(dt.getNode(inner)->getIDom()->getBlock(), bb))
      return false;
  }
  return true;
}

SmallVector<BasicBlock *, 2> alignStridedLoops(Function &kernel, Scope scope) {
  SmallVector<BasicBlock *, 2> repeats;
  SmallPtrSet<BasicBlock *, 4> others;
  DenseMap<BasicBlock *, Value *> masks; // by the headers of loops in rows
  // A loop that was aligned has no such form any more.
  for (bool changed = true; changed;) {
    changed = false;
    DominatorTree dt(kernel);
    LoopInfo loops(dt);
    std::optional<Uniformity> uniform;
    std::optional<PostDominatorTree> ends;
    auto analyse = [&] {
      if (uniform)
        return;
      uniform.emplace(kernel, scope);
      ends.emplace(kernel);
    };
    auto prepare = [&](Loop *l) {
      if (!l->getLoopPreheader())
        InsertPreheaderForLoop(l, &dt, &loops, /*MSSAU=*/nullptr,
                               /*PreserveLCSSA=*/false);
      narrowCounter(*l, dt);
      dropWideCounters(*l);
      if (DownwardLoop down(*l, &kernel.getEntryBlock()); down.matches())
        down.countUp();
      formLCSSA(*l, dt, &loops, /*SE=*/nullptr);
    };
    for (Loop *l : loops.getLoopsInPreorder())
      if (!others.contains(l->getHeader()))
        prepare(l);
    for (Loop *l : loops.getLoopsInPreorder())
      if (l->getParentLoop() && l->isInnermost() &&
          !others.contains(l->getHeader())) {
        analyse();
        if (StridedLoop(*l, kernel, scope, dt, &*uniform).takeBackGuard()) {
          changed = true;
          break;
        }
      }
    if (changed)
      continue;
    for (Loop *l : loops.getLoopsInPreorder()) {
      if (others.contains(l->getHeader()))
        continue;
      const bool isNested = l->getParentLoop();
      // A warp's code knows before its loops what is computed on the path
      // there.
      bool isWithin = isNested || scope == Scope::Warp;
      if (isWithin || !l->isInnermost())
        analyse();
      // So does a kernel whose threads come to a loop together.
      if (!isWithin && l->isInnermost() &&
          !StridedLoop(*l, kernel, scope, dt, nullptr).matches()) {
        analyse();
        isWithin = true;
      }
      if (isWithin && !isReachedTogether(*l, dt, *ends, *uniform))
        continue;
      const Uniformity *around = isWithin ? &*uniform : nullptr;
      StridedLoop rows(*l, kernel, scope, dt, around),
          single(*l, kernel, scope, dt, around, masks.lookup(l->getHeader()));
      if (!l->isInnermost() && rows.matchesRows(*uniform)) {
        BasicBlock *row = l->getSubLoops().front()->getHeader();
        repeats.push_back(rows.align(loops, dt, others));
        masks[row] = rows.taken();
      } else if (single.matches()) {
        repeats.push_back(single.align(loops, dt, others));
      } else {
        continue;
      }
      changed = true;
      break;
    }
  }
  return repeats;
}

} // namespace xcc::block
