// Tests of single bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's instruction selection turns (x & 8) != 0 into the lowest bit of x >>
// 3, which costs one more instruction. It does not change (x & 8) == 0. So this
// inverts the test if all its users can be inverted too.

#include "workarounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx {

/// If \p user is an exclusive or with \p test, returns its other operand,
/// provided that this is a comparison without other uses.
static CmpInst *partnerOf(User *user, const Value *test) {
  auto *exclusive = dyn_cast<BinaryOperator>(user);
  if (!exclusive || exclusive->getOpcode() != Instruction::Xor)
    return nullptr;
  auto *other = dyn_cast<CmpInst>(
      exclusive->getOperand(exclusive->getOperand(0) == test));
  return other && other != test && other->hasOneUse() ? other : nullptr;
}

void testBitsInPlace(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *test = dyn_cast<ICmpInst>(&instruction);
      if (!test || test->getPredicate() != CmpInst::ICMP_NE ||
          !match(test->getOperand(1), m_ZeroInt()) ||
          !match(test->getOperand(0), m_And(m_Value(), m_Power2())))
        continue;
      SmallVector<SelectInst *, 4> choices;
      SmallPtrSet<CmpInst *, 4> partners;
      bool turns = !test->use_empty();
      for (User *user : test->users()) {
        auto *choice = dyn_cast<SelectInst>(user);
        if (choice && choice->getTrueValue() != test &&
            choice->getFalseValue() != test)
          choices.push_back(choice);
        else if (CmpInst *partner = partnerOf(user, test))
          turns &= partners.insert(partner).second;
        else
          turns = false;
      }
      if (!turns)
        continue;
      test->setPredicate(CmpInst::ICMP_EQ);
      for (SelectInst *choice : choices) {
        choice->swapValues();
        choice->swapProfMetadata();
      }
      for (CmpInst *partner : partners)
        partner->setPredicate(partner->getInversePredicate());
    }
}

} // namespace xcc::nvptx
