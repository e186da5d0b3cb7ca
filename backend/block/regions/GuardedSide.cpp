// The code behind a guard, in pieces that have the guard each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GuardedSide.h"
#include "block/Intrinsics.h"
#include "block/abi/KernelBody.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

Blocks reachedBefore(BasicBlock *from, BasicBlock *end) {
  Blocks reached;
  if (from != end)
    reached.insert(from);
  for (unsigned n = 0; n != reached.size(); ++n)
    for (BasicBlock *succ : successors(reached[n]))
      if (succ != end)
        reached.insert(succ);
  return reached;
}

bool endsAtBarrier(const BasicBlock &bb) {
  const Instruction *last = bb.getTerminator()->getPrevNode();
  return last && intrinsicCalledBy(*last).isBarrier();
}

bool GuardedSide::addDecision(Value *condition) {
  SmallVector<Value *, 8> work = {condition};
  while (!work.empty()) {
    Value *v = work.pop_back_val();
    auto *i = dyn_cast<Instruction>(v);
    if (!i || !blocks.contains(i->getParent())) {
      byValues |= !isa<Constant>(v);
      continue;
    }
    if (ofAll.contains(i))
      continue;
    auto step = steps.find(i->getParent());
    if (step == steps.end())
      return false;
    // What counts within a piece does so for the threads that are in it.
    if (isa<PHINode>(i) ? step->second.between.contains(i->getParent())
                        : i->mayReadOrWriteMemory() || isa<AllocaInst>(i) ||
                              !isSafeToSpeculativelyExecute(i))
      return false;
    ofAll.insert(i);
    append_range(work, i->operand_values());
  }
  return true;
}

bool GuardedSide::addStep(BasicBlock *bb, const PostDominatorTree &pdt,
                          const Uniformity &uniform,
                          SmallVectorImpl<BasicBlock *> &work) {
  const auto *node = pdt.getNode(bb);
  BasicBlock *next =
      node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!next || (next != end && !blocks.contains(next)))
    return false;
  Step step = {Kind::Piece, next, {}};
  for (BasicBlock *succ : successors(bb))
    step.between.insert_range(reachedBefore(succ, next));
  if (endsAtBarrier(*bb)) {
    step.kind = Kind::Barrier;
  } else if (any_of(step.between,
                    [](BasicBlock *b) { return endsAtBarrier(*b); })) {
    auto *branch = dyn_cast<BranchInst>(bb->getTerminator());
    if (!branch)
      return false;
    if (uniform.isUniformUse(branch->getOperandUse(0))) {
      step.kind = Kind::Decision;
      append_range(work, successors(bb));
    } else if (!step.between.contains(bb) &&
               is_contained(successors(bb), next)) {
      step.kind = Kind::InnerGuard;
    } else {
      return false;
    }
  } else {
    for (BasicBlock *b : step.between)
      if (b != bb && any_of(predecessors(b), [&](BasicBlock *pred) {
            return pred != bb && !step.between.contains(pred);
          }))
        return false;
  }
  if (step.kind != Kind::Piece)
    step.between.clear();
  work.push_back(next);
  steps[bb] = std::move(step);
  return true;
}

bool GuardedSide::findSteps(const Uniformity &uniform) {
  PostDominatorTree pdt(kernel);
  SmallVector<BasicBlock *, 8> work = {entry};
  while (!work.empty()) {
    BasicBlock *bb = work.pop_back_val();
    if (bb != end && !steps.contains(bb) && !addStep(bb, pdt, uniform, work))
      return false;
  }
  for (auto &[bb, step] : steps)
    if (step.kind == Kind::Decision &&
        !addDecision(cast<BranchInst>(bb->getTerminator())->getCondition()))
      return false;
  return true;
}

SmallVector<Instruction *, 8> GuardedSide::usedBarriers() const {
  SmallVector<Instruction *, 8> used;
  for (const auto &[bb, step] : steps)
    if (step.kind == Kind::Barrier)
      if (Instruction *barrier = bb->getTerminator()->getPrevNode();
          !barrier->use_empty())
        used.push_back(barrier);
  return used;
}

void GuardedSide::guardStep(BasicBlock *bb, const Step &step, Value *active) {
  LLVMContext &c = bb->getContext();
  BasicBlock *tail = nullptr;
  if (step.kind == Kind::Piece && !step.between.empty()) {
    SmallSetVector<BasicBlock *, 4> exits;
    for (BasicBlock *pred : predecessors(step.next))
      if (pred == bb || step.between.contains(pred))
        exits.insert(pred);
    tail = SplitBlockPredecessors(step.next, exits.getArrayRef(), ".done");
  }
  // What all threads compute stands in front.
  BasicBlock::iterator first = bb->getFirstInsertionPt();
  SmallVector<Instruction *, 8> computed;
  for (Instruction &i : *bb)
    if (!isa<PHINode>(i) && ofAll.contains(&i))
      computed.push_back(&i);
  for (Instruction *i : computed)
    if (&*first == i)
      ++first;
    else
      i->moveBefore(first);
  AllocaInst *choice = nullptr;
  if (step.kind == Kind::InnerGuard) {
    auto *branch = cast<BranchInst>(bb->getTerminator());
    IRBuilder<> b(&kernel.getEntryBlock().front());
    choice = b.CreateAlloca(b.getInt1Ty(), nullptr, "choice");
    b.SetInsertPoint(branch);
    Instruction *chosen = b.CreateStore(branch->getCondition(), choice);
    if (&*first == branch)
      first = chosen->getIterator();
    b.SetInsertPoint(bb, first);
    b.CreateStore(b.getInt1(branch->getSuccessor(0) == step.next), choice);
  }
  BasicBlock *guarded = bb->splitBasicBlock(first, "guarded");
  if (!tail) {
    Instruction *at = guarded->getTerminator();
    if (step.kind == Kind::Barrier)
      at = at->getPrevNode();
    tail = guarded->splitBasicBlock(at->getIterator(), "guarded.end");
    if (choice)
      cast<BranchInst>(at)->setCondition(
          IRBuilder<>(at).CreateLoad(Type::getInt1Ty(c), choice));
  }
  bb->getTerminator()->eraseFromParent();
  BranchInst::Create(guarded, tail, active, bb);
  tails[bb] = tail;
}

/// Lets one guard be around a piece and what follows it up to a barrier.
void GuardedSide::joinGuards(BasicBlock *bb) {
  auto step = steps.find(bb);
  BasicBlock *tail = tails.lookup(bb);
  if (!tail || !joined.insert(bb).second || step->second.kind != Kind::Piece)
    return;
  BasicBlock *next = step->second.next;
  joinGuards(next);
  if (!tails.contains(next) || tail->getSingleSuccessor() != next ||
      next->getSinglePredecessor() != tail || tail->size() != 1 ||
      next->size() != 1)
    return;
  Instruction *leads = next->getTerminator();
  bb->getTerminator()->setSuccessor(1, leads->getSuccessor(1));
  tail->getTerminator()->setSuccessor(0, leads->getSuccessor(0));
  leads->eraseFromParent();
  next->eraseFromParent();
  tails.erase(next);
}

/// Phis that not all threads compute become variables on the stack. Only the
/// side's threads access them: before a barrier, not behind it.
void GuardedSide::demotePhis() {
  SmallVector<PHINode *, 8> phis;
  for (BasicBlock *bb : blocks)
    for (PHINode &phi : bb->phis())
      if (!ofAll.contains(&phi))
        phis.push_back(&phi);
  for (PHINode *phi : phis) {
    AllocaInst *slot = DemotePHIToStack(phi);
    if (!slot)
      continue;
    slots.push_back(slot);
    for (User *user : slot->users())
      if (auto *store = dyn_cast<StoreInst>(user))
        if (Instruction *last = store->getPrevNode();
            last && intrinsicCalledBy(*last).isBarrier() &&
            store->getValueOperand() != last)
          store->moveBefore(last->getIterator());
  }
}

/// Whether the value can be computed again, cheaply, wherever it is used: it is
/// made of queries such as the thread's index, and of what all threads compute.
bool GuardedSide::isRepeatable(const Value *v, unsigned depth) const {
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || !blocks.contains(const_cast<BasicBlock *>(i->getParent())) ||
      ofAll.contains(const_cast<Instruction *>(i)))
    return true;
  if (intrinsicCalledBy(*i))
    return !i->mayHaveSideEffects() && !i->mayReadFromMemory() &&
           cast<CallInst>(i)->arg_empty();
  return depth != 0 &&
         isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst>(i) &&
         isSafeToSpeculativelyExecute(i) &&
         all_of(i->operand_values(), [&](const Value *operand) {
           return isRepeatable(operand, depth - 1);
         });
}

/// Computes such a value once more, before `at`.
Value *GuardedSide::repeated(Value *v, BasicBlock::iterator at) const {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !blocks.contains(i->getParent()) || ofAll.contains(i))
    return v;
  Instruction *made = i->clone();
  made->insertBefore(at);
  for (Use &operand : made->operands())
    operand.set(repeated(operand, made->getIterator()));
  return made;
}

/// Lets the uses of such a value in other blocks have values of their own.
void GuardedSide::repeat(Instruction &i) {
  SmallVector<Use *, 8> uses;
  for (Use &use : i.uses())
    if (cast<Instruction>(use.getUser())->getParent() != i.getParent() ||
        isa<PHINode>(use.getUser()))
      uses.push_back(&use);
  for (Use *use : uses) {
    auto *user = cast<Instruction>(use->getUser());
    if (auto *phi = dyn_cast<PHINode>(user)) {
      BasicBlock *from = phi->getIncomingBlock(*use);
      phi->setIncomingValueForBlock(
          from, repeated(&i, from->getTerminator()->getIterator()));
    } else {
      use->set(repeated(&i, user->getIterator()));
    }
  }
}

/// Other values that are used in more than one block become such variables, too.
void GuardedSide::demoteValues() {
  blocks = reachedBefore(entry, end);
  SmallVector<Instruction *, 16> values;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (!ofAll.contains(&i) && !isa<AllocaInst>(i) &&
          i.isUsedOutsideOfBlock(bb))
        values.push_back(&i);
  for (Instruction *i : values)
    if (isRepeatable(i, 4))
      repeat(*i);
    else
      slots.push_back(DemoteRegToStack(*i));
}

void GuardedSide::guard(Value *active) {
  demotePhis();
  for (auto &[bb, step] : steps)
    guardStep(bb, step, active);
  demoteValues();
  SmallVector<BasicBlock *, 8> heads;
  for (auto &[bb, step] : steps)
    heads.push_back(bb);
  for (BasicBlock *bb : heads)
    joinGuards(bb);
  // In a register, a value would be copied for each thread that does nothing.
  // What decides inside another guard has to be found again.
  if (none_of(steps, [](const auto &each) {
        return each.second.kind == Kind::InnerGuard;
      }))
    for (AllocaInst *slot : slots)
      slot->setMetadata(KeptOnStack, MDNode::get(slot->getContext(), {}));
}

} // namespace xcc::block
