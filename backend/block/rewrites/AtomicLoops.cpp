// Compare-and-swap loops as atomic operations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AtomicLoops.h"
#include "block/Intrinsics.h"
#include "support/AtomicUpdate.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

namespace {

struct AtomicLoop {
  PHINode *old = nullptr; ///< the value that memory is expected to hold
  AtomicCmpXchgInst *swap = nullptr;
  AtomicUpdate update;
  BasicBlock *before, *exit;
};

} // namespace

/// Only additions and subtractions, because JoinUniformAtomicsPass joins only
/// these.
static std::optional<AtomicUpdate> sumOf(AtomicCmpXchgInst &swap) {
  auto update = updateOf(swap);
  if (!update)
    return std::nullopt;
  switch (update->operation) {
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return update;
  default:
    return std::nullopt;
  }
}

/// Recognises a loop whose header tries and whose latch does nothing.
static std::optional<AtomicLoop> match(const Loop &l) {
  BasicBlock *header = l.getHeader(), *latch = l.getLoopLatch();
  AtomicLoop loop;
  loop.before = l.getLoopPreheader();
  loop.exit = l.getExitBlock();
  if (!loop.before || !loop.exit || !latch || l.getExitingBlock() != header ||
      l.getNumBlocks() > 2)
    return std::nullopt;
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb) {
      if (intrinsicCalledBy(i).kind == IntrinsicKind::Poll)
        continue;
      if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&i);
          swap && !loop.swap && !swap->isVolatile() && bb == header)
        loop.swap = swap;
      else if (i.mayReadOrWriteMemory() || hasEffect(i))
        return std::nullopt;
    }
  auto *branch = dyn_cast<BranchInst>(header->getTerminator());
  if (!loop.swap || !branch || !branch->isConditional() ||
      branch->getSuccessor(0) != loop.exit ||
      !match(branch->getCondition(), m_ExtractValue<1>(m_Specific(loop.swap))))
    return std::nullopt;
  loop.old = dyn_cast<PHINode>(loop.swap->getCompareOperand());
  if (!loop.old || loop.old->getParent() != header ||
      !match(loop.old->getIncomingValueForBlock(latch),
             m_ExtractValue<0>(m_Specific(loop.swap))))
    return std::nullopt;

  auto update = sumOf(*loop.swap);
  if (!update)
    return std::nullopt;
  loop.update = *update;
  if (!l.isLoopInvariant(loop.update.value) ||
      !l.isLoopInvariant(loop.swap->getPointerOperand()))
    return std::nullopt;
  // Values used behind the loop are recomputed from the old value alone.
  for (PHINode &phi : header->phis())
    if (&phi != loop.old && any_of(phi.users(), [&](User *u) {
          return !l.contains(cast<Instruction>(u));
        }))
      return std::nullopt;
  return loop;
}

static void replace(const Loop &l, const AtomicLoop &loop) {
  BasicBlock *header = l.getHeader();
  Instruction *end = loop.before->getTerminator();
  IRBuilder<> b(end);
  b.SetCurrentDebugLocation(loop.swap->getDebugLoc());
  AtomicRMWInst *whole = b.CreateAtomicRMW(
      loop.update.operation, loop.swap->getPointerOperand(), loop.update.value,
      loop.swap->getAlign(), loop.swap->getSuccessOrdering(),
      loop.swap->getSyncScopeID());
  Value *old = b.CreateBitCast(whole, loop.old->getType());
  ValueToValueMapTy made;
  made[loop.old] = old;
  for (Instruction &i : *header) {
    if (isa<PHINode, AtomicCmpXchgInst>(i) || i.isTerminator() ||
        intrinsicCalledBy(i).kind == IntrinsicKind::Poll)
      continue;
    if (auto *part = dyn_cast<ExtractValueInst>(&i);
        part && part->getAggregateOperand() == loop.swap) {
      made[part] = part->getIndices()[0] == 0 ? old : b.getTrue();
      continue;
    }
    Instruction *copy = i.clone();
    b.Insert(copy);
    RemapInstruction(copy, made,
                     RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    made[&i] = copy;
  }
  for (Instruction &i : *header)
    if (Value *v = made.lookup(&i))
      i.replaceUsesWithIf(v, [&](const Use &u) {
        auto *user = cast<Instruction>(u.getUser());
        return !l.contains(user);
      });
  for (PHINode &phi : loop.exit->phis())
    phi.addIncoming(phi.getIncomingValueForBlock(header), loop.before);
  end->setSuccessor(0, loop.exit);
  SmallVector<BasicBlock *, 2> dead(l.blocks().begin(), l.blocks().end());
  DeleteDeadBlocks(dead);
}

/// Whether \p v is the memory's content that \p first returned or, in later
/// iterations, \p again.
static bool isFound(Value *v, AtomicCmpXchgInst &first,
                    AtomicCmpXchgInst &again) {
  Value *pair;
  if (match(v, m_ExtractValue<0>(m_Value(pair))))
    v = pair;
  auto *phi = dyn_cast<PHINode>(v);
  return phi && phi->getNumIncomingValues() == 2 &&
         all_of(phi->incoming_values(), [&](Value *in) {
           Value *of = in;
           match(in, m_ExtractValue<0>(m_Value(of)));
           return of == &first || of == &again;
         });
}

/// Replaces such a loop if the optimizer has peeled its first iteration and the
/// result is unused. \returns whether it did.
static bool replacePeeled(const Loop &l) {
  BasicBlock *body = l.getHeader(), *before = l.getLoopPredecessor(),
             *exit = l.getExitBlock();
  if (l.getNumBlocks() != 1 || !before || !exit)
    return false;
  AtomicCmpXchgInst *again = nullptr, *first = nullptr;
  for (Instruction &i : *body) {
    if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&i); swap && !again)
      again = swap;
    else if (intrinsicCalledBy(i).kind != IntrinsicKind::Poll &&
             (i.mayReadOrWriteMemory() || hasEffect(i)))
      return false;
    for (User *user : i.users())
      if (!l.contains(cast<Instruction>(user)))
        return false;
  }
  auto succeeds = [&](BasicBlock *bb) -> AtomicCmpXchgInst * {
    auto *branch = dyn_cast<BranchInst>(bb->getTerminator());
    Value *swap;
    if (!branch || !branch->isConditional() ||
        branch->getSuccessor(0) != exit || branch->getSuccessor(1) != body ||
        !match(branch->getCondition(), m_ExtractValue<1>(m_Value(swap))))
      return nullptr;
    return dyn_cast<AtomicCmpXchgInst>(swap);
  };
  first = succeeds(before);
  if (!again || succeeds(body) != again || !first ||
      first->getParent() != before || first->isVolatile() ||
      again->isVolatile() ||
      first->getPointerOperand() != again->getPointerOperand() ||
      first->getSuccessOrdering() != again->getSuccessOrdering() ||
      first->getSyncScopeID() != again->getSyncScopeID() ||
      !isFound(again->getCompareOperand(), *first, *again))
    return false;
  auto update = sumOf(*first), repeated = sumOf(*again);
  if (!update || update != repeated)
    return false;
  for (User *user : first->users())
    if (auto *i = cast<Instruction>(user);
        !l.contains(i) && !match(i, m_ExtractValue<1>(m_Specific(first))))
      if (i->getParent() != before || any_of(i->users(), [&](User *u) {
            return !l.contains(cast<Instruction>(u));
          }))
        return false;
  for (PHINode &phi : exit->phis())
    if (phi.getIncomingValueForBlock(before) !=
        phi.getIncomingValueForBlock(body))
      return false;

  IRBuilder<> b(first);
  b.CreateAtomicRMW(update->operation, first->getPointerOperand(),
                    update->value, first->getAlign(),
                    first->getSuccessOrdering(), first->getSyncScopeID());
  Instruction *end = before->getTerminator();
  WeakTrackingVH condition = end->getOperand(0);
  BranchInst::Create(exit, end->getIterator());
  end->eraseFromParent();
  WeakTrackingVH expected = first->getCompareOperand(),
                 changed = first->getNewValOperand();
  DeleteDeadBlocks({body}, nullptr, /*KeepOneInputPHIs=*/true);
  RecursivelyDeleteTriviallyDeadInstructions(condition);
  while (!first->use_empty()) {
    auto *part = cast<Instruction>(*first->user_begin());
    part->replaceAllUsesWith(PoisonValue::get(part->getType()));
    part->eraseFromParent();
  }
  first->eraseFromParent();
  if (changed)
    RecursivelyDeleteTriviallyDeadInstructions(changed);
  // The load of the first expected value may be unused now.
  if (auto *load = dyn_cast_or_null<LoadInst>(expected);
      load && load->use_empty() && !load->isVolatile() &&
      !isStrongerThanMonotonic(load->getOrdering()))
    load->eraseFromParent();
  return true;
}

void raiseAtomicLoops(Function &kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    DominatorTree dt(kernel);
    LoopInfo loops(dt);
    for (Loop *l : loops.getLoopsInPreorder()) {
      if (!l->isInnermost())
        continue;
      if (auto loop = match(*l)) {
        replace(*l, *loop);
        changed = true;
      } else {
        changed = replacePeeled(*l);
      }
      if (changed)
        break;
    }
  }
}

} // namespace xcc::block
