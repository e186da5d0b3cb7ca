// Array indices made of a quotient and a remainder
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FlatIndices.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// The most nested address computations, and the most sums in an index, that
/// are followed.
static constexpr unsigned MostDepth = 4;

namespace {

/// An index, split into a base and a constant; extended with or without sign.
struct Index {
  Value *base;
  bool isSigned;
  APInt constant = APInt(64, 0);
};

/// An address, in bytes: `object` plus each index times its size plus
/// `constant`.
struct Address {
  Value *object;
  SmallMapVector<Value *, APInt, 4> indices; ///< with their sizes
  APInt constant = APInt(64, 0);
  bool inBounds = true;
};

/// Two indices of an address that are the quotient and the remainder of one.
struct Pair {
  Value *quotient, *remainder;
  Index whole; ///< the divided index, and the bytes to add
};

} // namespace

static Index indexOf(Value *v) {
  Value *narrow;
  Index i = {v, true};
  if (match(v, m_SExt(m_Value(narrow))) ||
      match(v, m_NNegZExt(m_Value(narrow))))
    i.base = narrow;
  else if (match(v, m_ZExt(m_Value(narrow))))
    i = {narrow, false};
  for (unsigned depth = 0; depth != MostDepth; ++depth) {
    Value *x;
    const APInt *by;
    auto *sum = dyn_cast<BinaryOperator>(i.base);
    if (!sum || !match(sum, m_Add(m_Value(x), m_APInt(by))) ||
        by->getBitWidth() > 64 ||
        !(i.isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap()))
      break;
    i.base = x;
    i.constant += i.isSigned ? by->sextOrTrunc(64) : by->zextOrTrunc(64);
  }
  return i;
}

/// \returns false if the address has another form.
static bool read(GetElementPtrInst &gep, Address &a) {
  const DataLayout &dl = gep.getDataLayout();
  Value *at = &gep;
  for (unsigned depth = 0; depth != MostDepth; ++depth) {
    auto *part = dyn_cast<GEPOperator>(at);
    if (!part)
      break;
    if (!part->collectOffset(dl, 64, a.indices, a.constant))
      return false;
    a.inBounds &= part->isInBounds();
    at = part->getPointerOperand();
  }
  a.object = at;
  return true;
}

/// Whether \p q and \p r, with the sizes \p row and \p element, are the
/// quotient and the remainder of one index.
static std::optional<Pair> pairOf(Value *q, const APInt &row, Value *r,
                                  const APInt &element) {
  Index quotient = indexOf(q), remainder = indexOf(r);
  Value *x;
  const APInt *by;
  bool isSigned = match(quotient.base, m_SDiv(m_Value(x), m_APInt(by)));
  if (!isSigned && !match(quotient.base, m_UDiv(m_Value(x), m_APInt(by))))
    return std::nullopt;
  if (isSigned
          ? !match(remainder.base, m_SRem(m_Specific(x), m_SpecificInt(*by)))
          : !match(remainder.base, m_URem(m_Specific(x), m_SpecificInt(*by))))
    return std::nullopt;
  // An unsigned quotient is below half its type's range, so both extensions
  // agree.
  if (by->getBitWidth() > 64 || by->ule(1) || by->isNegative() ||
      (isSigned && !(quotient.isSigned && remainder.isSigned)) ||
      row != element * by->zextOrTrunc(64))
    return std::nullopt;
  Pair p = {q, r, {x, isSigned}};
  p.whole.constant = quotient.constant * row + remainder.constant * element;
  return p;
}

static std::optional<Pair> pairIn(const Address &a) {
  for (auto &[q, row] : a.indices)
    for (auto &[r, element] : a.indices)
      if (q != r)
        if (std::optional<Pair> p = pairOf(q, row, r, element))
          return p;
  return std::nullopt;
}

/// Computes the same address as \p gep with one index for two.
static Value *joined(GetElementPtrInst &gep, const Address &a, const Pair &p) {
  IRBuilder<> b(&gep);
  Value *bytes = nullptr;
  auto add = [&](Value *index, const APInt &size) {
    Value *part = b.CreateMul(index, b.getInt(size));
    bytes = bytes ? b.CreateAdd(bytes, part) : part;
  };
  for (auto &[index, size] : a.indices)
    if (index != p.quotient && index != p.remainder)
      add(b.CreateSExtOrTrunc(index, b.getInt64Ty()), size);
  Value *whole = p.whole.base;
  add(p.whole.isSigned ? b.CreateSExt(whole, b.getInt64Ty())
                       : b.CreateZExt(whole, b.getInt64Ty()),
      a.indices.lookup(p.remainder));
  APInt constant = a.constant + p.whole.constant;
  if (!constant.isZero())
    bytes = b.CreateAdd(bytes, b.getInt(constant));
  return b.CreatePtrAdd(a.object, bytes, "",
                        a.inBounds ? GEPNoWrapFlags::inBounds()
                                   : GEPNoWrapFlags::none());
}

PreservedAnalyses JoinIndicesPass::run(Function &f, FunctionAnalysisManager &) {
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction &i : make_early_inc_range(instructions(f))) {
    auto *gep = dyn_cast<GetElementPtrInst>(&i);
    if (!gep || gep->getType()->isVectorTy() || gep->hasAllConstantIndices())
      continue;
    Address a;
    if (!read(*gep, a) || a.indices.size() < 2)
      continue;
    if (std::optional<Pair> p = pairIn(a)) {
      Value *v = joined(*gep, a, *p);
      v->takeName(gep);
      gep->replaceAllUsesWith(v);
      replaced.push_back(gep);
    }
  }
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
  if (replaced.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace xcc::block
