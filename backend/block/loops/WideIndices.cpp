// Indices that do not wrap, in 64 bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WideIndices.h"
#include "EachLoop.h"
#include "block/simd/Pass.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Marks both versions, so that neither is split again.
static constexpr char SplitMark[] = "xcc.wide_indices";
/// More indices would need more registers than there are.
static constexpr unsigned MostIndices = 6;

namespace {

/// `start + iteration * step`, as long as it does not wrap.
struct Index {
  Instruction *value;
  const SCEVAddRecExpr *scev;
  bool isSigned; ///< how it is extended and compared
  bool wraps;    ///< for all that is known
};

class IndexedLoop {
public:
  IndexedLoop(Loop &l, DominatorTree &dt, LoopInfo &loops, ScalarEvolution &se)
      : l(l), dt(dt), loops(loops), se(se), expander(se, "wide") {}

  bool matches();
  /// Adds the second version of the loop.
  void split();

private:
  bool mayWrap(Instruction &i, const SCEVAddRecExpr &scev, bool isSigned) const;
  bool addIndex(Instruction &i);
  Value *expand(const SCEV *s);
  Value *widened(const SCEV *s, bool isSigned);
  Value *stepOf(const Index &i);
  Value *fits(const Index &i);
  Loop *copy(BasicBlock *before, ValueToValueMapTy &copies);
  Value *wideIndex(const Index &i, Value *iteration, IRBuilder<> &here);
  void replace(const Index &i, Loop &wide, Instruction &narrow, Value *with);

  Loop &l;
  DominatorTree &dt;
  LoopInfo &loops;
  ScalarEvolution &se;
  SCEVExpander expander;
  PHINode *x = nullptr;
  const SCEV *repeats = nullptr;
  SmallVector<Index, 4> indices;
  bool hasGuard = false;                  ///< a comparison of an index
  DenseMap<const SCEV *, Value *> values; ///< in front of both versions
  Value *last = nullptr;                  ///< iteration
  IRBuilder<> *b = nullptr;
};

} // namespace

/// Whether the address of a store depends on \p v alone.
static bool isStoredThrough(const Value &v) {
  return any_of(v.users(), [](const User *u) {
    auto *address = dyn_cast<GetElementPtrInst>(u);
    return address && any_of(address->users(), [&](const User *access) {
             return getPointerOperand(access) == address &&
                    isa<StoreInst>(access);
           });
  });
}

/// An extension or comparison of an index with a bound; says whether it is
/// signed.
static std::optional<bool> signOf(const Use &use, const Loop &l) {
  const User *user = use.getUser();
  if (!user->getType()->isIntegerTy())
    return {};
  if (isa<ZExtInst, SExtInst>(user) && user->getType()->isIntegerTy(64))
    return isa<SExtInst>(user);
  auto *compare = dyn_cast<ICmpInst>(user);
  if (compare && compare->isRelational() &&
      l.isLoopInvariant(compare->getOperand(1 - use.getOperandNo())))
    return compare->isSigned();
  return {};
}

/// Finds how \p i is used. \returns whether a store is at a place that it gives
/// and that may wrap.
bool IndexedLoop::addIndex(Instruction &i) {
  const unsigned bits =
      i.getType()->isIntegerTy() ? i.getType()->getIntegerBitWidth() : 0;
  if (isa<PHINode>(i) || (bits != 32 && bits != 64) ||
      !se.isSCEVable(i.getType()))
    return false;
  auto *scev = dyn_cast<SCEVAddRecExpr>(se.getSCEV(&i));
  if (!scev || scev->getLoop() != &l || !scev->isAffine())
    return false;
  const SCEV *start = scev->getStart(), *step = scev->getStepRecurrence(se);
  Instruction *place = l.getLoopPreheader()->getTerminator();
  if (isa<SCEVConstant>(step) || !expander.isSafeToExpandAt(start, place) ||
      !expander.isSafeToExpandAt(step, place))
    return false;
  bool stores = bits == 64 && isStoredThrough(i);
  std::optional<bool> isSigned;
  bool isGuard = false;
  for (const Use &use : i.uses())
    if (std::optional<bool> sign = signOf(use, l)) {
      if (isSigned && *isSigned != *sign)
        return false;
      isSigned = sign;
      isGuard |= isa<ICmpInst>(use.getUser());
      stores |= isStoredThrough(*use.getUser());
    }
  if (!isSigned)
    return false;
  const bool wraps =
      *isSigned ? !scev->hasNoSignedWrap() : !scev->hasNoUnsignedWrap();
  if (!wraps && (!isGuard || se.isKnownPositive(step)))
    return false;
  hasGuard |= isGuard;
  indices.push_back({&i, scev, *isSigned, wraps});
  return stores;
}

bool IndexedLoop::matches() {
  BasicBlock *latch = l.getLoopLatch();
  if (findOptionMDForLoop(&l, "llvm.loop.isvectorized") ||
      findOptionMDForLoop(&l, SplitMark) || !l.isInnermost() ||
      !l.isLoopSimplifyForm() || l.getExitingBlock() != latch ||
      !l.getUniqueExitBlock() || !l.getUniqueExitBlock()->phis().empty() ||
      !hasSingleElement(l.getHeader()->phis()))
    return false;
  x = dyn_cast<PHINode>(&l.getHeader()->front());
  if (!x || !x->getType()->isIntegerTy() ||
      x->getType()->getIntegerBitWidth() > 64 ||
      !match(x->getIncomingValueForBlock(latch), m_Add(m_Specific(x), m_One())))
    return false;
  repeats = se.getBackedgeTakenCount(&l);
  if (isa<SCEVCouldNotCompute>(repeats) ||
      se.getTypeSizeInBits(repeats->getType()) > 64 ||
      !expander.isSafeToExpandAt(repeats,
                                 l.getLoopPreheader()->getTerminator()))
    return false;
  bool stores = false;
  for (BasicBlock *block : l.blocks())
    for (Instruction &i : *block)
      stores |= addIndex(i);
  return stores && indices.size() <= MostIndices && !hasUsersOutside(l);
}

/// A value that is never poison in the loop may be poison before it.
Value *IndexedLoop::expand(const SCEV *s) {
  Value *&v = values[s];
  if (v)
    return v;
  Instruction *place = b->GetInsertBlock()->getTerminator();
  v = expander.expandCodeFor(s, s->getType(), place);
  b->SetInsertPoint(place);
  if (!isGuaranteedNotToBeUndefOrPoison(v))
    v = b->CreateFreeze(v);
  return v;
}

Value *IndexedLoop::widened(const SCEV *s, bool isSigned) {
  Value *v = expand(s);
  return isSigned ? b->CreateSExt(v, b->getInt64Ty())
                  : b->CreateZExt(v, b->getInt64Ty());
}

Value *IndexedLoop::stepOf(const Index &i) {
  return widened(i.scev->getStepRecurrence(se), i.isSigned);
}

/// Whether the index grows and does not wrap. A block has so few threads that
/// the arithmetic of 64 bits does not overflow for an index of 32.
Value *IndexedLoop::fits(const Index &i) {
  Value *step = stepOf(i);
  Value *grows = b->CreateICmpSGT(step, b->getInt64(0));
  if (!i.wraps)
    return grows;
  if (i.value->getType()->isIntegerTy(64)) {
    const SCEVPredicate *p = se.getWrapPredicate(
        i.scev, i.isSigned ? SCEVWrapPredicate::IncrementNSSW
                           : SCEVWrapPredicate::IncrementNUSW);
    Instruction *place = b->GetInsertBlock()->getTerminator();
    Value *wraps = expander.expandCodeForPredicate(p, place);
    b->SetInsertPoint(place);
    return b->CreateAnd(b->CreateNot(b->CreateFreeze(wraps)), grows);
  }
  Value *end = b->CreateAdd(widened(i.scev->getStart(), i.isSigned),
                            b->CreateMul(step, last));
  const int64_t most = i.isSigned ? INT32_MAX : UINT32_MAX;
  return b->CreateAnd(b->CreateICmpSLE(end, b->getInt64(most)), grows);
}

/// The index in the second version. The flags hold because of the check.
Value *IndexedLoop::wideIndex(const Index &i, Value *iteration,
                              IRBuilder<> &here) {
  const bool isNarrow = i.value->getType()->isIntegerTy(32);
  // Tells the next passes that the step is positive.
  Value *step = b->CreateBinaryIntrinsic(llvm::Intrinsic::smax, stepOf(i),
                                         b->getInt64(1));
  const SCEV *start = i.scev->getStart();
  Value *distance = here.CreateMul(
      iteration, step, "", /*HasNUW=*/isNarrow || !i.isSigned,
      /*HasNSW=*/isNarrow || (i.isSigned && se.isKnownNonNegative(start)));
  return here.CreateAdd(distance, widened(start, i.isSigned), "index.wide",
                        /*HasNUW=*/!i.isSigned,
                        /*HasNSW=*/isNarrow || i.isSigned);
}

/// Replaces what extends or compares the index in the second version.
void IndexedLoop::replace(const Index &i, Loop &wide, Instruction &narrow,
                          Value *with) {
  for (Use &use : make_early_inc_range(narrow.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (!wide.contains(user))
      continue;
    if (narrow.getType()->isIntegerTy(64)) {
      use.set(with);
    } else if (isa<ZExtInst, SExtInst>(user)) {
      if (user->getType()->isIntegerTy(64))
        user->replaceAllUsesWith(with);
    } else if (signOf(use, wide)) {
      auto *compare = cast<ICmpInst>(user);
      const unsigned at = use.getOperandNo();
      Value *bound = compare->getOperand(1 - at);
      bound = i.isSigned ? b->CreateSExt(bound, b->getInt64Ty())
                         : b->CreateZExt(bound, b->getInt64Ty());
      IRBuilder<> here(compare);
      compare->replaceAllUsesWith(
          at ? here.CreateICmp(compare->getPredicate(), bound, with)
             : here.CreateICmp(compare->getPredicate(), with, bound));
    }
  }
}

Loop *IndexedLoop::copy(BasicBlock *before, ValueToValueMapTy &copies) {
  SmallVector<BasicBlock *> blocks;
  Loop *wide = cloneLoopWithPreheader(l.getLoopPreheader(), before, &l, copies,
                                      ".wide", &loops, &dt, blocks);
  remapInstructionsInBlocks(blocks, copies);
  MDNode *id = l.getLoopID();
  SmallVector<Metadata *, 4> properties(id->operands());
  MDNode *own = MDNode::getDistinct(id->getContext(), properties);
  own->replaceOperandWith(0, own);
  wide->setLoopID(own);
  addStringMetadataToLoop(wide, SplitMark, 1);
  addStringMetadataToLoop(&l, SplitMark, 1);
  return wide;
}

void IndexedLoop::split() {
  BasicBlock *before = l.getLoopPreheader();
  BasicBlock *enter = SplitBlock(before, before->getTerminator(), &dt, &loops);
  ValueToValueMapTy copies;
  Loop *wide = copy(before, copies);
  // If an index wraps, any thread may pass the guard.
  if (hasGuard)
    addStringMetadataToLoop(&l, "llvm.loop.isvectorized", 1);

  IRBuilder<> builder(before->getTerminator());
  b = &builder;
  last = widened(repeats, /*isSigned=*/false);
  Value *all = b->getTrue();
  for (const Index &i : indices)
    all = b->CreateAnd(all, fits(i));
  IRBuilder<> here(&*wide->getHeader()->getFirstInsertionPt());
  Value *iteration = here.CreateSub(
      here.CreateZExt(copies[x], b->getInt64Ty()),
      b->CreateZExt(x->getIncomingValueForBlock(enter), b->getInt64Ty()));
  for (const Index &i : indices)
    replace(i, *wide, *cast<Instruction>(copies[i.value]),
            wideIndex(i, iteration, here));
  ReplaceInstWithInst(before->getTerminator(),
                      BranchInst::Create(wide->getLoopPreheader(), enter, all));
  SmallVector<BasicBlock *> blocks(wide->blocks());
  for (BasicBlock *block : blocks)
    SimplifyInstructionsInBlock(block);
}

PreservedAnalyses WidenIndicesPass::run(Function &f,
                                        FunctionAnalysisManager &fam) {
  return changeThreadLoops(
      f, fam,
      [](Loop &l, DominatorTree &dt, LoopInfo &loops, ScalarEvolution &se) {
        IndexedLoop indexed(l, dt, loops, se);
        if (!indexed.matches())
          return false;
        indexed.split();
        return true;
      });
}

} // namespace xcc::block
