// Nested grid-stride loops over rows
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoop.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Whether threads that would not come to \p bb may run it without effect.
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
  // Apart from the tests of the two loops, there is one path.
  for (BasicBlock *bb : l.blocks())
    if (!inner.contains(bb) && bb->getTerminator() != row.guard &&
        bb != l.getLoopLatch() && bb->getTerminator()->getNumSuccessors() != 1)
      return false;
  // Move code before the loop up to the guard, so that its values are known
  // there.
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

bool StridedLoop::restoreGuard() {
  Loop *outer = l.getParentLoop();
  if (!findBlocks() || !outer || !outer->getLoopPreheader() ||
      !matchesCounter() || !matchesStart())
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
  // Find the hoisted test, with nothing but tests between.
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
  // Threads that skipped both loops have their old values. So have threads that
  // will come to the inner loop and have no iteration.
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

} // namespace xcc::block
