// Indices that go round
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To LLVM, (i + 3) % 32 is a number of five bits that counts up, and an address
// made of it is one vector if it does not wrap, which the vectorizer has a test
// for, before the loop. Where the same loop needs such a test of a number of 32
// bits with the same step, LLVM 22 believes that the one says what the other
// does (SCEVWrapPredicate::implies compares no widths), and leaves out that of
// the five bits, which would have failed: lanes read beyond the end instead of
// going round. Frozen, the index is a value like any other: its elements are
// gathered.

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

/// Numbers of fewer bits are in question.
static constexpr unsigned WholeBits = 32;

/// Whether it is a number of few bits in a wider type.
static bool goesRound(const Instruction &i) {
  const APInt *mask;
  if (match(&i, m_And(m_Value(), m_APInt(mask))))
    return mask->isMask() && mask->countr_one() < WholeBits;
  if (isa<ZExtInst, SExtInst>(i)) {
    const unsigned bits = i.getOperand(0)->getType()->getScalarSizeInBits();
    return bits > 1 && bits < WholeBits;
  }
  return match(&i, m_URem(m_Value(), m_Power2()));
}

/// Whether an address is computed of it.
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

PreservedAnalyses HideRoundsPass::run(Function &f,
                                      FunctionAnalysisManager &fam) {
  LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
  SmallVector<Instruction *> found;
  for (Instruction &i : instructions(f)) {
    const Loop *l = loops.getLoopFor(i.getParent());
    if (l && i.getType()->isIntegerTy() && goesRound(i) &&
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
