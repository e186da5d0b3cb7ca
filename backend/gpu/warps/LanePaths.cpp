// Analysis and joining of lanes' paths through a function
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LanePaths.h"
#include "Uniformity.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ControlFlowUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace xcc::gpu {

/// Analyses a copy in which variables are promoted to values: without
/// optimisation, values in memory hide what depends on the thread.
SmallVector<const BasicBlock *>
divergentBranches(Function &function, FunctionAnalysisManager &analyses,
                  const BarrierOps &ops, UniformResults &results) {
  SmallVector<const BasicBlock *> divergent;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  copy->removeFnAttr(Attribute::OptimizeNone);
  SROAPass(SROAOptions::PreserveCFG).run(*copy, analyses);
  analyses.invalidate(*copy, PreservedAnalyses::none());
  Uniformity uniformity(*copy, analyses, ops, results);
  for (const BasicBlock &block : function)
    if (auto *same = dyn_cast_or_null<BasicBlock>(map.lookup(&block)))
      if (uniformity.hasDivergentTerminator(*same))
        divergent.push_back(&block);
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return divergent;
}

bool onlyEnds(const BasicBlock *block) {
  for (unsigned steps = 0; steps != 8; ++steps) {
    for (const Instruction &inst : *block)
      if (!isa<PHINode>(inst) && !inst.isDebugOrPseudoInst() &&
          !inst.isLifetimeStartOrEnd() && !inst.isTerminator())
        return false;
    if (isa<ReturnInst>(block->getTerminator()))
      return true;
    block = block->getSingleSuccessor();
    if (!block)
      return false;
  }
  return false;
}

void eachCycle(const CycleInfo &cycles,
               function_ref<void(const Cycle *)> visit) {
  SmallVector<const Cycle *> work(cycles.toplevel_cycles());
  while (!work.empty()) {
    const Cycle *cycle = work.pop_back_val();
    append_range(work, cycle->children());
    visit(cycle);
  }
}

SmallVector<BasicBlock *> joinEdges(ArrayRef<Edge> edges, BasicBlock *first) {
  // ControlFlowHub supports only branches.
  MapVector<BasicBlock *, SmallVector<BasicBlock *, 2>> paths;
  for (auto [from, to] : edges) {
    auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    if (!branch) {
      BasicBlock *between = SplitBlockPredecessors(to, {from}, ".way");
      between->moveAfter(from);
      from = between;
    } else if (branch->isConditional() &&
               branch->getSuccessor(0) == branch->getSuccessor(1)) {
      to->removePredecessor(from, /*KeepOneInputPHIs=*/true);
      BranchInst::Create(to, branch->getIterator());
      branch->eraseFromParent();
    }
    if (!is_contained(paths[from], to))
      paths[from].push_back(to);
  }
  ControlFlowHub hub;
  auto add = [&](BasicBlock *from, ArrayRef<BasicBlock *> to) {
    auto *branch = cast<BranchInst>(from->getTerminator());
    BasicBlock *taken[2] = {};
    for (unsigned i = 0; i != branch->getNumSuccessors(); ++i)
      if (is_contained(to, branch->getSuccessor(i)))
        taken[i] = branch->getSuccessor(i);
    hub.addBranch(from, taken[0], taken[1]);
  };
  // The hub orders targets by their first use.
  auto leader = find_if(paths, [&](const auto &path) {
    return path.second.size() == 1 && path.second.front() == first;
  });
  if (leader != paths.end())
    add(leader->first, leader->second);
  for (auto &path : paths)
    if (leader == paths.end() || path.first != leader->first)
      add(path.first, path.second);
  SmallVector<BasicBlock *> guards;
  hub.finalize(nullptr, guards, "meet", /*MaxControlFlowBooleans=*/2);
  BasicBlock *after = paths.back().first;
  for (BasicBlock *guard : guards) {
    guard->moveAfter(after);
    after = guard;
  }
  return guards;
}

void restoreValues(Function &function) {
  DominatorTree dominators(function);
  MapVector<Instruction *, SmallVector<Use *>> lost;
  for (Instruction &inst : instructions(function)) {
    if (!dominators.isReachableFromEntry(inst.getParent()))
      continue;
    for (Use &use : inst.uses())
      if (!dominators.dominates(&inst, use))
        lost[&inst].push_back(&use);
  }
  for (auto &[inst, uses] : lost) {
    SSAUpdater updater;
    updater.Initialize(inst->getType(), inst->getName());
    updater.AddAvailableValue(&function.getEntryBlock(),
                              PoisonValue::get(inst->getType()));
    updater.AddAvailableValue(inst->getParent(), inst);
    for (Use *use : uses)
      updater.RewriteUse(*use);
  }
}

} // namespace xcc::gpu
