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

/// Finds the numbers that are a multiple of 32, which all lanes have, and the
/// lane: no sum of the two carries, so the lane is in the low bits.
class Splitter {
public:
  explicit Splitter(Function &kernel) : kernel(kernel) {}

  void run();

private:
  void replaceQueries();
  /// That multiple; null where \p v is no such number.
  Value *baseOf(Value *v);
  Value *computeBase(Instruction &i);
  bool isMultiple(const Value *v, unsigned depth = 0) const;
  bool isNonNegative(const Value *v, unsigned depth = 0) const;
  /// What \p i is for all lanes, or by the lane alone; null: neither is known.
  Value *simplified(Instruction &i);
  Value *simplifiedCompare(ICmpInst &compare);

  Function &kernel;
  Value *lane = nullptr;
  DenseMap<Value *, Value *> bases;
};

} // namespace

/// What a lane is of numbers of another size.
static Value *resized(IRBuilderBase &b, Value *lane, Type *t) {
  return b.CreateZExtOrTrunc(lane, t);
}

void Splitter::replaceQueries() {
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
    bases[thread] = first;
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

bool Splitter::isMultiple(const Value *v, unsigned depth) const {
  if (auto *c = dyn_cast<ConstantInt>(v))
    return c->getValue().countr_zero() >= LaneBits;
  auto *i = dyn_cast<Instruction>(v);
  if (!i || depth > 8)
    return false;
  Intrinsic in = intrinsicCalledBy(*i);
  if (in.kind == IntrinsicKind::BlockDim && in.dim == 0)
    return true;
  auto of = [&](unsigned n) { return isMultiple(i->getOperand(n), depth + 1); };
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
    return of(0) || (by && by->getValue().uge(LaneBits));
  }
  case Instruction::ZExt:
  case Instruction::SExt:
    return of(0);
  case Instruction::Trunc:
    return i->getType()->getScalarSizeInBits() > LaneBits && of(0);
  default:
    return false;
  }
}

bool Splitter::isNonNegative(const Value *v, unsigned depth) const {
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

Value *Splitter::computeBase(Instruction &i) {
  IRBuilder<> b(&i);
  auto pair = [&]() -> std::pair<Value *, Value *> {
    for (unsigned n = 0; n != 2; ++n)
      if (isMultiple(i.getOperand(1 - n)))
        if (Value *base = baseOf(i.getOperand(n)))
          return {base, i.getOperand(1 - n)};
    return {};
  };
  auto copied = [&](Value *x, Value *y) -> Value * {
    Instruction *copy = i.clone();
    copy->setOperand(0, x);
    if (y)
      copy->setOperand(1, y);
    return b.Insert(copy);
  };
  switch (i.getOpcode()) {
  case Instruction::Add: {
    auto [base, other] = pair();
    return base ? copied(base, other) : nullptr;
  }
  case Instruction::Or: {
    // A multiple has nothing where the lane is.
    auto [base, other] = pair();
    return base ? copied(base, other) : nullptr;
  }
  case Instruction::Sub: {
    Value *base =
        isMultiple(i.getOperand(1)) ? baseOf(i.getOperand(0)) : nullptr;
    return base ? copied(base, i.getOperand(1)) : nullptr;
  }
  case Instruction::ZExt:
  case Instruction::SExt: {
    Value *base = baseOf(i.getOperand(0));
    return base ? copied(base, nullptr) : nullptr;
  }
  case Instruction::Trunc: {
    Value *base = i.getType()->getScalarSizeInBits() > LaneBits
                      ? baseOf(i.getOperand(0))
                      : nullptr;
    return base ? copied(base, nullptr) : nullptr;
  }
  case Instruction::And: {
    auto *mask = dyn_cast<ConstantInt>(i.getOperand(1));
    if (!mask || mask->getValue().countr_one() < LaneBits)
      return nullptr;
    Value *base = baseOf(i.getOperand(0));
    return base ? copied(base, mask) : nullptr;
  }
  case Instruction::SRem:
  case Instruction::URem: {
    auto *by = dyn_cast<ConstantInt>(i.getOperand(1));
    if (!by || by->isZero() || by->isNegative() || !isMultiple(by) ||
        (i.getOpcode() == Instruction::SRem && !isNonNegative(i.getOperand(0))))
      return nullptr;
    Value *base = baseOf(i.getOperand(0));
    return base ? b.CreateURem(base, by) : nullptr;
  }
  default:
    return nullptr;
  }
}

Value *Splitter::baseOf(Value *v) {
  auto known = bases.find(v);
  if (known != bases.end())
    return known->second;
  auto *i = dyn_cast<Instruction>(v);
  Value *base = i && i->getType()->isIntegerTy() ? computeBase(*i) : nullptr;
  bases[v] = base;
  return base;
}

Value *Splitter::simplifiedCompare(ICmpInst &compare) {
  Value *x = compare.getOperand(0), *y = compare.getOperand(1);
  CmpInst::Predicate p = compare.getPredicate();
  if (!x->getType()->isIntegerTy() || compare.isEquality())
    return nullptr;
  if (!baseOf(x)) {
    std::swap(x, y);
    p = CmpInst::getSwappedPredicate(p);
  }
  Value *base = baseOf(x);
  if (!base)
    return nullptr;
  // Beside a multiple, all lanes are on one side.
  bool strictlyBelow = p == CmpInst::ICMP_ULT || p == CmpInst::ICMP_SLT ||
                       p == CmpInst::ICMP_UGE || p == CmpInst::ICMP_SGE;
  IRBuilder<> b(&compare);
  if (strictlyBelow && isMultiple(y))
    return b.CreateICmp(p, base, y);
  auto *c = dyn_cast<ConstantInt>(y);
  if (!strictlyBelow && c && c->getValue().countr_one() >= LaneBits)
    return b.CreateICmp(p, base, c);
  return nullptr;
}

Value *Splitter::simplified(Instruction &i) {
  if (auto *compare = dyn_cast<ICmpInst>(&i))
    return simplifiedCompare(*compare);
  if (!i.getType()->isIntegerTy() || i.getNumOperands() != 2)
    return nullptr;
  auto *c = dyn_cast<ConstantInt>(i.getOperand(1));
  if (!c || i.getType()->getIntegerBitWidth() <= LaneBits)
    return nullptr;
  IRBuilder<> b(&i);
  Value *x = i.getOperand(0);
  auto base = [&] { return baseOf(x); };
  switch (i.getOpcode()) {
  case Instruction::LShr:
  case Instruction::AShr:
    if (c->getValue().ult(LaneBits) || !base())
      return nullptr;
    return b.CreateBinOp(Instruction::BinaryOps(i.getOpcode()), base(), c);
  case Instruction::SDiv:
  case Instruction::UDiv:
    if (c->isZero() || c->isNegative() || !isMultiple(c) ||
        (i.getOpcode() == Instruction::SDiv && !isNonNegative(x)) || !base())
      return nullptr;
    return b.CreateUDiv(base(), c);
  case Instruction::SRem:
  case Instruction::URem:
    if (c->getValue() != Lanes ||
        (i.getOpcode() == Instruction::SRem && !isNonNegative(x)) || !base())
      return nullptr;
    return resized(b, lane, i.getType());
  case Instruction::And:
    if (c->getValue().ult(Lanes) && base()) {
      Value *own = resized(b, lane, i.getType());
      return c->getValue() == Lanes - 1 ? own : b.CreateAnd(own, c);
    }
    if (!isMultiple(c) || !base())
      return nullptr;
    // LLVM leaves bits out of a mask that a thread's index never has.
    if (KnownBits known = computeKnownBits(base(), kernel.getDataLayout());
        (~known.Zero).isSubsetOf(c->getValue()))
      return base();
    return b.CreateAnd(base(), c);
  default:
    return nullptr;
  }
}

void Splitter::run() {
  replaceQueries();
  SmallVector<WeakTrackingVH, 16> old;
  ReversePostOrderTraversal<Function *> order(&kernel);
  for (BasicBlock *bb : order)
    for (Instruction &i : make_early_inc_range(*bb))
      if (Value *v = simplified(i)) {
        i.replaceAllUsesWith(v);
        bases.erase(&i);
        old.push_back(&i);
      }
  for (WeakTrackingVH &i : old)
    if (i)
      RecursivelyDeleteTriviallyDeadInstructions(i);
}

void splitIntoLanes(Function &kernel) { Splitter(kernel).run(); }

} // namespace xcc::block
