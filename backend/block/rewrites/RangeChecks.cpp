// Range checks as two comparisons
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RangeChecks.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// The most instructions between a comparison and the query of an index.
static constexpr unsigned MostDepth = 6;

static bool dependsOnThread(const Value *v, unsigned depth = MostDepth) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || depth == 0)
    return false;
  if (Intrinsic in = intrinsicCalledBy(*i))
    return in.kind == IntrinsicKind::ThreadIdx ||
           in.kind == IntrinsicKind::Lane;
  return isa<CastInst, BinaryOperator>(i) &&
         any_of(i->operand_values(), [&](const Value *op) {
           return dependsOnThread(op, depth - 1);
         });
}

/// The two comparisons that \p compare stands for; null if it is no range
/// check.
static Value *divided(ICmpInst &compare) {
  Value *x;
  const APInt *by, *bound;
  CmpPredicate p;
  if (!match(&compare,
             m_ICmp(p, m_Add(m_Value(x), m_APInt(by)), m_APInt(bound))) ||
      (p != CmpInst::ICMP_ULT && p != CmpInst::ICMP_UGT) || !dependsOnThread(x))
    return nullptr;
  const bool isInside = p == CmpInst::ICMP_ULT;
  APInt size = isInside ? *bound : *bound + 1, first = -*by;
  bool wraps;
  APInt end = first.uadd_ov(size, wraps);
  if (wraps || size.isZero() || first.isZero())
    return nullptr;
  IRBuilder<> b(&compare);
  Value *low = ConstantInt::get(x->getType(), first),
        *high = ConstantInt::get(x->getType(), end);
  return isInside
             ? b.CreateAnd(b.CreateICmpUGE(x, low), b.CreateICmpULT(x, high))
             : b.CreateOr(b.CreateICmpULT(x, low), b.CreateICmpUGE(x, high));
}

void divideRangeChecks(Function &kernel) {
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction &i : make_early_inc_range(instructions(kernel)))
    if (auto *compare = dyn_cast<ICmpInst>(&i))
      if (Value *both = divided(*compare)) {
        compare->replaceAllUsesWith(both);
        replaced.push_back(compare);
      }
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
}

} // namespace xcc::block
