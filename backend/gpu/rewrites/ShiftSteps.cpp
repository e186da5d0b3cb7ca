// Combines several steps of a shift register
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checksums, random numbers and products of polynomials take steps such as
//
//     next = (state >> 1) ^ (state & bit ? Polynomial : 0)
//
// and an unrolled loop has many of them in a row. Often only single bits of the
// state between two steps are used. If these are also bits of the next state,
// or were bits of the previous one, the state itself is not needed, and the two
// steps become one shift:
//
//     after = (state >> 2) ^ (one ? Polynomial >> 1 : 0)
//                          ^ (two ? Polynomial : 0)
//
// InstCombine does not do this: it has found each bit in the oldest state that
// has it, so each state in between is used.

#include "gpu/Passes.h"
#include "support/Preserved.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::gpu {
namespace {

/// A select between two constants.
struct Choice {
  SelectInst *select;
  APInt chosen[2];
};

/// state = (before shifted by count) ^ choice ^ choice...
struct Step {
  Instruction *state, *shift, *shiftUser;
  Value *before;
  bool left;
  unsigned count;
  SmallVector<Choice, 8> choices;

  unsigned width() const { return state->getType()->getIntegerBitWidth(); }

  /// Whether no choice changes this bit after the shift.
  bool isKept(unsigned bit) const {
    return none_of(choices, [&](const Choice &choice) {
      return choice.chosen[0][bit] || choice.chosen[1][bit];
    });
  }
  /// The number of this bit in `before`, if it is a shifted bit.
  std::optional<unsigned> bitBefore(unsigned bit) const {
    if ((left ? bit < count : bit + count >= width()) || !isKept(bit))
      return std::nullopt;
    return left ? bit - count : bit + count;
  }
  /// The number in the new state of this bit of `before`, if it is shifted in.
  std::optional<unsigned> bitAfter(unsigned bit) const {
    if (left ? bit + count >= width() : bit < count)
      return std::nullopt;
    unsigned after = left ? bit + count : bit - count;
    return isKept(after) ? std::optional(after) : std::nullopt;
  }
};

std::optional<Step> stepOf(Instruction &inst) {
  if (!inst.getType()->isIntegerTy())
    return std::nullopt;
  Step step;
  step.state = &inst;
  Value *last = &inst, *rest, *choice;
  const APInt *one, *two;
  while (last->hasOneUse() || last == &inst) {
    if (!match(last, m_c_Xor(m_Value(rest),
                             m_CombineAnd(m_Value(choice),
                                          m_Select(m_Value(), m_APInt(one),
                                                   m_APInt(two))))))
      break;
    step.choices.push_back({cast<SelectInst>(choice), {*one, *two}});
    step.shiftUser = cast<Instruction>(last);
    last = rest;
  }
  uint64_t count;
  if (step.choices.empty() ||
      !match(last,
             m_LogicalShift(m_Value(step.before), m_ConstantInt(count))) ||
      count == 0 || count >= step.width())
    return std::nullopt;
  step.shift = cast<Instruction>(last);
  step.left = step.shift->getOpcode() == Instruction::Shl;
  step.count = count;
  return step;
}

/// A comparison that tests one bit of a state.
struct Question {
  ICmpInst *compare;
  unsigned bit;
  bool ifSet;
};

/// Collects the bits that are tested of `value`, which is a state shifted by
/// `moved`. Returns false if it has another use than `except`.
bool addQuestions(Value *value, int moved, const Value *except,
                  SmallVectorImpl<Question> &questions) {
  int width = value->getType()->getIntegerBitWidth();
  auto add = [&](User *compare, int bit, bool ifSet) {
    questions.push_back(
        {cast<ICmpInst>(compare), unsigned(bit - moved), ifSet});
    return bit >= moved && bit - moved < width;
  };
  auto addUser = [&](User *user) {
    const APInt *mask;
    uint64_t count;
    if (match(user, m_And(m_Specific(value), m_Power2(mask))))
      return all_of(user->users(), [&](User *test) {
        CmpPredicate compared;
        return match(test, m_ICmp(compared, m_Specific(user), m_Zero())) &&
               ICmpInst::isEquality(compared) &&
               add(test, mask->logBase2(), compared == ICmpInst::ICMP_NE);
      });
    if (match(user,
              m_SpecificICmp(ICmpInst::ICMP_SLT, m_Specific(value), m_Zero())))
      return add(user, width - 1, true);
    if (match(user, m_SpecificICmp(ICmpInst::ICMP_SGT, m_Specific(value),
                                   m_AllOnes())))
      return add(user, width - 1, false);
    // Only shift further in the same direction: bits lost in the other would be
    // zero.
    if (moved >= 0 &&
        match(user, m_Shl(m_Specific(value), m_ConstantInt(count))))
      return addQuestions(user, moved + int(count), except, questions);
    if (moved <= 0 &&
        match(user, m_LShr(m_Specific(value), m_ConstantInt(count))))
      return addQuestions(user, moved - int(count), except, questions);
    return false;
  };
  return all_of(value->users(),
                [&](User *user) { return user == except || addUser(user); });
}

void ask(Question question, Value *state, unsigned bit) {
  IRBuilder<> builder(question.compare);
  Value *old = question.compare->getOperand(0);
  Value *masked = builder.CreateAnd(
      state, APInt::getOneBitSet(state->getType()->getIntegerBitWidth(), bit));
  question.compare->setPredicate(question.ifSet ? ICmpInst::ICMP_NE
                                                : ICmpInst::ICMP_EQ);
  question.compare->setOperand(0, masked);
  question.compare->setOperand(1, Constant::getNullValue(masked->getType()));
  RecursivelyDeleteTriviallyDeadInstructions(old);
}

/// Merges `next`, which follows `step`, into `step`, if each tested bit of the
/// state between them is also in the state before or after.
bool take(Step &step, const Step &next) {
  SmallVector<Question, 8> questions;
  if (step.left != next.left || step.count + next.count >= step.width() ||
      !all_of(step.choices,
              [](const Choice &each) { return each.select->hasOneUse(); }) ||
      !addQuestions(step.state, 0, next.shiftUser, questions))
    return false;
  SmallVector<std::pair<Value *, unsigned>, 8> answers;
  for (const Question &question : questions) {
    bool isLater = question.compare->getParent() == next.state->getParent() &&
                   next.state->comesBefore(question.compare);
    if (auto bit = next.bitAfter(question.bit); isLater && bit)
      answers.emplace_back(next.state, *bit);
    else if (auto bit = step.bitBefore(question.bit))
      answers.emplace_back(step.before, *bit);
    else
      return false;
  }
  for (auto [question, answer] : zip(questions, answers))
    ask(question, answer.first, answer.second);

  step.state = next.state;
  step.count += next.count;
  for (Choice &choice : step.choices)
    for (APInt &chosen : choice.chosen)
      chosen = next.left ? chosen.shl(next.count) : chosen.lshr(next.count);
  append_range(step.choices, next.choices);
  return true;
}

/// Generates the code of a merged step.
void write(const Step &step) {
  IRBuilder<> builder(step.state);
  Value *count = ConstantInt::get(step.state->getType(), step.count);
  Value *state = step.left ? builder.CreateShl(step.before, count)
                           : builder.CreateLShr(step.before, count);
  for (const Choice &choice : step.choices)
    state = builder.CreateXor(
        state, builder.CreateSelect(choice.select->getCondition(),
                                    builder.getInt(choice.chosen[0]),
                                    builder.getInt(choice.chosen[1])));
  step.state->replaceAllUsesWith(state);
}

} // namespace

PreservedAnalyses ShiftStepsPass::run(Function &function,
                                      FunctionAnalysisManager &) {
  SmallVector<WeakTrackingVH> replaced;
  for (BasicBlock &block : function) {
    std::optional<Step> step;
    bool taken = false;
    auto finish = [&] {
      if (taken)
        write(*step), replaced.push_back(step->state);
      step.reset();
      taken = false;
    };
    for (Instruction &inst : block) {
      auto next = stepOf(inst);
      if (!next)
        continue;
      if (step && next->before == step->state && take(*step, *next)) {
        taken = true;
        continue;
      }
      finish();
      // Merging may have changed the instruction.
      step = stepOf(inst);
    }
    finish();
  }
  if (replaced.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
  return keepingBranches(true);
}

} // namespace xcc::gpu
