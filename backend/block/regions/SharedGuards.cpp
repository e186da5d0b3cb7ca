// Barriers of a warp behind a guard that not all threads pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedGuards.h"
#include "GuardedSide.h"
#include "Regions.h"
#include "SharedLoops.h"
#include "Votes.h"
#include "block/Intrinsics.h"
#include "block/abi/KernelBody.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

static constexpr unsigned Lanes = XCC_CPU_WARP_SIZE;
/// Each makes the kernel larger.
static constexpr unsigned MostGuards = 16;

namespace {

/// A branch at which threads part, and where they meet.
struct Guard {
  BranchInst *branch;
  BasicBlock *join;

  BasicBlock *block() const { return branch->getParent(); }
};

class GuardMerger {
public:
  explicit GuardMerger(Function &kernel) : kernel(kernel) {}
  bool run();

private:
  /// The first guard with a barrier behind it, of those with code on both sides
  /// alone if \p isFork. False if there is a branch of another kind with one.
  bool findGuard(bool isFork, std::optional<Guard> &found) const;
  bool isSide(const Blocks &side, const Guard &g) const;
  bool share(Guard g);
  /// Of two sides, lets the second follow the first.
  bool putInRow(Guard g);
  /// Finds out, at the guard, which lanes of the warp pass it. The mask is known in
  /// the block that is made in front of the side; with \p anyPasses, threads go
  /// there where one of the block does.
  BasicBlock *queryLanes(Guard g, BasicBlock *entry, Value *active,
                         bool anyPasses, Value *&mask);

  Function &kernel;
};

} // namespace

static bool hasBarrier(const Blocks &side) {
  return any_of(side, [](BasicBlock *bb) { return endsAtBarrier(*bb); });
}

bool GuardMerger::findGuard(bool isFork, std::optional<Guard> &found) const {
  Uniformity uniform(kernel);
  PostDominatorTree pdt(kernel);
  found.reset();
  ReversePostOrderTraversal<Function *> order(&kernel);
  for (BasicBlock *bb : order) {
    Instruction *term = bb->getTerminator();
    if (succ_size(bb) < 2 || (isa<BranchInst, SwitchInst>(term) &&
                              uniform.isUniformUse(term->getOperandUse(0))))
      continue;
    const auto *node = pdt.getNode(bb);
    BasicBlock *join =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    Blocks all;
    for (BasicBlock *succ : successors(bb))
      all.insert_range(reachedBefore(succ, join));
    if (!hasBarrier(all))
      continue;
    if (!join || !isa<BranchInst>(term) || all.contains(bb))
      return false;
    if (isFork && is_contained(successors(bb), join))
      continue;
    found = {cast<BranchInst>(term), join};
    return true;
  }
  return true;
}

bool GuardMerger::isSide(const Blocks &side, const Guard &g) const {
  const BasicBlock *last = g.join;
  while (isa<BranchInst>(last->front()) && last->getSingleSuccessor())
    last = last->getSingleSuccessor();
  const bool isEnd = isa<ReturnInst>(last->front());
  for (BasicBlock *bb : side) {
    if (!isa<BranchInst, SwitchInst>(bb->getTerminator()) || bb->isEHPad())
      return false;
    for (BasicBlock *pred : predecessors(bb))
      if (pred != g.block() && !side.contains(pred))
        return false;
    // At a block's barrier there must be all threads that did not return.
    for (Instruction &i : *bb)
      if (intrinsicCalledBy(i).kind == IntrinsicKind::BlockBarrier && !isEnd)
        return false;
  }
  return true;
}

/// What a side gives to those behind it is written by its own threads, in a block
/// that all its paths end in.
static BasicBlock *gatherExits(const Blocks &side, const Guard &g) {
  SmallSetVector<BasicBlock *, 4> exits;
  for (BasicBlock *pred : predecessors(g.join))
    if (side.contains(pred))
      exits.insert(pred);
  return SplitBlockPredecessors(g.join, exits.getArrayRef(), ".side");
}

BasicBlock *GuardMerger::queryLanes(Guard g, BasicBlock *entry, Value *active,
                                    bool anyPasses, Value *&mask) {
  IRBuilder<> b(g.branch);
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  auto [slots, self, here] = vote(b, active);
  SplitBlock(g.block(), g.branch);

  b.SetInsertPoint(g.branch);
  if (anyPasses) {
    Value *any = anyOf(b, slots);
    g.branch->setCondition(any);
    g.branch->setSuccessor(0, entry);
    g.branch->setSuccessor(1, g.join);
  }
  auto *known =
      BasicBlock::Create(kernel.getContext(), "lanes", &kernel, entry);
  entry->replacePhiUsesWith(g.block(), known);
  g.branch->replaceSuccessorWith(entry, known);
  b.SetInsertPoint(known);
  Value *first = b.CreateAnd(self, b.getInt32(~(Lanes - 1)));
  auto *warp = FixedVectorType::get(i32, Lanes);
  Value *bits = b.CreateAlignedLoad(
      warp, b.CreateInBoundsGEP(i32, slots, b.CreateZExt(first, i64)),
      Align(4 * Lanes));
  SmallVector<Constant *, Lanes> own;
  for (unsigned n = 0; n != Lanes; ++n)
    own.push_back(b.getInt32(1u << n));
  bits = b.CreateAnd(bits, ConstantVector::get(own));
  mask = b.CreateAnd(b.CreateOrReduce(bits), here, "lanes");
  query(b, "__xcc_warp_barrier");
  b.CreateBr(entry);
  return known;
}

bool GuardMerger::putInRow(Guard g) {
  Blocks sides[2];
  BasicBlock *gathered[2];
  for (unsigned n : {0, 1}) {
    sides[n] = reachedBefore(g.branch->getSuccessor(n), g.join);
    if (!isSide(sides[n], g))
      return false;
  }
  if (any_of(sides[0], [&](BasicBlock *bb) { return sides[1].contains(bb); }))
    return false;
  for (unsigned n : {0, 1})
    gathered[n] = gatherExits(sides[n], g);
  for (PHINode &phi : make_early_inc_range(g.join->phis()))
    DemotePHIToStack(&phi);
  BasicBlock *second = g.branch->getSuccessor(1);
  auto *between =
      BasicBlock::Create(kernel.getContext(), "parted", &kernel, second);
  gathered[0]->getTerminator()->replaceSuccessorWith(g.join, between);
  BranchInst::Create(g.join, second, g.branch->getCondition(), between);
  second->replacePhiUsesWith(g.block(), between);
  g.branch->setSuccessor(1, between);
  return true;
}

bool GuardMerger::share(Guard g) {
  const bool first = g.branch->getSuccessor(1) == g.join;
  BasicBlock *entry = g.branch->getSuccessor(!first);
  Blocks own = reachedBefore(entry, g.join);
  if (!isSide(own, g))
    return false;
  gatherExits(own, g);
  for (PHINode &phi : make_early_inc_range(g.join->phis()))
    DemotePHIToStack(&phi);

  IRBuilder<> b(g.branch);
  Value *active = g.branch->getCondition();
  if (!first)
    active = b.CreateNot(active);
  bool anyPasses;
  SmallVector<Instruction *, 8> barriers;
  {
    Uniformity uniform(kernel);
    GuardedSide looked(kernel, entry, g.join);
    if (!looked.findSteps(uniform))
      return false;
    anyPasses = looked.decidesByValues();
    barriers = looked.usedBarriers();
  }
  if (anyPasses || !barriers.empty()) {
    Value *mask = nullptr;
    entry = queryLanes(g, entry, active, anyPasses, mask);
    for (Instruction *barrier : barriers)
      barrier->replaceAllUsesWith(mask);
  }
  if (!anyPasses) {
    BranchInst::Create(entry, g.branch->getIterator());
    g.branch->eraseFromParent();
  }
  Uniformity uniform(kernel);
  GuardedSide side(kernel, entry, g.join);
  if (!side.findSteps(uniform))
    return false;
  side.guard(active);
  return true;
}

bool GuardMerger::run() {
  SmallVector<BasicBlock *, 4> returns;
  for (BasicBlock &bb : kernel)
    if (isa<ReturnInst>(bb.getTerminator()))
      returns.push_back(&bb);
  if (returns.empty())
    return false;
  auto *end = BasicBlock::Create(kernel.getContext(), "end", &kernel);
  ReturnInst::Create(kernel.getContext(), end);
  for (BasicBlock *bb : returns) {
    bb->getTerminator()->eraseFromParent();
    BranchInst::Create(end, bb);
  }
  splitAtBarriers(kernel);
  if (!shareLoops(kernel))
    return false;
  std::optional<Guard> guard;
  for (unsigned n = 0; n != MostGuards; ++n) {
    if (!findGuard(/*isFork=*/true, guard) || (guard && !putInRow(*guard)))
      return false;
    promoteLocals(kernel);
    if (!guard)
      break;
  }
  for (unsigned n = 0; n != MostGuards; ++n) {
    if (!findGuard(/*isFork=*/false, guard) || (guard && !share(*guard)))
      return false;
    promoteLocals(kernel);
    if (!guard)
      return n != 0;
  }
  return false;
}

bool shareGuards(Function &kernel) { return GuardMerger(kernel).run(); }

} // namespace xcc::block
