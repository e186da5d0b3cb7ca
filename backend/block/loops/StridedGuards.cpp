// Guards that every n-th thread passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedGuards.h"
#include "EachLoop.h"
#include "block/simd/Pass.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "xcc/abi.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// With a smaller distance between passing threads, a vector of all threads is
/// as fast.
static constexpr unsigned LeastStep = 8;
/// More than the threads of any block.
static constexpr unsigned MostStep = 1 << 20;

namespace {

class GuardedLoop {
public:
  GuardedLoop(Loop &l, LoopInfo &loops, DominatorTree &dt, ScalarEvolution &se)
      : l(l), loops(loops), dt(dt), se(se) {}

  bool matches();
  /// Adds the second version of the loop.
  void split();

private:
  bool matchesGuard(const BranchInst &branch);
  Value *stepOf(IRBuilder<> &b) const;
  Loop *copy(BasicBlock *from, ValueToValueMapTy &copies);

  Loop &l;
  LoopInfo &loops;
  DominatorTree &dt;
  ScalarEvolution &se;
  PHINode *x = nullptr;
  /// A thread passes if `x & mask` or `x % divisor` of its index is 0.
  Value *mask = nullptr, *divisor = nullptr;
  const SCEV *end = nullptr; ///< of the indices
};

} // namespace

bool GuardedLoop::matchesGuard(const BranchInst &branch) {
  if (!branch.isConditional())
    return false;
  CmpPredicate p;
  Value *left;
  if (!match(branch.getCondition(), m_ICmp(p, m_Value(left), m_Zero())) ||
      !ICmpInst::isEquality(p) ||
      branch.getSuccessor(p == CmpInst::ICMP_EQ ? 1 : 0) != l.getLoopLatch())
    return false;
  auto index = m_CombineOr(m_Specific(x), m_Trunc(m_Specific(x)));
  if (!match(left, m_c_And(index, m_Value(mask))) &&
      !match(left, m_URem(index, m_Value(divisor))) &&
      !match(left, m_SRem(index, m_Value(divisor))))
    return false;
  Value *by = mask ? mask : divisor;
  return l.isLoopInvariant(by) && by->getType()->getIntegerBitWidth() >= 32;
}

bool GuardedLoop::matches() {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch();
  if (!findOptionMDForLoop(&l, ThreadLoopMark) ||
      findOptionMDForLoop(&l, "llvm.loop.isvectorized") || !l.isInnermost() ||
      !l.getLoopPreheader() || !latch || header == latch ||
      l.getExitingBlock() != latch || !l.getUniqueExitBlock() ||
      !isa<BranchInst>(latch->getTerminator()))
    return false;
  x = dyn_cast<PHINode>(&header->front());
  if (!x || !x->getType()->isIntegerTy() ||
      x->getType()->getIntegerBitWidth() < 32 ||
      !hasSingleElement(header->phis()) ||
      !match(x->getIncomingValueForBlock(l.getLoopPreheader()), m_Zero()) ||
      !match(x->getIncomingValueForBlock(latch), m_Add(m_Specific(x), m_One())))
    return false;
  auto *branch = dyn_cast<BranchInst>(header->getTerminator());
  // A thread that does not pass the guard runs only these blocks.
  if (!branch || !matchesGuard(*branch) || !hasNoEffect(l, {header, latch}))
    return false;
  const SCEV *repeats = se.getBackedgeTakenCount(&l);
  if (isa<SCEVCouldNotCompute>(repeats) ||
      repeats->getType()->getIntegerBitWidth() > 64)
    return false;
  end = se.getTripCountFromExitCount(repeats, x->getType(), &l);
  return SCEVExpander(se, "guard")
      .isSafeToExpandAt(end, l.getLoopPreheader()->getTerminator());
}

/// The distance between threads that may pass; 1 if unknown. The guard stays,
/// so a divisor of the true distance is correct too.
Value *GuardedLoop::stepOf(IRBuilder<> &b) const {
  Value *given = b.CreateFreeze(mask ? mask : divisor);
  Type *t = given->getType();
  auto number = [&](uint64_t n) { return ConstantInt::get(t, n); };
  if (divisor) {
    Value *known = b.CreateICmpULE(given, number(MostStep));
    return b.CreateSelect(known, given, number(1));
  }
  // LLVM may have changed high bits of the mask, which no thread's index has.
  Value *low = b.CreateAnd(given, number(XCC_CPU_MAX_BLOCK - 1));
  Value *step = b.CreateAdd(low, number(1));
  Value *isPower = b.CreateICmpEQ(b.CreateAnd(low, step), number(0));
  return b.CreateSelect(isPower, step, number(1));
}

Loop *GuardedLoop::copy(BasicBlock *from, ValueToValueMapTy &copies) {
  SmallVector<BasicBlock *> blocks;
  Loop *few = cloneLoopWithPreheader(l.getLoopPreheader(), from, &l, copies,
                                     ".few", &loops, &dt, blocks);
  remapInstructionsInBlocks(blocks, copies);
  return few;
}

void GuardedLoop::split() {
  BasicBlock *before = l.getLoopPreheader();
  IRBuilder<> b(before->getTerminator());
  Value *last = SCEVExpander(se, "guard")
                    .expandCodeFor(end, x->getType(), before->getTerminator());
  Value *step = b.CreateZExtOrTrunc(stepOf(b), x->getType(), "thread.step");
  Value *isFew =
      b.CreateICmpUGE(step, ConstantInt::get(step->getType(), LeastStep));
  BasicBlock *all = SplitBlock(before, before->getTerminator(), &dt, &loops);
  ValueToValueMapTy copies;
  Loop *few = copy(before, copies);
  ReplaceInstWithInst(
      before->getTerminator(),
      BranchInst::Create(cast<BasicBlock>(copies[all]), all, isFew));

  auto *counter = cast<PHINode>(copies[x]);
  auto *latch = cast<BasicBlock>(copies[l.getLoopLatch()]);
  auto *repeat = cast<BranchInst>(latch->getTerminator());
  b.SetInsertPoint(repeat);
  Value *next = b.CreateNUWAdd(counter, step);
  counter->setIncomingValueForBlock(latch, next);
  Value *more = b.CreateICmpULT(next, last);
  bool repeatsIfTrue = repeat->getSuccessor(0) == counter->getParent();
  repeat->setCondition(repeatsIfTrue ? more : b.CreateNot(more));
  addStringMetadataToLoop(few, "llvm.loop.isvectorized", 1);
  addStringMetadataToLoop(few, "llvm.loop.unroll.count", 2);
}

PreservedAnalyses SkipGuardedThreadsPass::run(Function &f,
                                              FunctionAnalysisManager &fam) {
  const bool changed = changeEachLoop(f, fam, [&](Loop &l) {
    GuardedLoop guarded(l, fam.getResult<LoopAnalysis>(f),
                        fam.getResult<DominatorTreeAnalysis>(f),
                        fam.getResult<ScalarEvolutionAnalysis>(f));
    if (!guarded.matches())
      return false;
    guarded.split();
    return true;
  });
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
