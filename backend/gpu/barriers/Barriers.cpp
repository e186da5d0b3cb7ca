// Barriers that threads of a warp reach by different paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier waits for all threads of the block that have not ended, even if
// they wait at different barriers. GPUs do not support that after a branch that
// diverges within a warp. An AMD wave has one program counter, and would reach
// the barriers of both arms one after the other. On an NVIDIA GPU, threads that
// left one arm wait at its end for those at the barrier, which wait for them.
//
// So if a branch is harmful (BarrierPaths.cpp), all barriers of the kernel are
// merged into one (StateMachine.cpp).

#include "StateMachine.h"
#include "gpu/Passes.h"
#include "gpu/barriers/BarrierCalls.h"
#include "gpu/warps/LanePaths.h"
#include "gpu/warps/Uniformity.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::gpu {

/// Gives every path out of an entry its own end of the thread. Threads would
/// wait for each other at a shared return, and so for those at a barrier (ptxas
/// -O0 puts BSYNC in front of it).
static void separateEnds(Function &function, const BarrierOps &ops) {
  SmallVector<std::pair<BasicBlock *, unsigned>> edges;
  for (BasicBlock &block : function) {
    Instruction *last = block.getTerminator();
    for (unsigned i = 0; i != last->getNumSuccessors(); ++i)
      if (onlyEnds(last->getSuccessor(i)))
        edges.push_back({&block, i});
  }
  for (auto [block, index] : edges) {
    Instruction *last = block->getTerminator();
    auto *end = BasicBlock::Create(function.getContext(), "end", &function);
    IRBuilder<> builder(end);
    builder.SetCurrentDebugLocation(last->getDebugLoc());
    ops.end(builder);
    builder.CreateUnreachable();
    last->getSuccessor(index)->removePredecessor(block);
    last->setSuccessor(index, end);
  }
  removeUnreachableBlocks(function);
}

PreservedAnalyses BarriersPass::run(Module &module,
                                    ModuleAnalysisManager &analyses) {
  auto isBarrier = [&](const CallBase &call) {
    return is_contained(ops.barriers, call.getIntrinsicID());
  };
  if (!inlineBarriers(module, isBarrier))
    return PreservedAnalyses::all();
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  functions.clear();
  UniformResults results;
  for (Function &function : make_early_inc_range(module)) {
    SmallVector<CallInst *> barriers;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst); call && isBarrier(*call))
        barriers.push_back(call);
    if (barriers.empty())
      continue;
    EliminateUnreachableBlocks(function);
    BarrierPaths paths(function, barriers, ops, functions, results);
    bool isEntry = function.getCallingConv() == ops.kernels;
    bool apart = false;
    for (CallInst *call : barriers)
      if (!isEntry || paths.withoutOthers(call)) {
        ops.relax(*call);
        apart = isEntry;
      }
    if (isEntry && !paths.harmful.empty())
      makeStateMachine(function, paths, ops, barriers);
    if (apart && ops.end)
      separateEnds(function, ops);
    functions.clear(function, function.getName());
  }
  return PreservedAnalyses::none();
}

} // namespace xcc::gpu
