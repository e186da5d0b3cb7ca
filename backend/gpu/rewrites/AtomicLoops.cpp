// Replaces compare-and-swap loops by one atomic operation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard library adds to an atomic float in a loop,
//
//   old = load p
//   do new = old + value; while (!compare_exchange(p, old, new))
//
// and so do programs without another way. GPUs can add in memory, which is many
// times faster when threads compete. When this pass runs, the loop has one
// block. It becomes an atomicrmw, which a back end without the instruction
// expands to a loop again.

#include "gpu/Passes.h"
#include "support/AtomicUpdate.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::gpu {
namespace {

struct AtomicLoop {
  PHINode *old; ///< what memory is expected to hold
  AtomicCmpXchgInst *swap;
  AtomicUpdate update;
  BasicBlock *exit;
};

std::optional<AtomicLoop> match(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() ||
      branch->getSuccessor(1) != &block || branch->getSuccessor(0) == &block)
    return std::nullopt;
  AtomicLoop loop{};
  loop.exit = branch->getSuccessor(0);
  for (Instruction &inst : block)
    if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&inst)) {
      if (loop.swap || swap->isVolatile())
        return std::nullopt;
      loop.swap = swap;
    } else if (inst.mayReadOrWriteMemory()) {
      return std::nullopt;
    }
  if (!loop.swap ||
      !match(branch->getCondition(), m_ExtractValue<1>(m_Specific(loop.swap))))
    return std::nullopt;
  loop.old = dyn_cast<PHINode>(loop.swap->getCompareOperand());
  if (!loop.old || loop.old->getParent() != &block ||
      loop.old->getNumIncomingValues() != 2 || range_size(block.phis()) != 1 ||
      !match(loop.old->getIncomingValueForBlock(&block),
             m_ExtractValue<0>(m_Specific(loop.swap))))
    return std::nullopt;

  auto update = updateOf(*loop.swap);
  if (!update)
    return std::nullopt;
  loop.update = *update;
  auto inBlock = [&](Value *value) {
    auto *inst = dyn_cast<Instruction>(value);
    return inst && inst->getParent() == &block;
  };
  if (inBlock(loop.update.value) || inBlock(loop.swap->getPointerOperand()))
    return std::nullopt;
  return loop;
}

void replace(BasicBlock &block, const AtomicLoop &loop) {
  IRBuilder<> builder(&block, block.getFirstInsertionPt());
  builder.SetCurrentDebugLocation(loop.swap->getDebugLoc());
  // No GPU subtracts in memory, and x - v equals x + -v.
  const AtomicUpdate &update = loop.update;
  bool subtracts = update.operation == AtomicRMWInst::FSub;
  AtomicRMWInst *whole = builder.CreateAtomicRMW(
      subtracts ? AtomicRMWInst::FAdd : update.operation,
      loop.swap->getPointerOperand(),
      subtracts ? builder.CreateFNeg(update.value) : update.value,
      loop.swap->getAlign(), loop.swap->getSuccessOrdering(),
      loop.swap->getSyncScopeID());
  Value *old = builder.CreateBitCast(whole, loop.old->getType());

  Value *first = loop.old->getIncomingValue(
      loop.old->getIncomingBlock(0) == &block ? 1 : 0);
  loop.old->replaceAllUsesWith(old);
  loop.old->eraseFromParent();
  for (User *user : make_early_inc_range(loop.swap->users())) {
    auto *part = cast<ExtractValueInst>(user);
    part->replaceAllUsesWith(part->getIndices()[0] == 0
                                 ? old
                                 : ConstantInt::getTrue(block.getContext()));
    part->eraseFromParent();
  }
  loop.swap->eraseFromParent();
  Instruction *branch = block.getTerminator();
  BranchInst::Create(loop.exit, branch->getIterator());
  branch->eraseFromParent();
  // The first guess at the old value is no longer used.
  if (auto *load = dyn_cast<LoadInst>(first))
    if (load->use_empty() && !load->isVolatile() &&
        !isStrongerThanMonotonic(load->getOrdering()))
      load->eraseFromParent();
}

} // namespace

PreservedAnalyses AtomicLoopsPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    if (auto loop = match(block)) {
      replace(block, *loop);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
