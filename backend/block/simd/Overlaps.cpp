// Run-time checks whether accesses overlap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Overlaps.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace xcc::block::simd {

/// The address of \p access if no index wraps. If one does, no thread runs in
/// vectors.
static const SCEV *addressOf(Instruction &access, const Loop &l,
                             const Shapes &shapes, ScalarEvolution &se) {
  const SCEV *at = se.getSCEV(getLoadStorePointerOperand(&access));
  for (const SCEVPredicate *p : shapes.assumptions())
    at = se.rewriteUsingPredicate(at, &l, *p);
  return at;
}

static std::optional<AddressRange> rangeOf(const SCEV *at, Type *type,
                                           const Loop &l, ScalarEvolution &se) {
  const SCEV *size =
      se.getStoreSizeOfExpr(se.getEffectiveSCEVType(at->getType()), type);
  if (se.isLoopInvariant(at, &l))
    return AddressRange{at, se.getAddExpr(at, size)};
  const auto *steps = dyn_cast<SCEVAddRecExpr>(at);
  if (!steps || steps->getLoop() != &l || !steps->isAffine())
    return std::nullopt;
  const SCEV *first = steps->getStart(),
             *last =
                 steps->evaluateAtIteration(se.getBackedgeTakenCount(&l), se);
  const SCEV *step = steps->getStepRecurrence(se);
  if (se.isKnownNegative(step))
    std::swap(first, last);
  else if (!se.isKnownPositive(step))
    return std::nullopt;
  return AddressRange{first, se.getAddExpr(last, size)};
}

std::optional<Overlap> overlapOf(Instruction &one, Instruction &other,
                                 const Loop &l, const Shapes &shapes,
                                 ScalarEvolution &se) {
  const SCEV *at = addressOf(one, l, shapes, se),
             *otherAt = addressOf(other, l, shapes, se);
  if (se.getPointerBase(at) == se.getPointerBase(otherAt))
    return std::nullopt;
  auto reach = rangeOf(at, getLoadStoreType(&one), l, se);
  auto otherRange = rangeOf(otherAt, getLoadStoreType(&other), l, se);
  if (!reach || !otherRange)
    return std::nullopt;
  return Overlap{*reach, *otherRange};
}

Value *expand(const Overlap &overlap, SCEVExpander &expander,
              Instruction *place) {
  auto at = [&](const SCEV *address) {
    return expander.expandCodeFor(address, address->getType(), place);
  };
  Value *begin = at(overlap.one.begin), *end = at(overlap.one.end),
        *otherBegin = at(overlap.other.begin),
        *otherEnd = at(overlap.other.end);
  IRBuilder<> b(place);
  return b.CreateFreeze(b.CreateAnd(b.CreateICmpULT(begin, otherEnd),
                                    b.CreateICmpULT(otherBegin, end)));
}

} // namespace xcc::block::simd
