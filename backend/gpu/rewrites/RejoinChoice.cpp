// Recombines bitwise choices in sums
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice (e & f) | (~e & g) of hash functions has no bit in both halves, so
// Reassociate may add the halves to a sum separately. A GPU computes the choice
// with one three-input operation, so this pass recombines the halves.

#include "gpu/Passes.h"
#include "support/Preserved.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::gpu {
namespace {

/// Whether the two values are masked by complementary masks.
bool areHalves(Value *a, Value *b) {
  auto masks = [&](Value *whole, Value *rest) {
    return match(rest, m_OneUse(m_c_And(m_Not(m_Specific(whole)), m_Value())));
  };
  Value *x, *y;
  if (!match(a, m_OneUse(m_And(m_Value(x), m_Value(y)))))
    return false;
  return masks(x, b) || masks(y, b);
}

} // namespace

PreservedAnalyses RejoinChoicePass::run(Function &function,
                                        FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    // (rest + half) + half
    Value *rest, *one, *two;
    if (!match(&inst, m_c_Add(m_OneUse(m_Add(m_Value(rest), m_Value(one))),
                              m_Value(two))))
      continue;
    if (!areHalves(one, two) && !areHalves(two, one)) {
      std::swap(rest, one);
      if (!areHalves(one, two) && !areHalves(two, one))
        continue;
    }
    IRBuilder<> builder(&inst);
    Value *choice = builder.CreateOr(one, two, "choice", /*IsDisjoint=*/true);
    inst.replaceAllUsesWith(builder.CreateAdd(rest, choice));
    inst.eraseFromParent();
    changed = true;
  }
  return keepingBranches(changed);
}

} // namespace xcc::gpu
