// Lanes reconverge behind calls that may recurse
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that a branch took apart wait for each other in a convergence barrier of
// their warp, of which an NVIDIA GPU has a few registers. ptxas gives each
// function registers that none of its callers uses. It cannot where a function
// calls itself: all its activations use the same ones, so that lanes that recurse
// to different depths come back one group after the other. ptxas takes them for
// converged all the same: it removes a `bar.warp.sync` behind such a call, puts
// no `WARPSYNC` in front of an aligned barrier, and counts loops around the call
// in uniform registers, of which a warp has one for all of its lanes.
//
// So the lanes that were active before a call that may recurse wait for each
// other behind it, also in the functions that recurse. There `bar.warp.sync`
// stands where ptxas does not know which lanes are active; it keeps it, and
// takes calls of a function with such an instruction for divergent. Each call
// asks for the active mask anew: of two instructions with the same mask, which
// may be a constant, ptxas makes two ways, and drops the second from the way of
// lanes that were together at the first, whatever call is in between.
//
// A lane that does not call waits where the branch's ways join, in one of those
// registers. Where operations of warps may follow, lanes are therefore brought
// together at such joins, and behind loops, as well. There, calls through
// pointers count as recursion if one leads to another: they share registers
// too, but ptxas takes none of them for converged.

#include "RecursiveCalls.h"
#include "WarpCalls.h"
#include "Ways.h"
#include "gpu/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// The calls of one function that may recurse, and come back.
SmallVector<CallInst *> callsThatRecurse(Function &function,
                                         const RecursiveCalls &recurses) {
  SmallVector<CallInst *> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst);
        call && recurses(*call) && !call->isMustTailCall() &&
        !isa<UnreachableInst>(call->getNextNode()))
      calls.push_back(call);
  return calls;
}

/// Lets the lanes that call wait for each other behind each call.
void joinBehind(ArrayRef<CallInst *> calls, const BarrierOps &ops) {
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    Value *lanes = ops.lanes(builder);
    builder.SetInsertPoint(call->getNextNode());
    ops.gather(builder, lanes);
  }
}

/// Brings the lanes of a function together where a branch's ways join.
class Joins {
public:
  Joins(Function &function, ArrayRef<CallInst *> calls, const BarrierOps &ops,
        FunctionAnalysisManager &analyses)
      : function(function), ops(ops) {
    for (CallInst *call : calls)
      recursive.insert(call->getParent());
    prepareCycles();
    SmallVector<const BasicBlock *> found =
        divergentBranches(function, analyses, ops);
    divergent.insert_range(found);
    dominators.recalculate(function);
    postDominators.recalculate(function);
  }

  void add() {
    for (BasicBlock &block : function)
      if (divergent.contains(&block))
        note(&block, nextOnAllWays(&block));
    eachCycle(cycles, [&](const Cycle *cycle) {
      BasicBlock *before = cycle->getCyclePreheader();
      if (!before || none_of(cycle->blocks(), [&](BasicBlock *block) {
            return divergent.contains(block);
          }))
        return;
      BasicBlock *behind = cycle->getHeader();
      while (behind && cycle->contains(behind))
        behind = nextOnAllWays(behind);
      note(before, behind);
    });
    for (auto [join, from] : joins) {
      IRBuilder<> builder(from->getTerminator());
      Value *lanes = ops.lanes(builder);
      builder.SetInsertPoint(join, join->getFirstInsertionPt());
      ops.gather(builder, lanes);
    }
  }

private:
  Function &function;
  const BarrierOps &ops;
  DenseSet<const BasicBlock *> recursive, divergent;
  CycleInfo cycles;
  DominatorTree dominators;
  PostDominatorTree postDominators;
  MapVector<BasicBlock *, BasicBlock *> joins; ///< and where lanes part

  /// Gives each loop one block before it, and one at the end of its iterations.
  void prepareCycles() {
    cycles.compute(function);
    SmallVector<std::pair<BasicBlock *, SmallVector<BasicBlock *>>> merges;
    eachCycle(cycles, [&](const Cycle *cycle) {
      if (!cycle->isReducible())
        return;
      BasicBlock *head = cycle->getHeader();
      SmallVector<BasicBlock *> inside, outside;
      for (BasicBlock *from : predecessors(head))
        (cycle->contains(from) ? inside : outside).push_back(from);
      if (inside.size() > 1)
        merges.push_back({head, inside});
      if (!cycle->getCyclePreheader())
        merges.push_back({head, outside});
    });
    for (auto &[head, from] : merges)
      SplitBlockPredecessors(head, from, ".join");
    cycles.clear();
    cycles.compute(function);
  }

  /// The next block that all lanes of this one come to; null if there is none.
  BasicBlock *nextOnAllWays(BasicBlock *block) const {
    const auto *node = postDominators.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  /// Notes where lanes part and join again, if some may recurse in between: all
  /// that are at one come to the other, in the same iteration of each loop.
  void note(BasicBlock *from, BasicBlock *join) {
    if (join && from != join && dominators.dominates(from, join) &&
        cycles.getCycle(from) == cycles.getCycle(join) &&
        recursesBetween(from, join))
      joins.try_emplace(join, from);
  }

  bool recursesBetween(BasicBlock *from, const BasicBlock *join) const {
    SmallVector<const BasicBlock *> work(successors(from));
    DenseSet<const BasicBlock *> seen;
    bool found = false;
    while (!work.empty()) {
      const BasicBlock *block = work.pop_back_val();
      if (block == join || !seen.insert(block).second)
        continue;
      // Around a loop a lane may come back without the join.
      if (block == from)
        return false;
      // Lanes would wait for all others there, which wait at the join.
      if (any_of(*block,
                 [&](const Instruction &inst) { return waitsForAll(inst); }))
        return false;
      found |= recursive.contains(block);
      append_range(work, successors(block));
    }
    return found;
  }

  /// A barrier of the block, or an operation of all lanes of a warp, such as
  /// barriers in divergent code are made of.
  bool waitsForAll(const Instruction &inst) const {
    const auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || !call->isConvergent())
      return false;
    const auto *mask = call->arg_size()
                           ? dyn_cast<ConstantInt>(call->getArgOperand(0))
                           : nullptr;
    return is_contained(ops.barriers, call->getIntrinsicID()) ||
           (mask && mask->isMinusOne());
  }
};

} // namespace

PreservedAnalyses ReconvergePass::run(Module &module,
                                      ModuleAnalysisManager &analyses) {
  if (!ops.recursionParts)
    return PreservedAnalyses::all();
  RecursiveCalls recurses(module, Pointers::Alike);
  RecursiveCalls sharesRegisters(module, Pointers::Any);
  WarpCalls leads(module, ops);
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  bool changed = false;
  SmallVector<Function *> work(make_pointer_range(module));
  for (Function *function : work) {
    bool matters = leads.in(*function);
    SmallVector<CallInst *> calls =
        callsThatRecurse(*function, matters ? sharesRegisters : recurses);
    if (calls.empty())
      continue;
    functions.clear(*function, function->getName());
    if (matters)
      Joins(*function, calls, ops, functions).add();
    joinBehind(calls, ops);
    functions.clear(*function, function->getName());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
