// Kernels as warp code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCode.h"
#include "Lanes.h"
#include "block/Intrinsics.h"
#include "block/loops/LoopKernel.h"
#include "block/loops/ThreadRange.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"
#include "block/rewrites/Interchange.h"
#include "block/rewrites/SharedAtomics.h"
#include "block/rewrites/StridedLoops.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

/// Makes the loops over lanes, after splitAtBarriers and hoistPrologue. False
/// if that is impossible.
static bool makeLoops(Function &kernel,
                      std::pair<Value *, Value *> lanes = {}) {
  SmallVector<BasicBlock *, 2> repeats = alignStridedLoops(kernel, Scope::Warp);
  auto uniform = std::make_unique<Uniformity>(kernel, Scope::Warp);
  if (divideInductions(kernel, *uniform))
    uniform = std::make_unique<Uniformity>(kernel, Scope::Warp);
  if (unrollInterchanged(kernel, *uniform, repeats))
    uniform = std::make_unique<Uniformity>(kernel, Scope::Warp);
  SmallVector<BasicBlock *, 4> decided(repeats.begin(), repeats.end());
  for (BasicBlock *latch : findInterchangeable(kernel, *uniform))
    if (!is_contained(decided, latch))
      decided.push_back(latch);
  std::string whyNot;
  std::optional<RegionPlan> plan =
      planRegions(kernel, *uniform, decided, repeats, whyNot);
  if (!plan || !removeWarpBarriers(kernel, *plan))
    return false;
  LiveAcross live = keepLiveAcross(kernel, *plan, *uniform);
  makeSharedAtomicsPlain(kernel, *uniform);
  buildLaneLoops(kernel, *plan, live, *uniform, lanes);
  return true;
}

static bool waitsForBlock(Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &i) {
    return intrinsicCalledBy(i).kind == IntrinsicKind::BlockBarrier;
  });
}

/// A bit for each lane in the range [\p low, \p high), which is not empty.
static Value *maskOf(IRBuilderBase &b, Value *low, Value *high) {
  Value *last = b.CreateSub(b.getInt32(XCC_CPU_WARP_SIZE), high);
  Value *above = b.CreateLShr(
      b.getInt32(-1), b.CreateAnd(last, b.getInt32(XCC_CPU_WARP_SIZE - 1)));
  Value *from = b.CreateShl(
      b.getInt32(-1), b.CreateAnd(low, b.getInt32(XCC_CPU_WARP_SIZE - 1)));
  return b.CreateAnd(above, from, "lanes");
}

/// Like makeLoops, for kernels whose lanes leave at the start. Makes two
/// versions of the code: for warps where all lanes stay, and for warps where
/// some do.
static bool makeLoopsInRange(Function &kernel) {
  std::unique_ptr<ThreadRange> range = ThreadRange::takeFrom(kernel);
  if (!range)
    return false;
  ValueToValueMapTy map;
  Function *whole = CloneFunction(&kernel, map);
  releaseLanes(*whole);
  BasicBlock &prologue = kernel.getEntryBlock();
  IRBuilder<> b(prologue.getTerminator());
  auto [low, high] = range->bounds(b, b.getInt32(XCC_CPU_WARP_SIZE));
  range->eraseTests();
  Value *count = b.CreateSub(high, low, "lanes.count");
  releaseLanes(kernel, maskOf(b, low, high));
  const bool made = makeLoops(*whole) && makeLoops(kernel, {low, high});
  if (made) {
    BasicBlock *some =
        prologue.splitBasicBlock(prologue.getTerminator(), "some");
    BasicBlock *all = BasicBlock::Create(b.getContext(), "all", &kernel, some);
    BasicBlock *none = BasicBlock::Create(b.getContext(), "none", &kernel);
    prologue.getTerminator()->eraseFromParent();
    b.SetInsertPoint(&prologue);
    SwitchInst *choice = b.CreateSwitch(
        b.CreateSelect(b.CreateICmpULT(low, high), count, b.getInt32(0)), some,
        2);
    choice->addCase(b.getInt32(XCC_CPU_WARP_SIZE), all);
    choice->addCase(b.getInt32(0), none);
    b.SetInsertPoint(none);
    b.CreateRetVoid();
    b.SetInsertPoint(all);
    SmallVector<Value *> arguments(make_pointer_range(kernel.args()));
    CallInst *call = b.CreateCall(whole, arguments);
    b.CreateRetVoid();
    InlineFunctionInfo how;
    InlineFunction(*call, how);
  }
  whole->eraseFromParent();
  return made;
}

//===----------------------------------------------------------------------===//
// Whether it is the warp's turn, before what its lanes do
//===----------------------------------------------------------------------===//

/// What \p v may be, by the ranges of queries.
static ConstantRange rangeOf(const Value *v, unsigned depth = 0) {
  const unsigned width = v->getType()->getIntegerBitWidth();
  if (auto *c = dyn_cast<ConstantInt>(v))
    return ConstantRange(c->getValue());
  if (auto *call = dyn_cast<CallBase>(v))
    return call->getRange().value_or(ConstantRange::getFull(width));
  if (depth < 4) {
    if (auto *op = dyn_cast<BinaryOperator>(v))
      return rangeOf(op->getOperand(0), depth + 1)
          .binaryOp(op->getOpcode(), rangeOf(op->getOperand(1), depth + 1));
    if (auto *cast = dyn_cast<CastInst>(v);
        cast && cast->getSrcTy()->isIntegerTy())
      return rangeOf(cast->getOperand(0), depth + 1)
          .castOp(cast->getOpcode(), width);
  }
  return ConstantRange::getFull(width);
}

/// Whether \p compare, if it is \p result, says that an index that is not negative
/// is below \p bound (or is not above it, so that one more is the bound).
static bool boundsIndex(const Value *compare, bool result, const Value *&index,
                        const Value *&bound, bool &inclusive) {
  auto *icmp = dyn_cast<ICmpInst>(compare);
  if (!icmp || !icmp->getOperand(0)->getType()->isIntegerTy())
    return false;
  CmpInst::Predicate p =
      result ? icmp->getPredicate() : icmp->getInversePredicate();
  index = icmp->getOperand(0);
  bound = icmp->getOperand(1);
  if (ICmpInst::isGT(p) || ICmpInst::isGE(p)) {
    std::swap(index, bound);
    p = CmpInst::getSwappedPredicate(p);
  }
  inclusive = !ICmpInst::isLT(p);
  return (ICmpInst::isLT(p) || ICmpInst::isLE(p) || p == CmpInst::ICMP_EQ) &&
         isKnownNonNegative(index, SimplifyQuery(icmp->getDataLayout()));
}

/// Whether \p first, being \p result, means that \p second is \p implied, and
/// that the lanes of a warp agree on \p second.
static bool impliesWarp(const Value *first, bool result, const Value *second,
                        bool implied) {
  const Value *x, *n, *y, *m;
  bool toN, toM;
  if (!boundsIndex(first, result, x, n, toN) ||
      !boundsIndex(second, implied, y, m, toM) || x != y)
    return false;
  auto *c = dyn_cast<ConstantInt>(m);
  if (!c || c->isNegative())
    return false;
  const APInt limit = c->getValue() + toM;
  return limit.countr_zero() >= Log2_32(XCC_CPU_WARP_SIZE) &&
         (toN ? rangeOf(n).getUnsignedMax().ult(limit)
              : rangeOf(n).getUnsignedMax().ule(limit));
}

/// `v = x < n ? s[x] : 0; if (x < 32) v = sum(v);`: where n is no more than 32, LLVM
/// has the threads below n skip the second question, and then lanes of a warp come
/// to their work on two paths. The second question becomes the first.
static void testWarpsFirst(Function &kernel) {
  for (BasicBlock &first : make_early_inc_range(kernel)) {
    auto *branch = dyn_cast<BranchInst>(first.getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (unsigned side : {0u, 1u}) {
      BasicBlock *second = branch->getSuccessor(side);
      auto *other = dyn_cast<BranchInst>(second->getTerminator());
      if (second->getSinglePredecessor() != &first || !other ||
          !other->isConditional() ||
          other->getSuccessor(0) == other->getSuccessor(1) ||
          any_of(*second, [](const Instruction &i) {
            return !i.isTerminator() &&
                   (isa<PHINode>(i) || !isSafeToSpeculativelyExecute(&i));
          }))
        continue;
      for (unsigned to : {0u, 1u}) {
        if (!impliesWarp(branch->getCondition(), side == 1,
                         other->getCondition(), to == 0))
          continue;
        for (Instruction &i : make_early_inc_range(drop_end(*second))) {
          i.dropUBImplyingAttrsAndMetadata();
          i.moveBefore(branch->getIterator());
        }
        BasicBlock *stay = other->getSuccessor(to),
                   *leave = other->getSuccessor(1 - to);
        BasicBlock *asks = first.splitBasicBlock(branch, "of.warp");
        BranchInst *turn =
            BranchInst::Create(asks, leave, other->getCondition());
        if (to == 1)
          turn->swapSuccessors();
        ReplaceInstWithInst(first.getTerminator(), turn);
        leave->replacePhiUsesWith(second, &first);
        ReplaceInstWithInst(other, BranchInst::Create(stay));
        break;
      }
      break;
    }
  }
}

bool makeWarpCode(Function &kernel, bool lanesLeave) {
  if (lanesLeave && waitsForBlock(kernel))
    return false;
  testWarpsFirst(kernel);
  if (!lanesLeave)
    releaseLanes(kernel);
  splitIntoLanes(kernel);
  splitAtBarriers(kernel);
  hoistPrologue(kernel, Scope::Warp);
  return lanesLeave ? makeLoopsInRange(kernel) : makeLoops(kernel);
}

} // namespace xcc::block
