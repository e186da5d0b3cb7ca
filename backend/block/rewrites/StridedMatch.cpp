// Matching grid-stride loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoop.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// The predicate of \p compare; the signed one if both operands have one sign.
static CmpInst::Predicate predicateOf(const ICmpInst &compare) {
  return compare.hasSameSign()
             ? ICmpInst::getSignedPredicate(compare.getPredicate())
             : compare.getPredicate();
}

/// Whether \p v is positive: a constant, or the number of threads of the grid.
static bool isThreadCount(Value *v) {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return c->getValue().isStrictlyPositive();
  // A zero extension of 32 bits, or a sign extension of an exact product.
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

/// The 32-bit number that \p v extends, or null. \p sign: by a sign extension.
static Value *narrowed(Value *v, bool &sign) {
  sign = isa<SExtInst>(v);
  if (auto *cast = dyn_cast<CastInst>(v); cast && isa<ZExtInst, SExtInst>(cast))
    return cast->getSrcTy()->isIntegerTy(32) ? cast->getOperand(0) : nullptr;
  // The low half of a sum.
  Value *low;
  return match(v, m_And(m_Value(low), m_SpecificInt(UINT32_MAX))) ? low
                                                                  : nullptr;
}

/// Splits a sum, of which \p bits count, into numbers that all threads have and
/// one thread_idx.x.
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

/// Splits a number of rows of threads. A row has block_dim.x threads.
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
  // The low half of a wider sum. Guards may compare the whole sum.
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
  return addTerms(from, firstType->getIntegerBitWidth(), 0) && thread;
}

bool StridedLoop::matchesStart() {
  if (isChecked)
    return matchesCheckedStart();
  isSignExtended = isa<SExtInst>(start);
  sum = dyn_cast<BinaryOperator>(stripExtension(start));
  if (!sum || sum->getOpcode() != Instruction::Add)
    return matchesCheckedStart();
  // Whether the sum is exact in 64 bits too.
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

/// Finds the guard, by which exactly the threads with start < bound enter.
bool StridedLoop::matchesGuard() {
  BasicBlock *before = preheader;
  // Skip blocks without effect.
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

/// Recognises the signed guard x < y of a loop that compares zero extensions of
/// these numbers. The start is not negative, so neither is a bound that passes
/// the guard.
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

/// Whether \p compare, inverted unless \p entersIf, tests start < bound.
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
  // The guard compares the 64-bit sum; the start is its low half.
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
  // The guard compares in 32 bits, from before the counter was widened.
  if (x != sum || stripExtension(bound) != y || bound == y)
    return false;
  if (p == CmpInst::ICMP_SLT)
    return isa<SExtInst>(bound) && sum->hasNoSignedWrap() &&
           predicate == CmpInst::ICMP_SLT;
  if (p == CmpInst::ICMP_ULT)
    return isa<ZExtInst>(bound) && sum->hasNoUnsignedWrap() && !isSignExtended;
  return false;
}

/// Checks the values that are used behind the loop. They have to be variables
/// of the loop, which threads without an iteration have too, or computed from
/// these without another effect.
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
  // The copied loop copies these blocks, so no other code may use their values.
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

bool StridedLoop::findBlocks() {
  header = l.getHeader();
  latch = l.getLoopLatch();
  exit = l.getUniqueExitBlock();
  preheader = l.getLoopPreheader();
  return latch && exit && preheader && l.getExitingBlock() == latch;
}

bool StridedLoop::matches() {
  if (!findBlocks())
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
  // These values are used at the guard, so they have to be known there.
  auto isKnown = [&](const Value *v) {
    auto *i = dyn_cast_or_null<Instruction>(v);
    return !i || dt.dominates(i, guard);
  };
  return isKnown(bound) && isKnown(step) && (isChecked || isKnown(first)) &&
         all_of(firstTerms, isKnown) && all_of(firstRows, isKnown) &&
         isKnown(thread) && isKnown(row) && isKnown(plane) &&
         isKnown(rowLength);
}

} // namespace xcc::block
