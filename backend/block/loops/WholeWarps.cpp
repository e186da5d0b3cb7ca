// Loops over the lanes of a warp, mostly over all of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WholeWarps.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

/// Larger bodies are not copied, because the loop's overhead is a small part of
/// them.
static constexpr unsigned MostInstructions = 64;

/// The limit to which \p l counts, if it is at most 32 and not a constant; null
/// if \p l is no such loop.
static Use *limitOf(const Loop &l, ScalarEvolution &se) {
  if (!l.isInnermost() || l.getNumBlocks() != 1 || !l.getLoopPreheader() ||
      !l.getUniqueExitBlock() ||
      !findStringMetadataForLoop(&l, "llvm.loop.parallel_accesses") ||
      l.getHeader()->size() > MostInstructions)
    return nullptr;
  auto *branch = dyn_cast<BranchInst>(l.getLoopLatch()->getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? dyn_cast<ICmpInst>(branch->getCondition())
                      : nullptr;
  if (!compare || !compare->hasOneUse())
    return nullptr;
  const SCEV *iterations = se.getBackedgeTakenCount(&l);
  auto *most = dyn_cast<SCEVConstant>(se.getConstantMaxBackedgeTakenCount(&l));
  if (isa<SCEVCouldNotCompute>(iterations) || isa<SCEVConstant>(iterations) ||
      !most || most->getAPInt() != XCC_CPU_WARP_SIZE - 1)
    return nullptr;
  for (Use &limit : compare->operands()) {
    if (!l.isLoopInvariant(limit) || isa<Constant>(limit))
      continue;
    const SCEV *all = se.getTruncateOrZeroExtend(iterations, limit->getType());
    all = se.getAddExpr(all, se.getOne(limit->getType()));
    if (se.getSCEV(limit) == all)
      return &limit;
  }
  return nullptr;
}

/// Copies \p l. The former preheader is before both loops and still leads to
/// \p l, which has a new preheader.
static Loop *copyBeside(Loop &l, StringRef suffix, ValueToValueMapTy &map,
                        LoopInfo &loops, DominatorTree &dt) {
  BasicBlock *before = l.getLoopPreheader();
  BasicBlock *own = SplitBlock(before, before->getTerminator(), &dt, &loops);
  SmallVector<BasicBlock *, 8> blocks;
  Loop *copy =
      cloneLoopWithPreheader(own, before, &l, map, suffix, &loops, &dt, blocks);
  remapInstructionsInBlocks(blocks, map);
  return copy;
}

static void addIncoming(BasicBlock &exit, BasicBlock *of, BasicBlock *copy,
                        const ValueToValueMapTy &map) {
  for (PHINode &phi : exit.phis()) {
    Value *v = phi.getIncomingValueForBlock(of);
    Value *mapped = map.lookup(v);
    phi.addIncoming(mapped ? mapped : v, copy);
  }
}

/// The block that always follows \p bb; null if that depends.
static const BasicBlock *nextOf(const BasicBlock &bb) {
  auto *branch = dyn_cast<BranchInst>(bb.getTerminator());
  if (!branch || branch->isUnconditional())
    return bb.getSingleSuccessor();
  auto *known = dyn_cast<ConstantInt>(branch->getCondition());
  return known ? branch->getSuccessor(known->isZero()) : nullptr;
}

/// Whether \p l begins with the choice whether all lanes run \p lanes, with
/// nothing before it that must not run twice.
static bool beginsWithChoice(const Loop &l, const Loop &lanes) {
  if (l.getSubLoops().size() != 1 || !l.getLoopPreheader() ||
      !l.getLoopLatch() || l.getExitingBlock() != l.getLoopLatch() ||
      !l.getExitBlock())
    return false;
  const BasicBlock *bb = l.getHeader();
  while (bb && none_of(*bb, [](const Instruction &i) {
           return i.mayHaveSideEffects();
         })) {
    if (bb == lanes.getLoopPreheader())
      return true;
    bb = nextOf(*bb);
    if (bb == l.getHeader())
      break;
  }
  return false;
}

/// Adds a copy of \p l that runs as long as its \p choice is the code for all
/// lanes, not \p some. Sums of the lanes stay in registers there.
static void runWholeIterationsFirst(Loop &l, BasicBlock *choice,
                                    BasicBlock *some, LoopInfo &loops,
                                    DominatorTree &dt) {
  formLCSSA(l, dt, &loops, nullptr);
  BasicBlock *before = l.getLoopPreheader(), *header = l.getHeader();
  BasicBlock *exit = l.getExitBlock();
  ValueToValueMapTy map;
  Loop *whole = copyBeside(l, ".all", map, loops, dt);
  BasicBlock *rest = l.getLoopPreheader();
  before->getTerminator()->replaceSuccessorWith(rest,
                                                whole->getLoopPreheader());
  cast<BasicBlock>(map[choice])
      ->getTerminator()
      ->replaceSuccessorWith(cast<BasicBlock>(map[some]), rest);
  for (PHINode &phi : header->phis())
    phi.setIncomingValueForBlock(rest, map[&phi]);
  addIncoming(*exit, l.getLoopLatch(), cast<BasicBlock>(map[l.getLoopLatch()]),
              map);
}

static void separate(Loop &l, Use &limit, LoopInfo &loops, DominatorTree &dt) {
  Loop *iterations = l.getParentLoop();
  if (iterations && !beginsWithChoice(*iterations, l))
    iterations = nullptr;
  // What the loop computes comes out of either copy, by phis.
  formLCSSA(l, dt, &loops, nullptr);
  BasicBlock *choice = l.getLoopPreheader(), *exit = l.getUniqueExitBlock();
  ValueToValueMapTy map;
  Loop *all = copyBeside(l, ".whole", map, loops, dt);
  BasicBlock *some = l.getLoopPreheader();
  auto *lanes = ConstantInt::get(limit->getType(), XCC_CPU_WARP_SIZE);
  cast<Instruction>(map[limit.getUser()])
      ->setOperand(limit.getOperandNo(), lanes);

  Instruction *old = choice->getTerminator();
  IRBuilder<> b(old);
  b.CreateCondBr(b.CreateICmpEQ(limit, lanes, "whole"), all->getLoopPreheader(),
                 some);
  old->eraseFromParent();
  addIncoming(*exit, l.getHeader(), all->getHeader(), map);
  dt.changeImmediateDominator(
      exit,
      dt.findNearestCommonDominator(dt[exit]->getIDom()->getBlock(), choice));
  if (iterations)
    runWholeIterationsFirst(*iterations, choice, some, loops, dt);
}

PreservedAnalyses SeparateWholeWarpsPass::run(Function &f,
                                              FunctionAnalysisManager &fam) {
  LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &se = fam.getResult<ScalarEvolutionAnalysis>(f);
  SmallVector<std::pair<Loop *, Use *>> found;
  for (Loop *l : loops.getLoopsInPreorder())
    if (Use *limit = limitOf(*l, se))
      found.emplace_back(l, limit);
  if (found.empty())
    return PreservedAnalyses::all();
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  for (auto [l, limit] : found)
    separate(*l, *limit, loops, dt);
  removeUnreachableBlocks(f);
  return PreservedAnalyses::none();
}

} // namespace xcc::block
