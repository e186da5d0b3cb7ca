// Barriers of a warp in a loop that threads leave in different iterations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLoops.h"
#include "GuardedSide.h"
#include "Votes.h"
#include "block/Intrinsics.h"
#include "block/abi/KernelBody.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

/// Each makes the kernel larger.
static constexpr unsigned MostLoops = 8;
/// A thread that goes from element to element has a step of 1, of at most so many
/// bytes.
static constexpr int64_t MostBytes = 16;

namespace {

class LoopSharer {
public:
  explicit LoopSharer(Function &kernel) : kernel(kernel) {}

  /// Rewrites \p l, which threads leave in different iterations. False if that
  /// cannot be done.
  bool run(const Loop &l);

private:
  bool isRewritable(const Loop &l);
  void makeLoop(const Loop &l);
  /// Takes the guards in front of the loop apart. False if one stays.
  bool endGuards();
  bool endGuard(BranchInst &guard, BasicBlock *join);
  AllocaInst *newSlot(Type *t, StringRef name) {
    return IRBuilder<>(&kernel.getEntryBlock().front())
        .CreateAlloca(t, nullptr, name);
  }
  BasicBlock *newBlock(StringRef name, BasicBlock *before) {
    return BasicBlock::Create(kernel.getContext(), name, &kernel, before);
  }

  Function &kernel;
  BasicBlock *exit = nullptr;
  AllocaInst *isIn = nullptr; ///< whether the thread is in the loop
  BasicBlock *enter;          ///< where threads come into the loop
  BasicBlock *turn;           ///< each iteration: who is in the loop does it
  BasicBlock *next;           ///< where all threads come after an iteration
  BasicBlock *decision;       ///< whether there is another one
};

} // namespace

/// Whether the loop may wait for what a thread does that has left it.
static bool mayWait(const Instruction &i) {
  if (auto *load = dyn_cast<LoadInst>(&i))
    return !load->isSimple();
  if (i.isAtomic())
    return !i.use_empty();
  auto *call = dyn_cast<CallBase>(&i);
  return call && !isa<llvm::IntrinsicInst>(call) && !intrinsicCalledBy(i) &&
         !call->doesNotAccessMemory();
}

bool LoopSharer::isRewritable(const Loop &l) {
  exit = l.getUniqueExitBlock();
  if (!exit || exit->isEHPad())
    return false;
  for (BasicBlock *bb : l.blocks()) {
    if (!isa<BranchInst, SwitchInst>(bb->getTerminator()) || bb->isEHPad())
      return false;
    for (Instruction &i : *bb)
      if (intrinsicCalledBy(i).kind == IntrinsicKind::BlockBarrier ||
          mayWait(i))
        return false;
  }
  return true;
}

/// Keeps on the stack what \p blocks compute for others, so that paths around
/// them can be made.
static void keepOnStack(ArrayRef<BasicBlock *> blocks) {
  SmallPtrSet<const BasicBlock *, 16> inside(blocks.begin(), blocks.end());
  SmallVector<Instruction *, 16> values;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (!isa<AllocaInst>(i) && any_of(i.users(), [&](User *u) {
            return !inside.contains(cast<Instruction>(u)->getParent());
          }))
        values.push_back(&i);
  for (Instruction *i : values)
    DemoteRegToStack(*i);
}

static void keepPhisOnStack(BasicBlock &bb) {
  for (PHINode &phi : make_early_inc_range(bb.phis()))
    DemotePHIToStack(&phi);
}

void LoopSharer::makeLoop(const Loop &l) {
  BasicBlock *header = l.getHeader();
  keepPhisOnStack(*header);
  keepPhisOnStack(*exit);
  keepOnStack(l.getBlocks());

  IRBuilder<> b(kernel.getContext());
  isIn = newSlot(b.getInt1Ty(), "in");
  enter = newBlock("enter", header);
  turn = newBlock("turn", header);
  next = newBlock("next", header);
  decision = newBlock("decision", header);
  for (BasicBlock *pred : make_early_inc_range(predecessors(header)))
    pred->getTerminator()->replaceSuccessorWith(
        header, l.contains(pred) ? next : enter);
  b.SetInsertPoint(enter);
  b.CreateStore(b.getTrue(), isIn);
  b.CreateBr(next);
  b.SetInsertPoint(turn);
  b.CreateCondBr(b.CreateLoad(b.getInt1Ty(), isIn), header, next);

  // A block for each, so that no two paths have one in common.
  for (BasicBlock *bb : l.blocks()) {
    if (!is_contained(successors(bb), exit))
      continue;
    BasicBlock *leave = newBlock("leave", exit);
    bb->getTerminator()->replaceSuccessorWith(exit, leave);
    b.SetInsertPoint(leave);
    b.CreateStore(b.getFalse(), isIn);
    b.CreateBr(next);
  }

  b.SetInsertPoint(next);
  Vote asked = vote(b, b.CreateLoad(b.getInt1Ty(), isIn));
  b.CreateBr(decision);
  b.SetInsertPoint(decision);
  b.SetInsertPoint(b.CreateUnreachable());
  Value *any = anyOf(b, asked.slots);
  Instruction *end = &*b.GetInsertPoint();
  decision = end->getParent();
  b.CreateCondBr(any, turn, exit);
  end->eraseFromParent();
}

bool LoopSharer::endGuard(BranchInst &guard, BasicBlock *join) {
  BasicBlock *at = guard.getParent();
  const bool first = guard.getSuccessor(1) == join;
  if (!first && guard.getSuccessor(0) != join)
    return false;
  // What threads do between the guard and the loop.
  Blocks side;
  side.insert(guard.getSuccessor(!first));
  for (unsigned n = 0; n != side.size(); ++n)
    for (BasicBlock *succ : successors(side[n])) {
      if (succ == join || succ == at)
        return false;
      if (succ != next)
        side.insert(succ);
    }
  for (BasicBlock *bb : side)
    if (endsAtBarrier(*bb) || any_of(predecessors(bb), [&](BasicBlock *pred) {
          return pred != at && !side.contains(pred);
        }))
      return false;
  // All threads may compute what is known at the guard.
  DominatorTree dt(kernel);
  for (BasicBlock *bb : side)
    for (Instruction &i : make_early_inc_range(*bb))
      if (!isa<PHINode>(i) && !i.isTerminator() && !i.mayReadOrWriteMemory() &&
          isSafeToSpeculativelyExecute(&i) &&
          all_of(i.operand_values(), [&](Value *v) {
            return !isa<Instruction>(v) ||
                   dt.dominates(cast<Instruction>(v), &guard);
          }))
        i.moveBefore(guard.getIterator());
  keepPhisOnStack(*join);
  keepOnStack(side.getArrayRef());

  IRBuilder<> b(&guard);
  b.CreateStore(b.getFalse(), isIn);
  BasicBlock *after = decision->getTerminator()->getSuccessor(1);
  BasicBlock *done = newBlock("done", after);
  decision->getTerminator()->setSuccessor(1, done);
  b.SetInsertPoint(done);
  if (first)
    b.CreateCondBr(guard.getCondition(), after, join);
  else
    b.CreateCondBr(guard.getCondition(), join, after);
  guard.setSuccessor(first, next);
  return true;
}

bool LoopSharer::endGuards() {
  for (;;) {
    Uniformity uniform(kernel);
    DominatorTree dt(kernel);
    PostDominatorTree pdt(kernel);
    BranchInst *guard = nullptr;
    BasicBlock *join = nullptr;
    for (auto *node = dt.getNode(enter)->getIDom(); node && !guard;
         node = node->getIDom()) {
      Instruction *end = node->getBlock()->getTerminator();
      const auto *meets = pdt.getNode(node->getBlock());
      join = meets && meets->getIDom() ? meets->getIDom()->getBlock() : nullptr;
      if (end->getNumSuccessors() < 2 || !join || dt.dominates(join, enter) ||
          join == next)
        continue;
      if (!isa<BranchInst>(end) || uniform.isUniformUse(end->getOperandUse(0)))
        return true; // shareGuards sees whether a guard further out can stay
      guard = cast<BranchInst>(end);
    }
    if (!guard)
      return true;
    if (!endGuard(*guard, join))
      return false;
  }
}

bool LoopSharer::run(const Loop &l) {
  if (!isRewritable(l))
    return false;
  makeLoop(l);
  if (!endGuards())
    return false;
  promoteLocals(kernel);
  return true;
}

/// Whether \p next is \p phi and a step that all threads take, of more than one
/// element.
static bool isLongStep(const Instruction &next, const PHINode &phi,
                       const Uniformity &uniform) {
  if (auto *gep = dyn_cast<GetElementPtrInst>(&next)) {
    APInt bytes(next.getDataLayout().getIndexTypeSizeInBits(gep->getType()), 0);
    return gep->getPointerOperand() == &phi &&
           (!gep->accumulateConstantOffset(next.getDataLayout(), bytes) ||
            bytes.abs().sgt(MostBytes));
  }
  if (next.getOpcode() != Instruction::Add ||
      !is_contained(next.operand_values(), &phi))
    return false;
  const Value *step = next.getOperand(next.getOperand(0) == &phi);
  auto *constant = dyn_cast<ConstantInt>(step);
  return uniform.isUniform(*step) &&
         !(constant && constant->getValue().abs().ule(1));
}

/// Whether \p phi is an index or address that all threads move by the same step,
/// from a start of their own if \p longSteps.
static bool isCarried(const PHINode &phi, const Loop &l,
                      const Uniformity &uniform, bool longSteps) {
  if (phi.getNumIncomingValues() != 2)
    return false;
  auto *next =
      dyn_cast<Instruction>(phi.getIncomingValueForBlock(l.getLoopLatch()));
  if (!next)
    return false;
  if (longSteps)
    return !uniform.isUniform(
               *phi.getIncomingValueForBlock(l.getLoopPredecessor())) &&
           isLongStep(*next, phi, uniform);
  return next->getOpcode() == Instruction::Add &&
         is_contained(next->operand_values(), &phi) &&
         uniform.isUniform(*next->getOperand(next->getOperand(0) == &phi));
}

/// The phi of the header of \p l that \p v is, or is one step in front of.
static const PHINode *carriedBy(const Value *v, const Loop &l) {
  for (const PHINode &phi : l.getHeader()->phis())
    if (v == &phi || phi.getIncomingValueForBlock(l.getLoopLatch()) == v)
      return &phi;
  return nullptr;
}

/// Whether \p v is computed from the thread's index and what all threads have,
/// without memory: threads beside each other have about the same.
static bool isOfIndex(const Value &v, const Uniformity &uniform,
                      unsigned most = 16) {
  if (uniform.isUniform(v))
    return true;
  auto *i = dyn_cast<Instruction>(&v);
  if (!i || !most)
    return false;
  if (const Intrinsic query = intrinsicCalledBy(*i))
    return query.kind == IntrinsicKind::ThreadIdx ||
           query.kind == IntrinsicKind::LinearThread ||
           query.kind == IntrinsicKind::Lane;
  return (isa<BinaryOperator, CastInst, SelectInst, CmpInst, FreezeInst>(i) ||
          (isa<llvm::IntrinsicInst>(i) && !i->mayReadOrWriteMemory())) &&
         all_of(i->operand_values(), [&](const Value *o) {
           return isa<Function>(o) || isOfIndex(*o, uniform, most - 1);
         });
}

/// Whether \p compare ends \p l by an index or address with which each thread
/// begins at another element, and from which all go on by the same step. Such
/// threads leave the loop at about the same time. Where one has a thousand
/// iterations more than others, fibers are faster: only it runs then.
///
/// LLVM may count the iterations in place of the index, up to a number that it
/// computes for each thread in front of the loop.
static bool asksForCarriedIndex(const ICmpInst &compare, const Loop &l,
                                const Uniformity &uniform) {
  if (!l.getLoopLatch() || !l.getLoopPredecessor())
    return false;
  for (unsigned n = 0; n != 2; ++n) {
    const Value *v = compare.getOperand(n);
    while (auto *cast = dyn_cast<CastInst>(v))
      v = cast->getOperand(0);
    const PHINode *phi = carriedBy(v, l);
    if (!phi)
      continue;
    if (isCarried(*phi, l, uniform, true))
      return true;
    if (isCarried(*phi, l, uniform, false) &&
        isOfIndex(*compare.getOperand(1 - n), uniform) &&
        any_of(l.getHeader()->phis(), [&](const PHINode &other) {
          return isCarried(other, l, uniform, true);
        }))
      return true;
  }
  return false;
}

bool shareLoops(Function &kernel) {
  for (unsigned n = 0; n != MostLoops; ++n) {
    Uniformity uniform(kernel);
    DominatorTree dt(kernel);
    LoopInfo loops(dt);
    const Loop *chosen = nullptr;
    for (const Loop *l : loops.getLoopsInPreorder()) {
      if (none_of(l->blocks(),
                  [](BasicBlock *bb) { return endsAtBarrier(*bb); }))
        continue;
      SmallVector<BasicBlock *, 4> exiting;
      l->getExitingBlocks(exiting);
      for (BasicBlock *bb : exiting) {
        Instruction *end = bb->getTerminator();
        if (end->getNumSuccessors() < 2 ||
            uniform.isUniformUse(end->getOperandUse(0)))
          continue;
        auto *compare = dyn_cast<ICmpInst>(end->getOperand(0));
        if (!compare || !asksForCarriedIndex(*compare, *l, uniform))
          return false;
        chosen = l;
      }
      if (chosen)
        break;
    }
    if (!chosen)
      return true;
    if (!LoopSharer(kernel).run(*chosen))
      return false;
  }
  return false;
}

} // namespace xcc::block
