// Merges all barriers of a kernel into one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If threads of a warp reach barriers by different branches, the kernel becomes
// a state machine from the first such branch on. Each thread has a state:
//
//             state = start
//               |
//    dispatch: go where the state says, or wait ------+
//        |           |           |                    |
//      start       after      at a join               |
//        |       barrier 1       |                    |
//        +-----+-----+-----------+--------------------+
//              |        state = the barrier or join reached, or ended
//            meet: all lanes of the warp
//              |   a lane at a join? those at the first join continue
//              |   a lane at a barrier? the barrier; those at any continue
//              |   else all have ended
//
// A join is a block where a branch's paths come together, if there are barriers
// in between. Lanes wait there for the others as in the source, and continue
// without those that wait at a barrier.

#include "StateMachine.h"
#include "gpu/Passes.h"
#include "gpu/warps/LanePaths.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// Rewrites a function as the head of this file shows.
class StateMachine {
public:
  StateMachine(Function &function, const BarrierPaths &paths,
               const BarrierOps &ops)
      : function(function), paths(paths), ops(ops),
        i32(Type::getInt32Ty(function.getContext())) {}

  void run(ArrayRef<CallInst *> barriers) {
    findStart(barriers);
    // The blocks after the start, before they are changed.
    BlockSet inside = reachAfter(start);
    for (CallInst *call : barriers)
      if (inside.contains(call->getParent()))
        merged.push_back(call);
    findJoins(inside);
    split();
    demote();
    build();
    rewire();
    DominatorTree dominators(function);
    erase_if(slots, [](AllocaInst *slot) { return !isAllocaPromotable(slot); });
    PromoteMemToReg(slots, dominators);
    if (ops.pathsWithOneProgramCounter)
      keepStack();
  }

private:
  Function &function;
  const BarrierPaths &paths;
  const BarrierOps &ops;
  IntegerType *i32;
  BasicBlock *start = nullptr; ///< its end is where the machine starts
  BasicBlock *first = nullptr; ///< the code after the start
  SmallVector<CallInst *> merged;
  SmallVector<BasicBlock *> joins, behind; ///< `behind`: the block after each
                                           ///< barrier
  SmallVector<BasicBlock *> body;          ///< blocks of the machine's states
  SmallVector<AllocaInst *> slots;
  AllocaInst *state = nullptr;
  BasicBlock *dispatch = nullptr, *meet = nullptr;

  unsigned joinState(unsigned index) const { return 1 + index; }
  unsigned barrierState(unsigned index) const {
    return 1 + joins.size() + index;
  }
  unsigned ended() const { return 1 + joins.size() + merged.size(); }

  /// Finds the last block before all harmful branches that every thread passes
  /// exactly once.
  void findStart(ArrayRef<CallInst *> barriers) {
    DominatorTree dominators(function);
    auto *block = const_cast<BasicBlock *>(paths.harmful.front());
    for (const BasicBlock *branch : paths.harmful)
      block = dominators.findNearestCommonDominator(
          block, const_cast<BasicBlock *>(branch));
    while (true) {
      BlockSet after = reachAfter(block);
      bool good =
          !after.contains(block) && all_of(after, [&](const BasicBlock *at) {
            return dominators.dominates(block, at) || onlyEnds(at);
          });
      if (good)
        break;
      block = dominators.getNode(block)->getIDom()->getBlock();
    }
    start = block;
  }

  void findJoins(const BlockSet &inside) {
    SmallPtrSet<const BasicBlock *, 8> found;
    for (const BasicBlock *branch : paths.harmful)
      if (const BasicBlock *join = paths.join(branch);
          join && inside.contains(join) && !onlyEnds(join))
        found.insert(join);
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      if (found.contains(block))
        joins.push_back(block);
  }

  void split() {
    first = SplitBlock(start, start->getTerminator());
    for (CallInst *call : merged) {
      BasicBlock *block = call->getParent();
      // A join that begins with a barrier stays a block of its own.
      behind.push_back(SplitBlock(block, call));
    }
    BlockSet all = reachAfter(start);
    DominatorTree dominators(function);
    for (BasicBlock &block : function)
      if (all.contains(&block) && dominators.dominates(first, &block))
        body.push_back(&block);
  }

  /// Moves values that live across blocks to memory; run() promotes them again.
  void demote() {
    auto at = function.getEntryBlock().begin();
    SmallVector<Instruction *> escaping;
    for (BasicBlock *block : body)
      for (Instruction &inst : *block)
        if (any_of(inst.users(), [&](const User *user) {
              return cast<Instruction>(user)->getParent() != block ||
                     isa<PHINode>(user);
            }))
          escaping.push_back(&inst);
    for (Instruction *inst : escaping)
      if (AllocaInst *slot = DemoteRegToStack(*inst, false, at))
        slots.push_back(slot);
    SmallVector<PHINode *> phis;
    for (BasicBlock *block : body)
      for (PHINode &phi : block->phis())
        phis.push_back(&phi);
    for (PHINode *phi : phis)
      if (AllocaInst *slot = DemotePHIToStack(phi, at))
        slots.push_back(slot);
    state = new AllocaInst(i32, function.getDataLayout().getAllocaAddrSpace(),
                           nullptr, "state", at);
    slots.push_back(state);
  }

  /// The call that saved a stack pointer, or null.
  static const IntrinsicInst *savedBy(const Value *pointer) {
    if (const auto *load = dyn_cast<LoadInst>(pointer)) {
      const StoreInst *only = nullptr;
      for (const User *user : load->getPointerOperand()->users())
        if (const auto *store = dyn_cast<StoreInst>(user)) {
          if (only || store->getPointerOperand() != load->getPointerOperand())
            return nullptr;
          only = store;
        }
      if (!only || !isa<AllocaInst>(load->getPointerOperand()))
        return nullptr;
      pointer = only->getValueOperand();
    }
    const auto *call = dyn_cast<IntrinsicInst>(pointer);
    return call && call->getIntrinsicID() == Intrinsic::stacksave ? call
                                                                  : nullptr;
  }

  /// A warp with one program counter has one stack pointer. Lanes that continue
  /// while others wait must not restore it below the others' arrays. So only a
  /// stack pointer that was saved after the dispatch is restored; the rest is
  /// freed when the kernel ends.
  void keepStack() {
    DominatorTree dominators(function);
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *restore = dyn_cast<IntrinsicInst>(&inst);
      if (!restore || restore->getIntrinsicID() != Intrinsic::stackrestore ||
          !dominators.dominates(dispatch, restore->getParent()))
        continue;
      const IntrinsicInst *save = savedBy(restore->getArgOperand(0));
      if (!save || !dominators.dominates(dispatch, save->getParent()) ||
          !dominators.dominates(save, restore))
        restore->eraseFromParent();
    }
  }

  BasicBlock *newBlock(const Twine &name) {
    return BasicBlock::Create(function.getContext(), name, &function);
  }

  void build() {
    dispatch = newBlock("dispatch");
    meet = newBlock("meet");
    BasicBlock *barrier = newBlock("barrier"), *leave = newBlock("leave");
    IRBuilder<> builder(meet);
    if (function.getSubprogram())
      builder.SetCurrentDebugLocation(merged.front()->getDebugLoc());

    // meet
    auto number = [&](unsigned value) { return builder.getInt32(value); };
    Value *own = builder.CreateLoad(i32, state);
    Value *turn = number(ended());
    Value *atBarrier =
        builder.CreateAnd(builder.CreateICmpUGE(own, number(barrierState(0))),
                          builder.CreateICmpULT(own, number(ended())));
    Value *any = ops.any(builder, atBarrier);
    turn = builder.CreateSelect(any, number(barrierState(0)), turn);
    for (unsigned i = joins.size(); i--;) {
      Value *here = builder.CreateICmpEQ(own, number(joinState(i)));
      turn = builder.CreateSelect(ops.any(builder, here), number(joinState(i)),
                                  turn);
    }
    BasicBlock *join = newBlock("join");
    auto *turns = builder.CreateSwitch(turn, join, 2);
    turns->addCase(number(barrierState(0)), barrier);
    turns->addCase(number(ended()), leave);

    builder.SetInsertPoint(barrier);
    ops.barrier(builder);
    builder.CreateBr(dispatch);

    builder.SetInsertPoint(join);
    Value *goes = builder.CreateICmpEQ(own, turn);
    builder.CreateBr(dispatch);

    builder.SetInsertPoint(leave);
    builder.CreateRetVoid();

    // dispatch
    builder.SetInsertPoint(dispatch);
    auto *moves = builder.CreatePHI(builder.getInt1Ty(), 3);
    moves->addIncoming(builder.getTrue(), start);
    moves->addIncoming(builder.getTrue(), barrier);
    moves->addIncoming(goes, join);
    Value *now = builder.CreateLoad(i32, state);
    now = builder.CreateSelect(moves, now, number(ended()));
    auto *paths = builder.CreateSwitch(now, meet);
    paths->addCase(number(0), first);
    for (unsigned i = 0; i != joins.size(); ++i)
      paths->addCase(number(joinState(i)), joins[i]);
    for (unsigned i = 0; i != behind.size(); ++i)
      paths->addCase(number(barrierState(i)), behind[i]);

    start->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(start);
    builder.CreateStore(number(0), state);
    builder.CreateBr(dispatch);
  }

  /// A block that stores a thread's state and branches to `meet`.
  BasicBlock *waiting(unsigned number, const Twine &name) {
    BasicBlock *block = newBlock(name);
    IRBuilder<> builder(block);
    builder.CreateStore(builder.getInt32(number), state);
    builder.CreateBr(meet);
    return block;
  }

  void rewire() {
    // Each barrier's block ended with a branch to the code after it.
    for (unsigned i = 0; i != merged.size(); ++i) {
      BasicBlock *before = behind[i]->getSinglePredecessor();
      for (BasicBlock *each : predecessors(behind[i]))
        if (each != dispatch)
          before = each;
      before->getTerminator()->eraseFromParent();
      IRBuilder<> builder(before);
      builder.CreateStore(builder.getInt32(barrierState(i)), state);
      builder.CreateBr(meet);
      merged[i]->eraseFromParent();
    }
    for (unsigned i = 0; i != joins.size(); ++i) {
      BasicBlock *wait = waiting(joinState(i), "wait");
      for (BasicBlock *block : body)
        block->getTerminator()->replaceSuccessorWith(joins[i], wait);
    }
    BasicBlock *end = waiting(ended(), "ended");
    for (BasicBlock *block : body) {
      Instruction *last = block->getTerminator();
      if (isa<ReturnInst>(last)) {
        last->eraseFromParent();
        BranchInst::Create(end, block);
        continue;
      }
      for (unsigned i = 0; i != last->getNumSuccessors(); ++i) {
        BasicBlock *next = last->getSuccessor(i);
        if (next != end && next != meet && !is_contained(body, next) &&
            onlyEnds(next)) {
          next->removePredecessor(block);
          last->setSuccessor(i, end);
        }
      }
    }
    removeUnreachableBlocks(function);
  }
};

} // namespace

void makeStateMachine(Function &function, const BarrierPaths &paths,
                      const BarrierOps &ops, ArrayRef<CallInst *> barriers) {
  StateMachine(function, paths, ops).run(barriers);
}

} // namespace xcc::gpu
