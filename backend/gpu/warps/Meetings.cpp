// Lanes that come on several ways to an operation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes are together in a warp operation when they come to it in the same turn
// of each loop around it. GPUs let lanes that a branch took apart meet where all
// its ways come together, its immediate post-dominator. So all lanes of a turn
// that come to a block are together there if one branch decides about it, by one
// of its ways, and those that come to that branch are together; for all of them
// have taken that way, and whatever parts them from there on brings them
// together in front of the block. The same holds for a loop as a whole, and for
// its next turn, as if both were blocks.
//
// Where several branches decide, as with a `case` that is fallen into, either
// side of `||`, or what is behind an `if` with a `break` or `return` in it, lanes
// would come one after the other:
//
//        d ------+                    d ------+
//       / \      |                   / \      |
//      a   b     |                  a   b     |
//     / \ /      |                   \  |     |
//    e   block   |                    meet ---+
//         \      |                   /   | \
//          +---- f                  e    |  f
//                                      block
//
// There, all ways from the block `d` that is before all of those branches meet
// in front of the block, and one branch decides who goes into it. NVIDIA GPUs
// are told, by bar.warp.sync, to make the lanes meet that were at `d`.
//
// This is for the control flow that is left when all other passes have run.

#include "Level.h"
#include "WarpCalls.h"
#include "Ways.h"
#include "gpu/Passes.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

using Blocks = LaneFacts::Blocks;

/// Brings the lanes of one function together.
class Meetings {
public:
  Meetings(Function &function, const WarpCalls &leads, const BarrierOps &ops,
           FunctionAnalysisManager &analyses)
      : function(function), ops(ops), analyses(analyses) {
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        if (leads(*call))
          operations.insert(inst.getParent());
        if (is_contained(ops.barriers, call->getIntrinsicID()))
          barriers.insert(inst.getParent());
      }
    findDivergent();
  }

  bool run() {
    bool marked = removeMarks();
    if (divergent.empty() || !find())
      return marked;
    // What a switch becomes is to be seen.
    run(LowerSwitchPass());
    if (!reducible())
      run(FixIrreduciblePass());
    findDivergent();
    // Each finds its block with one way into it.
    for (unsigned left = 2 * function.size() + 64; left--;) {
      std::optional<Meeting> meeting = find();
      if (!meeting)
        break;
      make(*meeting);
    }
    restoreValues(function);
    return true;
  }

private:
  Function &function;
  const BarrierOps &ops;
  FunctionAnalysisManager &analyses;
  Blocks operations, divergent, barriers;
  CycleInfo cycles;

  template <class Pass> void run(Pass pass) {
    analyses.invalidate(function, pass.run(function, analyses));
  }
  void findDivergent() {
    SmallVector<const BasicBlock *> found =
        divergentBranches(function, analyses, ops);
    divergent = Blocks(found.begin(), found.end());
  }
  bool reducible() {
    cycles.clear();
    cycles.compute(function);
    bool all = true;
    eachCycle(cycles, [&](const Cycle *cycle) { all &= cycle->isReducible(); });
    return all;
  }

  LaneFacts look() {
    cycles.clear();
    cycles.compute(function);
    return {operations, divergent, function.getCallingConv() == ops.kernels,
            cycles};
  }

  /// Removes what Turns.cpp left, and makes lanes meet at the end of a turn.
  /// They need not if some may wait at a barrier of the loop (Barriers.cpp).
  bool removeMarks() {
    SmallVector<CallInst *> marks;
    const Function *mark = function.getParent()->getFunction("__xcc_turn");
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && mark && call->getCalledFunction() == mark)
        marks.push_back(call);
    LaneFacts facts = look();
    for (CallInst *call : marks) {
      BasicBlock *place = call->getParent();
      const Cycle *cycle = cycles.getCycle(place);
      bool meets = cast<ConstantInt>(call->getArgOperand(0))->isOne();
      call->eraseFromParent();
      if (!meets || !cycle || !cycle->isReducible() ||
          any_of(cycle->blocks(),
                 [&](const BasicBlock *block) {
                   return barriers.contains(block);
                 }) ||
          !Level(cycle, function, facts).always(place))
        continue;
      BasicBlock *head = cycle->getHeader();
      IRBuilder<> builder(head, head->getFirstInsertionPt());
      Value *lanes = ops.lanes(builder);
      builder.SetInsertPoint(place, place->getFirstInsertionPt());
      ops.gather(builder, lanes);
    }
    return !marks.empty();
  }

  std::optional<Meeting> find() {
    LaneFacts facts = look();
    std::optional<Meeting> found = Level(nullptr, function, facts).find();
    eachCycle(cycles, [&](const Cycle *cycle) {
      if (!found && any_of(cycle->blocks(), [&](const BasicBlock *block) {
            return operations.contains(block);
          }))
        found = Level(cycle, function, facts).find();
    });
    return found;
  }

  void make(Meeting &meeting) {
    BasicBlock *before = meeting.before;
    if (meeting.around) {
      BasicBlock *head = meeting.around->getHeader();
      SmallVector<BasicBlock *> from;
      for (BasicBlock *block : predecessors(head))
        if (!meeting.around->contains(block))
          from.push_back(block);
      before = SplitBlockPredecessors(head, from, ".before");
    }
    IRBuilder<> builder(before->getTerminator());
    Value *lanes = ops.lanes(builder);
    SmallVector<BasicBlock *> guards = joinEdges(meeting.edges, meeting.place);
    if (guards.empty())
      return;
    builder.SetInsertPoint(guards.front(),
                           guards.front()->getFirstInsertionPt());
    ops.gather(builder, lanes);
    divergent.insert_range(guards);
  }
};

} // namespace

PreservedAnalyses MeetingsPass::run(Module &module,
                                    ModuleAnalysisManager &analyses) {
  bool changed = false;
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  WarpCalls leads(module, ops);
  SmallVector<Function *> work;
  for (Function &function : module)
    if (leads.in(function))
      work.push_back(&function);
  for (Function *function : work) {
    functions.clear(*function, function->getName());
    changed |= Meetings(*function, leads, ops, functions).run();
    functions.clear(*function, function->getName());
  }
  if (Function *mark = module.getFunction("__xcc_turn")) {
    // Where an optimiser saw that no operation is left.
    changed = true;
    for (User *user : make_early_inc_range(mark->users()))
      cast<CallInst>(user)->eraseFromParent();
    mark->eraseFromParent();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
