// Loops of a function, changed one after the other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EachLoop.h"
#include "block/Intrinsics.h"
#include "block/simd/Pass.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace xcc::block {

static bool changeOne(Function &f, FunctionAnalysisManager &fam,
                      SmallPtrSetImpl<BasicBlock *> &tried,
                      function_ref<bool(Loop &)> change) {
  for (Loop *l : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder())
    if (tried.insert(l->getHeader()).second && change(*l))
      return true;
  return false;
}

bool changeEachLoop(Function &f, FunctionAnalysisManager &fam,
                    function_ref<bool(Loop &)> change) {
  SmallPtrSet<BasicBlock *, 8> tried;
  bool changed = false;
  while (changeOne(f, fam, tried, change)) {
    changed = true;
    fam.invalidate(f, PreservedAnalyses::none());
  }
  return changed;
}

PreservedAnalyses changeThreadLoops(
    Function &f, FunctionAnalysisManager &fam,
    function_ref<bool(Loop &, DominatorTree &, LoopInfo &, ScalarEvolution &)>
        change) {
  bool simplified = false;
  changeEachLoop(f, fam, [&](Loop &l) {
    if (!findOptionMDForLoop(&l, ThreadLoopMark))
      return false;
    LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
    DominatorTree &dt = fam.getResult<DominatorTreeAnalysis>(f);
    ScalarEvolution &se = fam.getResult<ScalarEvolutionAnalysis>(f);
    simplified = true;
    simplifyLoop(&l, &dt, &loops, &se, &fam.getResult<AssumptionAnalysis>(f),
                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    return change(l, dt, loops, se);
  });
  return simplified ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

bool hasUsersOutside(const Loop &l) {
  for (const BasicBlock *block : l.blocks())
    for (const Instruction &i : *block)
      for (const User *u : i.users())
        if (!l.contains(cast<Instruction>(u)))
          return true;
  return false;
}

bool hasNoEffect(const Loop &l, ArrayRef<BasicBlock *> blocks) {
  for (const BasicBlock *block : blocks)
    if (any_of(*block, hasEffect))
      return false;
  return !hasUsersOutside(l);
}

} // namespace xcc::block
