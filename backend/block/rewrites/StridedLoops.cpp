// Loops over data by the size of the grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoops.h"
#include "block/Intrinsics.h"

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
  StridedLoop(Loop &l, Function &kernel)
      : l(l), prologue(&kernel.getEntryBlock()) {}

  bool matches();
  BasicBlock *align();

private:
  bool isAvailable(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return !i || i->getParent() == prologue;
  }
  bool matchesCounter();
  bool matchesStart();
  bool matchesGuard();
  bool matchesResults();

  Loop &l;
  BasicBlock *prologue;
  BasicBlock *header, *latch, *exit, *preheader;
  PHINode *counter;
  Value *start, *step, *bound;
  CmpInst::Predicate predicate; ///< the loop goes on while counter ? bound
  Instruction *sum;             ///< block's first index + thread_idx.x
  Value *first, *thread;
  bool isSignExtended;
  BranchInst *guard;
};

} // namespace

static Value *stripExtension(Value *v) {
  return isa<ZExtInst, SExtInst>(v) ? cast<CastInst>(v)->getOperand(0) : v;
}

static Intrinsic queryOf(Value *v) {
  auto *i = dyn_cast<Instruction>(stripExtension(v));
  return i ? intrinsicCalledBy(*i) : Intrinsic();
}

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
  Intrinsic a = queryOf(mul->getOperand(0)), b = queryOf(mul->getOperand(1));
  if (a.kind == IntrinsicKind::BlockDim)
    std::swap(a, b);
  return a.kind == IntrinsicKind::GridDim && b.kind == IntrinsicKind::BlockDim;
}

bool StridedLoop::matchesCounter() {
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto *compare = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare)
    return false;
  predicate = branch->getSuccessor(0) == header
                  ? compare->getPredicate()
                  : compare->getInversePredicate();
  if (predicate != CmpInst::ICMP_SLT && predicate != CmpInst::ICMP_ULT)
    return false;
  auto *next = dyn_cast<BinaryOperator>(compare->getOperand(0));
  bound = compare->getOperand(1);
  if (!next || next->getOpcode() != Instruction::Add ||
      !next->getType()->isIntegerTy(64) || !isAvailable(bound))
    return false;
  for (unsigned n = 0; n != 2; ++n) {
    counter = dyn_cast<PHINode>(next->getOperand(n));
    step = next->getOperand(1 - n);
    if (counter && counter->getParent() == header && isAvailable(step) &&
        counter->getIncomingValueForBlock(latch) == next &&
        isThreadCount(step)) {
      start = counter->getIncomingValueForBlock(preheader);
      return next->hasNUses(2); // the counter and the test
    }
  }
  return false;
}

bool StridedLoop::matchesStart() {
  isSignExtended = isa<SExtInst>(start);
  sum = dyn_cast<BinaryOperator>(stripExtension(start));
  if (!sum || sum->getOpcode() != Instruction::Add)
    return false;
  // The sum is exact in 64 bits too.
  bool isExact =
      sum->getType()->isIntegerTy(64) ||
      (isSignExtended ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  for (unsigned n = 0; n != 2 && isExact; ++n) {
    first = sum->getOperand(n);
    thread = sum->getOperand(1 - n);
    Intrinsic in = queryOf(thread);
    if (in.kind == IntrinsicKind::ThreadIdx && in.dim == 0 &&
        isAvailable(first))
      return true;
  }
  return false;
}

/// The loop is entered by threads with start < bound, and only by them.
bool StridedLoop::matchesGuard() {
  BasicBlock *before = preheader;
  // Only empty blocks lie between.
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
  if (!compare)
    return false;
  Value *x = compare->getOperand(0), *y = compare->getOperand(1);
  CmpInst::Predicate p = compare->getPredicate();
  if (stripExtension(x) != sum && x != start) {
    std::swap(x, y);
    p = CmpInst::getSwappedPredicate(p);
  }
  bool entersIfTrue = guard->getSuccessor(0) == preheader ||
                      guard->getSuccessor(0)->getSingleSuccessor() == preheader;
  if (!entersIfTrue)
    p = CmpInst::getInversePredicate(p);
  if (x == start && y == bound)
    return p == predicate;
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

/// What is used behind the loop has to be right for threads that did nothing:
/// variables of the loop, which have their first value then.
bool StridedLoop::matchesResults() {
  BasicBlock *merge = exit;
  if (!is_contained(successors(guard->getParent()), exit)) {
    merge = exit->getSingleSuccessor();
    if (!merge || !is_contained(successors(guard->getParent()), merge) ||
        !exit->getFirstNonPHIOrDbg()->isTerminator())
      return false;
  }
  auto initialOf = [&](Value *v) -> Value * {
    for (PHINode &phi : header->phis())
      if (&phi != counter && phi.getIncomingValueForBlock(latch) == v)
        return phi.getIncomingValueForBlock(preheader);
    return nullptr;
  };
  BasicBlock *from = guard->getParent();
  for (PHINode &phi : exit->phis()) {
    Value *initial = initialOf(phi.getIncomingValueForBlock(latch));
    if (!initial)
      return false;
    if (merge == exit) {
      if (phi.getIncomingValueForBlock(from) != initial)
        return false;
      continue;
    }
    for (User *u : phi.users()) {
      auto *outer = dyn_cast<PHINode>(u);
      if (!outer || outer->getParent() != merge ||
          outer->getIncomingValueForBlock(from) != initial ||
          outer->getIncomingValueForBlock(exit) != &phi)
        return false;
    }
  }
  // Other values that say whether the loop was entered.
  if (merge != exit)
    for (PHINode &phi : merge->phis()) {
      auto *inner = dyn_cast<PHINode>(phi.getIncomingValueForBlock(exit));
      if ((!inner || inner->getParent() != exit) &&
          phi.getIncomingValueForBlock(exit) !=
              phi.getIncomingValueForBlock(from))
        return false;
    }
  return true;
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
  return matchesCounter() && matchesStart() && matchesGuard() &&
         matchesResults();
}

BasicBlock *StridedLoop::align() {
  Instruction *prologueEnd = prologue->getTerminator();
  IRBuilder<> b(prologueEnd);
  Type *i64 = b.getInt64Ty();
  Value *first64 = first;
  if (first->getType() != i64)
    first64 =
        isSignExtended ? b.CreateSExt(first, i64) : b.CreateZExt(first, i64);
  Value *enters = b.CreateICmp(predicate, first64, bound, "block.enters");
  bool entersIfTrue = guard->getSuccessor(0) == preheader ||
                      guard->getSuccessor(0)->getSingleSuccessor() == preheader;
  guard->setCondition(entersIfTrue ? enters : b.CreateNot(enters));

  // The counter of all threads, and the thread's own from it.
  Instruction *next =
      cast<Instruction>(counter->getIncomingValueForBlock(latch));
  auto *repeat =
      BasicBlock::Create(header->getContext(), "together", header->getParent());
  BasicBlock *body =
      header->splitBasicBlock(header->getFirstInsertionPt(), "own");
  if (latch == header)
    latch = body;
  b.SetInsertPoint(header->getTerminator());
  // A thousand beyond a number that was reached by counting does not wrap.
  bool isSigned = CmpInst::isSigned(predicate);
  Value *own =
      b.CreateAdd(counter, b.CreateZExt(stripExtension(thread), i64),
                  "own.index", /*HasNUW=*/!isSigned, /*HasNSW=*/isSigned);
  Value *stays = b.CreateICmp(predicate, own, bound);
  b.CreateCondBr(stays, body, repeat);
  header->getTerminator()->eraseFromParent();

  Instruction *oldEnd = latch->getTerminator();
  auto *compare = cast<Instruction>(oldEnd->getOperand(0));
  b.SetInsertPoint(oldEnd);
  b.CreateBr(repeat);
  oldEnd->eraseFromParent();
  if (compare->use_empty())
    compare->eraseFromParent();

  b.SetInsertPoint(repeat);
  DenseMap<Value *, PHINode *> merged;
  for (PHINode &phi : header->phis()) {
    if (&phi == counter)
      continue;
    Value *latest = phi.getIncomingValueForBlock(latch);
    PHINode *m = b.CreatePHI(phi.getType(), 2, phi.getName());
    m->addIncoming(&phi, header);
    m->addIncoming(latest, latch);
    merged[latest] = m;
    phi.setIncomingValueForBlock(latch, m);
    phi.replaceIncomingBlockWith(latch, repeat);
  }
  for (PHINode &phi : exit->phis()) {
    phi.setIncomingValueForBlock(
        latch, merged.lookup(phi.getIncomingValueForBlock(latch)));
    phi.replaceIncomingBlockWith(latch, repeat);
  }
  Value *nextTurn = b.CreateAdd(counter, step, "next.turn");
  b.CreateCondBr(b.CreateICmp(predicate, nextTurn, bound), header, exit);

  // What used the counter uses the thread's own, but for the two.
  counter->replaceUsesWithIf(own, [&](const Use &u) {
    return u.getUser() != own && u.getUser() != nextTurn;
  });
  counter->setIncomingValueForBlock(latch, nextTurn);
  counter->replaceIncomingBlockWith(latch, repeat);
  counter->setIncomingValueForBlock(preheader, first64);
  if (next->use_empty())
    next->eraseFromParent();
  return repeat;
}

SmallVector<BasicBlock *, 2> alignStridedLoops(Function &kernel) {
  SmallVector<BasicBlock *, 2> repeats;
  // A loop that was aligned has no such form any more.
  for (bool changed = true; changed;) {
    changed = false;
    DominatorTree dt(kernel);
    LoopInfo loops(dt);
    for (Loop *l : loops.getLoopsInPreorder()) {
      if (l->getParentLoop())
        continue;
      formLCSSA(*l, dt, &loops, /*SE=*/nullptr);
      StridedLoop strided(*l, kernel);
      if (!strided.matches())
        continue;
      repeats.push_back(strided.align());
      changed = true;
      break;
    }
  }
  return repeats;
}

} // namespace xcc::block
