// Global indices do not wrap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalIndices.h"
#include "block/Intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;

namespace xcc::block {

/// Calls \p fn with the operands of \p i in both orders until it returns true.
template <class FnT> static bool eitherOrder(const BinaryOperator &i, FnT fn) {
  return fn(i.getOperand(0), i.getOperand(1)) ||
         fn(i.getOperand(1), i.getOperand(0));
}

/// block_idx * block_dim in dimension \p dim.
static BinaryOperator *blockStart(Value *v, unsigned dim) {
  if (auto *z = dyn_cast<ZExtInst>(v))
    v = z->getOperand(0);
  auto *mul = dyn_cast<BinaryOperator>(v);
  if (!mul || mul->getOpcode() != Instruction::Mul)
    return nullptr;
  bool is = eitherOrder(*mul, [&](Value *x, Value *y) {
    Intrinsic idx = queryOf(x), size = queryOf(y);
    return idx.kind == IntrinsicKind::BlockIdx && idx.dim == dim &&
           size.kind == IntrinsicKind::BlockDim && size.dim == dim;
  });
  return is ? mul : nullptr;
}

/// The threads of the grid in one dimension: grid_dim * block_dim.
static bool isThreadCount(const BinaryOperator &mul) {
  return mul.getOpcode() == Instruction::Mul &&
         eitherOrder(mul, [](Value *x, Value *y) {
           Intrinsic grid = queryOf(x), block = queryOf(y);
           return grid.kind == IntrinsicKind::GridDim &&
                  block.kind == IntrinsicKind::BlockDim &&
                  grid.dim == block.dim;
         });
}

/// \p narrow is the 64-bit index \p wide truncated to an int. Comparisons and
/// extensions of \p narrow use \p wide instead, because the thread loops and
/// the vectorizer reason about its range.
static void useWide(BinaryOperator &wide, TruncInst &narrow) {
  narrow.setHasNoUnsignedWrap(true);
  narrow.setHasNoSignedWrap(true);
  for (Use &u : make_early_inc_range(narrow.uses())) {
    auto *i = cast<Instruction>(u.getUser());
    if (isa<SExtInst, ZExtInst>(i) && i->getType() == wide.getType()) {
      i->replaceAllUsesWith(&wide);
      i->eraseFromParent();
    } else if (auto *cmp = dyn_cast<ICmpInst>(i)) {
      IRBuilder<> b(cmp);
      Value *other = cmp->getOperand(1 - u.getOperandNo());
      Value *wideOther = cmp->isUnsigned()
                             ? b.CreateZExt(other, wide.getType())
                             : b.CreateSExt(other, wide.getType());
      Value *operands[] = {&wide, wideOther};
      bool swap = u.getOperandNo() == 1;
      Value *wideCmp =
          b.CreateICmp(cmp->getPredicate(), operands[swap], operands[1 - swap]);
      cmp->replaceAllUsesWith(wideCmp);
      cmp->eraseFromParent();
    }
  }
  if (narrow.use_empty())
    narrow.eraseFromParent();
}

/// Marks \p op, which fits into 31 bits, as not wrapping. Truncating it to an
/// int and extending it again changes nothing.
static void mark(BinaryOperator &op) {
  using namespace PatternMatch;
  op.setHasNoUnsignedWrap();
  op.setHasNoSignedWrap();
  if (!op.getType()->isIntegerTy(64))
    return;
  for (User *u : make_early_inc_range(op.users())) {
    const APInt *right;
    if (auto *narrow = dyn_cast<TruncInst>(u);
        narrow && narrow->getType()->isIntegerTy(32)) {
      useWide(op, *narrow);
    } else if (match(u, m_LShr(m_Specific(&op), m_ConstantInt()))) {
      for (User *part : u->users())
        if (auto *narrow = dyn_cast<TruncInst>(part);
            narrow && narrow->getType()->isIntegerTy(32)) {
          narrow->setHasNoUnsignedWrap(true);
          narrow->setHasNoSignedWrap(true);
        }
    } else if (match(u, m_Shl(m_Specific(&op), m_SpecificInt(32)))) {
      // Truncated and extended, maybe scaled too: (i << 32) >> 30 is i * 4.
      for (User *v : make_early_inc_range(u->users()))
        if (match(v, m_AShr(m_Specific(u), m_APInt(right))) && right->ule(32)) {
          auto *shift = cast<Instruction>(v);
          IRBuilder<> b(shift);
          uint64_t left = 32 - right->getZExtValue();
          shift->replaceAllUsesWith(left ? b.CreateShl(&op, left, "",
                                                       /*HasNUW=*/true,
                                                       /*HasNSW=*/true)
                                         : static_cast<Value *>(&op));
          shift->eraseFromParent();
        }
    }
  }
}

namespace {

/// block_idx * block_dim + thread_idx of one dimension, and maybe a constant,
/// such as the width of a border.
struct IndexSum {
  BinaryOperator *start = nullptr; ///< block_idx * block_dim
  BinaryOperator *inner = nullptr; ///< the sum of two, if there are three terms
  int64_t offset = 0;
};

} // namespace

/// Reads \p add as such an index. No index is above 2^31 - 2, so the constant
/// may be at most 1 or any negative number.
static std::optional<IndexSum> indexSum(BinaryOperator &add) {
  using namespace PatternMatch;
  IndexSum sum;
  SmallVector<Value *, 3> terms(add.operands());
  for (Value *&term : terms) {
    Value *x, *y;
    if (match(term, m_Add(m_Value(x), m_Value(y)))) {
      sum.inner = cast<BinaryOperator>(term);
      term = x;
      terms.push_back(y);
      break;
    }
  }
  std::optional<unsigned> dim;
  for (Value *term : terms)
    if (Intrinsic query = queryOf(term); query.kind == IntrinsicKind::ThreadIdx)
      dim = query.dim;
  if (!dim)
    return std::nullopt;
  bool hasOffset = false;
  for (Value *term : terms) {
    if (auto *constant = dyn_cast<ConstantInt>(term)) {
      hasOffset = true;
      sum.offset = constant->getSExtValue();
    } else if (queryOf(term).kind != IntrinsicKind::ThreadIdx) {
      sum.start = blockStart(term, *dim);
    }
  }
  bool isOne = sum.start && terms.size() == (hasOffset ? 3 : 2) &&
               sum.offset <= 1 && sum.offset > INT32_MIN;
  return isOne ? std::optional(sum) : std::nullopt;
}

/// Simplifies the number of threads of the grid as an int that is widened,
/// (block_dim << 32) * grid_dim >> 32, also if multiplied by a power of two.
static void simplifyWidenedCount(BinaryOperator &op) {
  using namespace PatternMatch;
  Value *x, *y, *product;
  const APInt *right;
  if (!op.getType()->isIntegerTy(64) ||
      !match(&op, m_AShr(m_Value(product), m_APInt(right))) || right->ugt(32) ||
      !match(product,
             m_c_Mul(m_Shl(m_Value(x), m_SpecificInt(32)), m_Value(y))))
    return;
  Intrinsic a = queryOf(x), b = queryOf(y);
  if (a.kind == IntrinsicKind::BlockDim)
    std::swap(a, b);
  if (a.kind != IntrinsicKind::GridDim || b.kind != IntrinsicKind::BlockDim ||
      a.dim != b.dim)
    return;
  IRBuilder<> build(&op);
  Value *count = build.CreateMul(x, y, "", /*HasNUW=*/true, /*HasNSW=*/true);
  if (uint64_t left = 32 - right->getZExtValue())
    count = build.CreateShl(count, left, "", /*HasNUW=*/true, /*HasNSW=*/true);
  op.replaceAllUsesWith(count);
}

void markGlobalIndices(Function &kernel) {
  for (Instruction &i : instructions(kernel))
    if (auto *op = dyn_cast<BinaryOperator>(&i))
      simplifyWidenedCount(*op);
  // Marking erases instructions that follow.
  SmallVector<BinaryOperator *> all;
  for (Instruction &i : instructions(kernel))
    if (auto *op = dyn_cast<BinaryOperator>(&i);
        op && (op->getOpcode() == Instruction::Add ||
               op->getOpcode() == Instruction::Mul))
      all.push_back(op);
  for (BinaryOperator *op : all) {
    if (isThreadCount(*op))
      mark(*op);
    if (op->getOpcode() != Instruction::Add)
      continue;
    std::optional<IndexSum> sum = indexSum(*op);
    if (!sum)
      continue;
    mark(*sum->start);
    for (BinaryOperator *part : {sum->inner, op}) {
      if (!part)
        continue;
      if (sum->offset >= 0)
        mark(*part);
      else
        part->setHasNoSignedWrap();
    }
  }
}

} // namespace xcc::block
