// Reconvergence of lanes before warp operations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes execute a warp operation together if they reach it in the same
// iteration of each enclosing loop. After a divergent branch, the lanes of a
// GPU reconverge at the branch's immediate post-dominator. So all lanes of an
// iteration that reach a block are together there if two conditions hold: only
// one branch, by one of its paths, decides whether a lane reaches the block;
// and the lanes that reach that branch are together. Then all lanes have taken
// the same path, and later branches on it reconverge before the block. The same
// is true of a whole loop, and of its next iteration, as if they were blocks.
//
// If several branches decide, lanes would reach the block separately. Examples
// are a `case` into which another falls, either side of `||`, and code after an
// `if` that contains a `break` or `return`:
//
//        d ------+                    d ------+
//       / \      |                   / \      |
//      a   b     |                  a   b     |
//     / \ /      |                   \  |     |
//    e   block   |                    meet ---+
//         \      |                   /   | \
//          +---- f                  e    |  f
//                                       block
//
// This pass joins all paths from `d`, the block before all of those branches,
// in front of the block. Then one branch decides which lanes enter it. On
// NVIDIA GPUs, bar.warp.sync makes the lanes that were at `d` reconverge.
//
// The pass runs after all others, on the final control flow.

#include "IterationGraph.h"
#include "LanePaths.h"
#include "Uniformity.h"
#include "WarpCalls.h"
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

/// Makes the lanes of one function reconverge.
class Reconvergence {
public:
  Reconvergence(Function &function, const WarpCalls &leads,
                const BarrierOps &ops, FunctionAnalysisManager &analyses,
                UniformResults &results)
      : function(function), ops(ops), analyses(analyses), results(results) {
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
    // The analysis needs the branches that switches become.
    run(LowerSwitchPass());
    if (!reducible())
      run(FixIrreduciblePass());
    findDivergent();
    // Each iteration leaves one path into one more block.
    for (unsigned left = 2 * function.size() + 64; left--;) {
      std::optional<ReconvergencePoint> point = find();
      if (!point)
        break;
      make(*point);
    }
    restoreValues(function);
    return true;
  }

private:
  Function &function;
  const BarrierOps &ops;
  FunctionAnalysisManager &analyses;
  UniformResults &results;
  Blocks operations, divergent, barriers;
  CycleInfo cycles;

  template <class Pass> void run(Pass pass) {
    analyses.invalidate(function, pass.run(function, analyses));
  }
  void findDivergent() {
    SmallVector<const BasicBlock *> found =
        divergentBranches(function, analyses, ops, results);
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

  /// Removes the marks of Iterations.cpp, and makes lanes reconverge at the end
  /// of an iteration. Leaves that out if some lanes may wait at a barrier of
  /// the loop (Barriers.cpp).
  bool removeMarks() {
    SmallVector<CallInst *> marks;
    const Function *mark = function.getParent()->getFunction("__xcc_iteration");
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && mark && call->getCalledFunction() == mark)
        marks.push_back(call);
    LaneFacts facts = look();
    for (CallInst *call : marks) {
      BasicBlock *place = call->getParent();
      const Cycle *cycle = cycles.getCycle(place);
      bool isMarked = cast<ConstantInt>(call->getArgOperand(0))->isOne();
      call->eraseFromParent();
      if (!isMarked || !cycle || !cycle->isReducible() ||
          any_of(cycle->blocks(),
                 [&](const BasicBlock *block) {
                   return barriers.contains(block);
                 }) ||
          !IterationGraph(cycle, function, facts).always(place))
        continue;
      BasicBlock *head = cycle->getHeader();
      IRBuilder<> builder(head, head->getFirstInsertionPt());
      Value *lanes = ops.lanes(builder);
      builder.SetInsertPoint(place, place->getFirstInsertionPt());
      ops.gather(builder, lanes);
    }
    return !marks.empty();
  }

  std::optional<ReconvergencePoint> find() {
    LaneFacts facts = look();
    std::optional<ReconvergencePoint> found =
        IterationGraph(nullptr, function, facts).find();
    eachCycle(cycles, [&](const Cycle *cycle) {
      if (!found && any_of(cycle->blocks(), [&](const BasicBlock *block) {
            return operations.contains(block);
          }))
        found = IterationGraph(cycle, function, facts).find();
    });
    return found;
  }

  void make(ReconvergencePoint &point) {
    BasicBlock *before = point.before;
    if (point.around) {
      BasicBlock *head = point.around->getHeader();
      SmallVector<BasicBlock *> from;
      for (BasicBlock *block : predecessors(head))
        if (!point.around->contains(block))
          from.push_back(block);
      before = SplitBlockPredecessors(head, from, ".before");
    }
    IRBuilder<> builder(before->getTerminator());
    Value *lanes = ops.lanes(builder);
    SmallVector<BasicBlock *> guards = joinEdges(point.edges, point.place);
    if (guards.empty())
      return;
    builder.SetInsertPoint(guards.front(),
                           guards.front()->getFirstInsertionPt());
    ops.gather(builder, lanes);
    divergent.insert_range(guards);
  }
};

} // namespace

PreservedAnalyses ReconvergencePass::run(Module &module,
                                         ModuleAnalysisManager &analyses) {
  bool changed = false;
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  WarpCalls leads(module, ops);
  UniformResults results;
  SmallVector<Function *> work;
  for (Function &function : module)
    if (leads.in(function))
      work.push_back(&function);
  for (Function *function : work) {
    functions.clear(*function, function->getName());
    changed |= Reconvergence(*function, leads, ops, functions, results).run();
    functions.clear(*function, function->getName());
  }
  if (Function *mark = module.getFunction("__xcc_iteration")) {
    // The mark remains if the optimiser removed all operations.
    changed = true;
    for (User *user : make_early_inc_range(mark->users()))
      cast<CallInst>(user)->eraseFromParent();
    mark->eraseFromParent();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
