// Indices that wrap around in a few bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To LLVM, (i + 3) % 32 is a 5-bit number that counts up. Addresses computed
// from it are consecutive if the number does not wrap, which the vectorizer
// checks before the loop. If the loop also needs such a check of a 32-bit
// number with the same step, LLVM 22 believes that one check implies the other
// (SCEVWrapPredicate::implies does not compare widths). It omits the check of
// the 5 bits, which would have failed, so lanes read past the end instead of
// wrapping around. Scalar evolution knows nothing of a frozen index, so its
// elements are gathered.

#include "Rounds.h"

#include "support/Preserved.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Only numbers of fewer bits are hidden.
static constexpr unsigned WholeBits = 32;

/// Whether \p i is a number of few bits in a wider type.
static bool wrapsInFewBits(const Instruction &i) {
  const APInt *mask;
  if (match(&i, m_And(m_Value(), m_APInt(mask))))
    return mask->isMask() && mask->countr_one() < WholeBits;
  if (isa<ZExtInst, SExtInst>(i)) {
    const unsigned bits = i.getOperand(0)->getType()->getScalarSizeInBits();
    return bits > 1 && bits < WholeBits;
  }
  return match(&i, m_URem(m_Value(), m_Power2()));
}

static bool leadsToAddress(const Value &v, unsigned depth = 0) {
  return depth < 8 &&
         any_of(
             v.users(),
             [&](const User *user) {
               if (isa<GetElementPtrInst>(user))
                 return true;
               return isa<BinaryOperator, CastInst, SelectInst>(user) &&
                      leadsToAddress(*user, depth + 1);
             });
}

PreservedAnalyses HideWrappingIndicesPass::run(Function &f,
                                               FunctionAnalysisManager &fam) {
  LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
  SmallVector<Instruction *> found;
  for (Instruction &i : instructions(f)) {
    const Loop *l = loops.getLoopFor(i.getParent());
    if (l && i.getType()->isIntegerTy() && wrapsInFewBits(i) &&
        !l->isLoopInvariant(i.getOperand(0)) && leadsToAddress(i))
      found.push_back(&i);
  }
  for (Instruction *i : found) {
    IRBuilder<> b(i->getNextNode());
    auto *frozen = cast<Instruction>(b.CreateFreeze(i));
    i->replaceUsesWithIf(frozen,
                         [&](const Use &u) { return u.getUser() != frozen; });
  }
  return keepingBranches(!found.empty());
}

} // namespace xcc::block
