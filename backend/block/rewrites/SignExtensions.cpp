// Sign extensions written as shifts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SignExtensions.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// The depth to which sums in the upper half are followed.
static constexpr unsigned MostDepth = 4;

/// Whether the lower half of \p v is 0 and `upperHalf` can compute the rest.
static bool isInUpperHalf(Value *v, unsigned depth = MostDepth) {
  const APInt *constant;
  if (match(v, m_APInt(constant)))
    return constant->countr_zero() >= 32;
  if (match(v, m_Shl(m_Value(), m_SpecificInt(32))))
    return true;
  Value *x, *y;
  if (match(v, m_Add(m_Value(x), m_Value(y))) ||
      match(v, m_Sub(m_Value(x), m_Value(y))))
    return depth != 0 && isInUpperHalf(x, depth - 1) &&
           isInUpperHalf(y, depth - 1);
  return false;
}

static Value *upperHalf(IRBuilderBase &b, Value *v);

/// The sum or difference of the upper halves, which wraps where \p wide does.
static Value *upperHalf(IRBuilderBase &b,
                        const OverflowingBinaryOperator &wide) {
  Value *x = upperHalf(b, wide.getOperand(0)),
        *y = upperHalf(b, wide.getOperand(1));
  const bool nuw = wide.hasNoUnsignedWrap(), nsw = wide.hasNoSignedWrap();
  return wide.getOpcode() == Instruction::Add ? b.CreateAdd(x, y, "", nuw, nsw)
                                              : b.CreateSub(x, y, "", nuw, nsw);
}

/// The 32 bits in the upper half of \p v. A carry out of the 64 bits is a carry
/// out of these 32 and is lost in both forms.
static Value *upperHalf(IRBuilderBase &b, Value *v) {
  const APInt *constant;
  if (match(v, m_APInt(constant)))
    return b.getInt32(constant->extractBitsAsZExtValue(32, 32));
  Value *x, *y;
  if (match(v, m_Shl(m_Value(x), m_SpecificInt(32)))) {
    if (match(x, m_ZExtOrSExt(m_Value(y))) && y->getType()->isIntegerTy(32))
      return y;
    return b.CreateTrunc(x, b.getInt32Ty());
  }
  return upperHalf(b, *cast<OverflowingBinaryOperator>(v));
}

/// Whether \p i shifts a 64-bit number right as a signed number. LLVM uses an
/// unsigned shift if the number is known to be non-negative.
static bool isSignedShift(const Instruction &i) {
  if (!i.getType()->isIntegerTy(64))
    return false;
  if (i.getOpcode() == Instruction::LShr)
    return computeKnownBits(i.getOperand(0), i.getDataLayout()).isNonNegative();
  return i.getOpcode() == Instruction::AShr;
}

/// Whether \p v is a sum or product of signed numbers, which may be negative
/// although the result is not.
static bool isSigned(Value *v, unsigned depth = MostDepth) {
  auto *i = dyn_cast<OverflowingBinaryOperator>(v);
  if (!i || !i->hasNoSignedWrap() || depth == 0)
    return false;
  return !i->hasNoUnsignedWrap() || isSigned(i->getOperand(0), depth - 1) ||
         isSigned(i->getOperand(1), depth - 1);
}

/// Sign-extends sums of signed numbers that LLVM zero-extends, because only
/// then the extension of a sum is the sum of extensions.
static void signExtendSums(Function &kernel) {
  for (Instruction &i : make_early_inc_range(instructions(kernel))) {
    auto *extension = dyn_cast<ZExtInst>(&i);
    if (!extension || !extension->hasNonNeg() ||
        !isSigned(extension->getOperand(0)))
      continue;
    IRBuilder<> b(extension);
    Value *v = b.CreateSExt(extension->getOperand(0), extension->getType());
    v->takeName(extension);
    extension->replaceAllUsesWith(v);
    extension->eraseFromParent();
  }
}

void restoreSignExtensions(Function &kernel) {
  signExtendSums(kernel);
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction &i : make_early_inc_range(instructions(kernel))) {
    Value *shifted;
    const APInt *by;
    if (!isSignedShift(i) || !match(&i, m_Shr(m_Value(shifted), m_APInt(by))) ||
        by->ugt(32) || isa<Constant>(shifted) || !isInUpperHalf(shifted))
      continue;
    IRBuilder<> b(&i);
    Value *extended = b.CreateSExt(upperHalf(b, shifted), i.getType());
    uint64_t rest = 32 - by->getZExtValue();
    if (rest)
      extended = b.CreateShl(extended, rest, "", /*HasNUW=*/false,
                             /*HasNSW=*/true);
    if (auto *made = dyn_cast<Instruction>(extended))
      made->takeName(&i);
    i.replaceAllUsesWith(extended);
    replaced.push_back(&i);
  }
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
}

} // namespace xcc::block
