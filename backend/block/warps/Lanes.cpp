// Threads as lanes of their warps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lanes.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

#include "xcc/abi.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

static constexpr unsigned Lanes = XCC_CPU_WARP_SIZE, LaneBits = 5;
static_assert(1u << LaneBits == Lanes);

namespace {

/// A number as the sum of what all lanes have and of what a lane adds, which does
/// not carry: it is in the low bits.
struct Split {
  Value *base = nullptr; ///< a multiple of 2^bits; null: it is no such number
  unsigned bits = 0;
  bool addsLane = false; ///< a lane adds its own number

  explicit operator bool() const { return base != nullptr; }
};

/// Finds such numbers, and what of them does not depend on the lane.
class LaneDecomposer {
public:
  explicit LaneDecomposer(Function &kernel) : kernel(kernel) {}

  void run();

private:
  void replaceQueries();
  Split splitOf(Value *v);
  Split compute(Instruction &i);
  /// Whether \p v is a multiple of 2^bits.
  bool isMultiple(const Value *v, unsigned bits, unsigned depth = 0) const;
  bool isNonNegative(const Value *v, unsigned depth = 0) const;
  /// \p i computed from the base alone or from the lane alone; null if neither
  /// is possible.
  Value *simplified(Instruction &i);
  Value *simplifiedCompare(ICmpInst &compare);
  Value *groupOf(IRBuilderBase &b, Value *x, uint64_t shift, bool isSigned);

  Function &kernel;
  Value *lane = nullptr;
  DenseMap<Value *, Split> splits;
};

} // namespace

static Value *resized(IRBuilderBase &b, Value *lane, Type *t) {
  return b.CreateZExtOrTrunc(lane, t);
}

void LaneDecomposer::replaceQueries() {
  SmallVector<Instruction *, 8> ofThread, linear;
  for (Instruction &i : instructions(kernel)) {
    Intrinsic in = intrinsicCalledBy(i);
    if (in.kind == IntrinsicKind::ThreadIdx && in.dim == 0)
      ofThread.push_back(&i);
    else if (in.kind == IntrinsicKind::LinearThread)
      linear.push_back(&i);
  }
  BasicBlock &entry = kernel.getEntryBlock();
  IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  FunctionCallee ask =
      kernel.getParent()->getOrInsertFunction("__xcc_lane", b.getInt32Ty());
  setIntrinsicAttributes(*kernel.getParent());
  lane = b.CreateCall(ask, {}, "lane");
  for (ArrayRef<Instruction *> queries :
       {ArrayRef(ofThread), ArrayRef(linear)}) {
    if (queries.empty())
      continue;
    auto *call = cast<CallInst>(queries.front());
    CallInst *warp = b.CreateCall(call->getCalledFunction(), {}, "warp");
    if (intrinsicCalledBy(*call).kind == IntrinsicKind::ThreadIdx)
      warp->addRangeRetAttr(
          ConstantRange(APInt(32, 0), APInt(32, XCC_CPU_MAX_BLOCK / Lanes)));
    Value *first = b.CreateShl(warp, LaneBits, "warp.first", /*HasNUW=*/true,
                               /*HasNSW=*/true);
    Value *thread =
        b.CreateAdd(first, lane, "", /*HasNUW=*/true, /*HasNSW=*/true);
    splits[thread] = {first, LaneBits, /*addsLane=*/true};
    for (Instruction *query : queries)
      query->replaceAllUsesWith(thread);
  }
  for (ArrayRef<Instruction *> queries : {ArrayRef(ofThread), ArrayRef(linear)})
    for (Instruction *query : queries)
      query->eraseFromParent();
}

void releaseLanes(Function &kernel, Value *lanes) {
  SmallVector<Instruction *, 8> barriers;
  for (Instruction &i : instructions(kernel))
    if (intrinsicCalledBy(i).kind == IntrinsicKind::WarpBarrier &&
        !i.use_empty())
      barriers.push_back(&i);
  if (barriers.empty())
    return;
  if (!lanes)
    lanes = ConstantInt::getAllOnesValue(barriers[0]->getType());
  for (Instruction *barrier : barriers)
    for (User *user : make_early_inc_range(barrier->users())) {
      auto *i = cast<Instruction>(user);
      i->replaceUsesOfWith(barrier, lanes);
      SmallVector<Instruction *, 8> work = {i};
      while (!work.empty()) {
        Instruction *next = work.pop_back_val();
        Value *known = simplifyInstruction(
            next, SimplifyQuery(kernel.getDataLayout(), next));
        if (!known || known == next)
          continue;
        for (User *u : next->users())
          if (!is_contained(work, u))
            work.push_back(cast<Instruction>(u));
        next->replaceAllUsesWith(known);
      }
    }
  for (BasicBlock &bb : kernel)
    ConstantFoldTerminator(&bb, /*DeleteDeadConditions=*/true);
  removeUnreachableBlocks(kernel);
}

bool LaneDecomposer::isMultiple(const Value *v, unsigned bits,
                                unsigned depth) const {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return c->getValue().countr_zero() >= bits;
  auto *i = dyn_cast<Instruction>(v);
  if (!i || depth > 8)
    return false;
  Intrinsic in = intrinsicCalledBy(*i);
  if (in.kind == IntrinsicKind::BlockDim && in.dim == 0)
    return bits <= LaneBits;
  auto of = [&](unsigned n) {
    return isMultiple(i->getOperand(n), bits, depth + 1);
  };
  switch (i->getOpcode()) {
  case Instruction::Mul:
  case Instruction::And:
    return of(0) || of(1);
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
    return of(0) && of(1);
  case Instruction::Select:
    return of(1) && of(2);
  case Instruction::Shl: {
    auto *by = dyn_cast<ConstantInt>(i->getOperand(1));
    return by && by->getValue().ult(bits)
               ? isMultiple(i->getOperand(0), bits - by->getZExtValue(),
                            depth + 1)
               : by || of(0);
  }
  case Instruction::ZExt:
  case Instruction::SExt:
    return of(0);
  case Instruction::Trunc:
    return i->getType()->getScalarSizeInBits() > bits && of(0);
  default:
    return false;
  }
}

bool LaneDecomposer::isNonNegative(const Value *v, unsigned depth) const {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return !c->isNegative();
  auto *i = dyn_cast<Instruction>(v);
  if (!i || depth > 8)
    return false;
  switch (intrinsicCalledBy(*i).kind) {
  case IntrinsicKind::ThreadIdx:
  case IntrinsicKind::LinearThread:
  case IntrinsicKind::Lane:
  case IntrinsicKind::BlockDim:
  case IntrinsicKind::BlockIdx: // there are fewer than 2^31
    return true;
  default:
    break;
  }
  auto of = [&](unsigned n) {
    return isNonNegative(i->getOperand(n), depth + 1);
  };
  switch (i->getOpcode()) {
  case Instruction::Mul:
  case Instruction::Add:
  case Instruction::Shl:
    return i->hasNoSignedWrap() && of(0) &&
           (i->getOpcode() == Instruction::Shl || of(1));
  case Instruction::ZExt:
    return true;
  case Instruction::SExt:
    return of(0);
  case Instruction::Trunc:
    return cast<TruncInst>(i)->hasNoSignedWrap() && of(0);
  case Instruction::And:
    return of(0) || of(1);
  case Instruction::LShr: {
    auto *by = dyn_cast<ConstantInt>(i->getOperand(1));
    return by && !by->isZero();
  }
  default:
    return false;
  }
}

Split LaneDecomposer::compute(Instruction &i) {
  IRBuilder<> b(&i);
  const unsigned width = i.getType()->getIntegerBitWidth();
  auto copied = [&](Value *x, Value *y) -> Value * {
    Instruction *copy = i.clone();
    copy->setOperand(0, x);
    if (y)
      copy->setOperand(1, y);
    return b.Insert(copy);
  };
  auto *by = i.getNumOperands() == 2 ? dyn_cast<ConstantInt>(i.getOperand(1))
                                     : nullptr;
  switch (i.getOpcode()) {
  case Instruction::Add:
  case Instruction::Or: // a multiple has nothing where the lane is
    for (unsigned n = 0; n != 2; ++n)
      if (Split s = splitOf(i.getOperand(n));
          s && isMultiple(i.getOperand(1 - n), s.bits))
        return {copied(s.base, i.getOperand(1 - n)), s.bits, s.addsLane};
    return {};
  case Instruction::Sub: {
    Split s = splitOf(i.getOperand(0));
    if (!s || !isMultiple(i.getOperand(1), s.bits))
      return {};
    return {copied(s.base, i.getOperand(1)), s.bits, s.addsLane};
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc: {
    Split s = splitOf(i.getOperand(0));
    if (!s || width <= s.bits)
      return {};
    return {copied(s.base, nullptr), s.bits, s.addsLane};
  }
  case Instruction::Shl: {
    Split s = by ? splitOf(i.getOperand(0)) : Split();
    if (!s || by->getValue().uge(width - s.bits))
      return {};
    return {copied(s.base, by), s.bits + unsigned(by->getZExtValue()), false};
  }
  case Instruction::LShr:
  case Instruction::AShr: {
    // What a lane adds goes with the bits; shifts by more are `simplified`.
    Split s = by ? splitOf(i.getOperand(0)) : Split();
    if (!s || by->getValue().uge(s.bits))
      return {};
    return {b.CreateBinOp(Instruction::BinaryOps(i.getOpcode()), s.base, by),
            s.bits - unsigned(by->getZExtValue()), false};
  }
  case Instruction::And: {
    Split s = by ? splitOf(i.getOperand(0)) : Split();
    if (!s)
      return {};
    return {b.CreateAnd(s.base, by), s.bits,
            s.addsLane && by->getValue().countr_one() >= s.bits};
  }
  case Instruction::SRem:
  case Instruction::URem: {
    Split s = by ? splitOf(i.getOperand(0)) : Split();
    if (!s || by->isZero() || by->isNegative() || !isMultiple(by, s.bits) ||
        (i.getOpcode() == Instruction::SRem && !isNonNegative(i.getOperand(0))))
      return {};
    return {b.CreateURem(s.base, by), s.bits, s.addsLane};
  }
  default:
    return {};
  }
}

Split LaneDecomposer::splitOf(Value *v) {
  auto known = splits.find(v);
  if (known != splits.end())
    return known->second;
  auto *i = dyn_cast<Instruction>(v);
  Split split = i && i->getType()->isIntegerTy() ? compute(*i) : Split();
  splits[v] = split;
  return split;
}

Value *LaneDecomposer::simplifiedCompare(ICmpInst &compare) {
  Value *x = compare.getOperand(0), *y = compare.getOperand(1);
  CmpInst::Predicate p = compare.getPredicate();
  if (!x->getType()->isIntegerTy() || compare.isEquality())
    return nullptr;
  if (isa<ConstantInt>(x) || splitOf(y)) {
    std::swap(x, y);
    p = CmpInst::getSwappedPredicate(p);
  }
  IRBuilder<> b(&compare);
  // "Greater than 31" is "not less than 32".
  if (ICmpInst::isLE(p) || ICmpInst::isGT(p)) {
    auto *c = dyn_cast<ConstantInt>(y);
    if (!c || c->isMaxValue(CmpInst::isSigned(p)))
      return nullptr;
    y = b.getInt(c->getValue() + 1);
    p = CmpInst::getFlippedStrictnessPredicate(p);
  }
  // x / 32 == 0 of a number that could be negative: x + 31 is less than 63.
  Value *shifted;
  const APInt *by, *limit;
  if (CmpInst::isUnsigned(p) &&
      match(x, m_Add(m_Value(shifted), m_APInt(by))) &&
      match(y, m_APInt(limit)) && by->isNonNegative() && limit->ugt(*by) &&
      isNonNegative(shifted)) {
    x = shifted;
    y = b.getInt(*limit - *by);
  }
  // On either side of a multiple, all lanes are.
  Split s = splitOf(x);
  return s && isMultiple(y, s.bits) ? b.CreateICmp(p, s.base, y) : nullptr;
}

/// \p x divided by 2^shift, fewer than a warp has lanes: what the warp's is, and
/// which group of lanes it is. Null if \p x is no such number.
Value *LaneDecomposer::groupOf(IRBuilderBase &b, Value *x, uint64_t shift,
                               bool isSigned) {
  Split s = splitOf(x);
  if (!s.addsLane || shift >= LaneBits)
    return nullptr;
  Value *first =
      isSigned ? b.CreateAShr(s.base, shift) : b.CreateLShr(s.base, shift);
  // Bits of their own: nothing is carried.
  Value *group =
      b.CreateAdd(first, resized(b, b.CreateLShr(lane, shift), x->getType()),
                  "group", /*HasNUW=*/true, /*HasNSW=*/true);
  splits[group] = {first, LaneBits - unsigned(shift), /*addsLane=*/false};
  return group;
}

Value *LaneDecomposer::simplified(Instruction &i) {
  if (auto *compare = dyn_cast<ICmpInst>(&i))
    return simplifiedCompare(*compare);
  if (!i.getType()->isIntegerTy() || i.getNumOperands() != 2)
    return nullptr;
  auto *c = dyn_cast<ConstantInt>(i.getOperand(1));
  if (!c || i.getType()->getIntegerBitWidth() <= LaneBits)
    return nullptr;
  IRBuilder<> b(&i);
  Value *x = i.getOperand(0);
  const bool isSigned =
      i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
  switch (i.getOpcode()) {
  case Instruction::LShr:
  case Instruction::AShr:
    if (Split s = splitOf(x); s && c->getValue().uge(s.bits))
      return b.CreateBinOp(Instruction::BinaryOps(i.getOpcode()), s.base, c);
    return c->getValue().ult(LaneBits)
               ? groupOf(b, x, c->getZExtValue(),
                         i.getOpcode() == Instruction::AShr)
               : nullptr;
  case Instruction::SDiv:
  case Instruction::UDiv:
    if (Split s = splitOf(x); s && !c->isZero() && !c->isNegative() &&
                              isMultiple(c, s.bits) &&
                              (!isSigned || isNonNegative(x)))
      return b.CreateUDiv(s.base, c);
    if (c->getValue().isPowerOf2() && (!isSigned || isNonNegative(x)))
      return groupOf(b, x, c->getValue().logBase2(), /*isSigned=*/false);
    return nullptr;
  case Instruction::SRem:
  case Instruction::URem:
    if (c->getValue() == Lanes && splitOf(x).addsLane &&
        (!isSigned || isNonNegative(x)))
      return resized(b, lane, i.getType());
    return nullptr;
  case Instruction::And: {
    Split s = splitOf(x);
    if (s.addsLane && c->getValue().ult(Lanes)) {
      Value *own = resized(b, lane, i.getType());
      return c->getValue() == Lanes - 1 ? own : b.CreateAnd(own, c);
    }
    if (!s || !isMultiple(c, s.bits))
      return nullptr;
    // LLVM leaves bits out of a mask that a thread's index never has.
    if (KnownBits known = computeKnownBits(s.base, kernel.getDataLayout());
        (~known.Zero).isSubsetOf(c->getValue()))
      return s.base;
    return b.CreateAnd(s.base, c);
  }
  default:
    return nullptr;
  }
}

void LaneDecomposer::run() {
  replaceQueries();
  SmallVector<WeakTrackingVH, 16> old;
  ReversePostOrderTraversal<Function *> order(&kernel);
  for (BasicBlock *bb : order)
    for (Instruction &i : make_early_inc_range(*bb))
      if (Value *v = simplified(i)) {
        i.replaceAllUsesWith(v);
        splits.erase(&i);
        old.push_back(&i);
      }
  for (WeakTrackingVH &i : old)
    if (i)
      RecursivelyDeleteTriviallyDeadInstructions(i);
}

void splitIntoLanes(Function &kernel) { LaneDecomposer(kernel).run(); }

} // namespace xcc::block
