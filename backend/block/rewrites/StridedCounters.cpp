// Counters of loops in one form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedCounters.h"
#include "StridedLoop.h"

#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

void narrowCounter(Loop &l, const DominatorTree &dt) {
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
    // Truncate the step where it is computed, so that a step from the prologue
    // stays there.
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
    // These may be unused now.
    SmallVector<WeakTrackingVH> made{next, sign, zero};
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(made);
  }
}

void dropWideCounters(Loop &l) {
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

/// A loop that counts down. The complement of its counter goes up and compares
/// in reverse, as a signed and as an unsigned number.
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
  SmallVector<std::pair<Value *, bool>, 4> terms; ///< of start; true: negative
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
  // The complement of the bound is computed in the prologue.
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

void countUp(Loop &l, BasicBlock &prologue) {
  if (DownwardLoop down(l, &prologue); down.matches())
    down.countUp();
}

} // namespace xcc::block
