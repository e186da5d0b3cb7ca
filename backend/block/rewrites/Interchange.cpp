// Loop interchange: loops that all threads run together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interchange.h"
#include "block/Intrinsics.h"
#include "block/regions/Uniformity.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace xcc::block {

/// The most divergent values that a loop may carry between iterations, and the
/// most that it may use from before the loop. Each costs a load, and maybe a
/// store, per iteration.
static constexpr unsigned CarriedLimit = 8, TakenLimit = 12;
/// The most instructions of a loop that is interchanged.
static constexpr unsigned SizeLimit = 400;
/// Loops of at most UnrollSizeLimit instructions run UnrollCount iterations
/// before the next thread's.
static constexpr unsigned UnrollCount = 4, UnrollSizeLimit = 60;

namespace {

class InterchangeCost {
public:
  InterchangeCost(const Loop &l, const Uniformity &uniform,
                  const DataLayout &dl)
      : l(l), uniform(uniform), dl(dl) {}

  bool isWorthInterchanging();
  /// Whether the loop reads one stream of memory: in one iteration,
  /// neighbouring threads read consecutive elements, and the next iteration
  /// continues behind them. The hardware prefetches such a stream.
  bool readsOneStream(ScalarEvolution &se) const;

  /// The start and the step of \p phi if it is a counter or pointer of the loop
  /// to which all threads add the same in each iteration; otherwise nulls.
  std::pair<Value *, Value *> induction(const PHINode &phi) const;

private:
  /// The difference of \p v between neighbouring threads; none if unknown.
  std::optional<int64_t> stride(const Value *v, unsigned depth = 0) const;
  bool isGoodAccess(const Value &address, Type *t);

  const Loop &l;
  const Uniformity &uniform;
  const DataLayout &dl;
};

} // namespace

std::optional<int64_t> InterchangeCost::stride(const Value *v,
                                               unsigned depth) const {
  auto *i = dyn_cast<Instruction>(v);
  if (!i || uniform.isUniform(*i))
    return 0;
  if (depth > 12)
    return std::nullopt;
  Intrinsic in = intrinsicCalledBy(*i);
  if (in.kind == IntrinsicKind::LinearThread ||
      in.kind == IntrinsicKind::Lane ||
      (in.kind == IntrinsicKind::ThreadIdx && in.dim == 0))
    return 1;
  if (in.kind == IntrinsicKind::ThreadIdx)
    return 0; // neighbours differ in x only

  auto of = [&](unsigned n) { return stride(i->getOperand(n), depth + 1); };
  if (auto *phi = dyn_cast<PHINode>(i)) {
    Value *start = induction(*phi).first;
    return start ? stride(start, depth + 1) : std::nullopt;
  }
  if (auto *gep = dyn_cast<GetElementPtrInst>(i)) {
    std::optional<int64_t> sum = of(0);
    for (auto it = gep_type_begin(gep), e = gep_type_end(gep); it != e; ++it) {
      auto index = stride(it.getOperand(), depth + 1);
      if (!sum || !index)
        return std::nullopt;
      if (*index)
        *sum += *index * int64_t(it.getSequentialElementStride(dl));
    }
    return sum;
  }
  switch (i->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or: {
    auto x = of(0), y = of(1);
    if (!x || !y)
      return std::nullopt;
    return i->getOpcode() == Instruction::Sub ? *x - *y : *x + *y;
  }
  case Instruction::Xor: // ~x, in a loop that counts down
    if (auto x = of(0);
        x &&
        PatternMatch::match(i, PatternMatch::m_Not(PatternMatch::m_Value())))
      return -*x;
    break;
  case Instruction::Mul:
  case Instruction::Shl: {
    auto x = of(0), y = of(1);
    if (x == 0 && y == 0)
      return 0;
    auto *c = dyn_cast<ConstantInt>(i->getOperand(1));
    if (!x || !c)
      return std::nullopt;
    return i->getOpcode() == Instruction::Mul
               ? *x * c->getSExtValue()
               : *x * (int64_t(1) << (c->getZExtValue() & 63));
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return of(0);
  default:
    break;
  }
  // Values that depend only on y and z are the same for neighbours. Other
  // computations from x are not known.
  if (!isa<BinaryOperator, ICmpInst, SelectInst>(i))
    return std::nullopt;
  for (const Use &u : i->operands())
    if (stride(u, depth + 1) != 0)
      return std::nullopt;
  return 0;
}

std::pair<Value *, Value *>
InterchangeCost::induction(const PHINode &phi) const {
  if (phi.getParent() != l.getHeader() || phi.getNumIncomingValues() != 2 ||
      !l.getLoopLatch() || !l.getLoopPredecessor())
    return {};
  auto *next =
      dyn_cast<Instruction>(phi.getIncomingValueForBlock(l.getLoopLatch()));
  auto *gep = dyn_cast_or_null<GetElementPtrInst>(next);
  if (!next || next->getNumOperands() != 2 ||
      !(gep || next->getOpcode() == Instruction::Add))
    return {};
  Value *step = next->getOperand(0) == &phi          ? next->getOperand(1)
                : gep || next->getOperand(1) != &phi ? nullptr
                                                     : next->getOperand(0);
  if (!step || step->getType()->isVectorTy() || !l.isLoopInvariant(step) ||
      !uniform.isUniform(*step))
    return {};
  return {phi.getIncomingValueForBlock(l.getLoopPredecessor()), step};
}

bool InterchangeCost::isGoodAccess(const Value &address, Type *t) {
  auto s = stride(&address);
  return s && (*s == 0 || std::abs(*s) == int64_t(dl.getTypeStoreSize(t)));
}

bool InterchangeCost::isWorthInterchanging() {
  BasicBlock *latch = l.getLoopLatch();
  if (!l.isInnermost() || !latch || l.getExitingBlock() != latch ||
      !isa<BranchInst>(latch->getTerminator()) ||
      !uniform.isUniformUse(latch->getTerminator()->getOperandUse(0)))
    return false;

  unsigned carried = 0, size = 0, divergent = 0;
  for (const PHINode &phi : l.getHeader()->phis())
    carried += !uniform.isUniform(phi) && !induction(phi).first;
  SmallPtrSet<const Value *, 16> taken;
  for (const BasicBlock *bb : l.blocks())
    for (const Instruction &i : *bb) {
      if (++size > SizeLimit)
        return false;
      divergent += !i.isTerminator() && !uniform.isUniform(i);
      for (const Value *op : i.operand_values())
        if (auto *def = dyn_cast<Instruction>(op);
            def && !l.contains(def) && !uniform.isUniform(*def) && !stride(def))
          taken.insert(def);
      if (auto *load = dyn_cast<LoadInst>(&i)) {
        if (!load->isSimple() ||
            !isGoodAccess(*load->getPointerOperand(), load->getType()))
          return false;
      } else if (auto *store = dyn_cast<StoreInst>(&i)) {
        if (!store->isSimple() ||
            !isGoodAccess(*store->getPointerOperand(),
                          store->getValueOperand()->getType()))
          return false;
      } else if (auto *call = dyn_cast<CallBase>(&i)) {
        if (!call->doesNotAccessMemory() && hasEffect(*call))
          return false;
        // A call of a function prevents vectorization.
        if (!isa<IntrinsicInst>(call) && !intrinsicCalledBy(i))
          return false;
      } else if (i.mayReadOrWriteMemory()) {
        return false;
      }
    }
  return divergent > 0 && carried <= CarriedLimit && taken.size() <= TakenLimit;
}

/// Replaces \p phi by \p start plus what all threads have added so far.
static void divide(PHINode &phi, Value *start, Value *step, const Loop &l) {
  IRBuilder<> b(l.getLoopPredecessor()->getTerminator());
  // Widen the step: a narrow sum would wrap where the pointer does not.
  if (phi.getType()->isPointerTy())
    step = b.CreateSExtOrTrunc(step,
                               phi.getDataLayout().getIndexType(phi.getType()));
  b.SetInsertPoint(&phi);
  PHINode *added = b.CreatePHI(step->getType(), 2, phi.getName() + ".added");
  b.SetInsertPoint(l.getHeader(), l.getHeader()->getFirstInsertionPt());
  b.SetCurrentDebugLocation(phi.getDebugLoc());
  Value *now;
  auto *next =
      cast<Instruction>(phi.getIncomingValueForBlock(l.getLoopLatch()));
  if (auto *gep = dyn_cast<GetElementPtrInst>(next))
    now = b.CreateGEP(gep->getSourceElementType(), start, added);
  else
    now = b.CreateAdd(start, added);
  b.SetInsertPoint(l.getLoopLatch()->getTerminator());
  added->addIncoming(Constant::getNullValue(step->getType()),
                     l.getLoopPredecessor());
  added->addIncoming(b.CreateAdd(added, step), l.getLoopLatch());
  now->takeName(&phi);
  phi.replaceAllUsesWith(now);
  phi.eraseFromParent();
}

bool divideInductions(Function &kernel, const Uniformity &uniform) {
  DominatorTree dt(kernel);
  LoopInfo loops(dt);
  bool changed = false;
  for (const Loop *l : loops.getLoopsInPreorder()) {
    InterchangeCost judge(*l, uniform, kernel.getDataLayout());
    if (!judge.isWorthInterchanging())
      continue;
    for (PHINode &phi : make_early_inc_range(l->getHeader()->phis())) {
      if (uniform.isUniform(phi))
        continue;
      auto [start, step] = judge.induction(phi);
      if (!start)
        continue;
      divide(phi, start, step, *l);
      changed = true;
    }
  }
  return changed;
}

SmallVector<BasicBlock *, 4> findInterchangeable(Function &kernel,
                                                 const Uniformity &uniform) {
  DominatorTree dt(kernel);
  LoopInfo loops(dt);
  SmallVector<BasicBlock *, 4> latches;
  for (const Loop *l : loops.getLoopsInPreorder())
    if (InterchangeCost(*l, uniform, kernel.getDataLayout())
            .isWorthInterchanging())
      latches.push_back(l->getLoopLatch());
  return latches;
}

bool InterchangeCost::readsOneStream(ScalarEvolution &se) const {
  auto isBlockSize = [](const SCEV *s) {
    auto *unknown = dyn_cast<SCEVUnknown>(s);
    auto *query =
        unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return query && intrinsicCalledBy(*query).kind == IntrinsicKind::BlockDim;
  };
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb) {
      auto *load = dyn_cast<LoadInst>(&i);
      if (!load || stride(load->getPointerOperand()) !=
                       int64_t(dl.getTypeStoreSize(load->getType())))
        continue;
      auto *induction =
          dyn_cast<SCEVAddRecExpr>(se.getSCEV(load->getPointerOperand()));
      if (!induction || induction->getLoop() != &l)
        continue;
      const SCEV *step = induction->getStepRecurrence(se);
      if (isa<SCEVConstant>(step) || SCEVExprContains(step, isBlockSize))
        return true;
    }
  return false;
}

bool unrollInterchanged(Function &kernel, const Uniformity &uniform,
                        ArrayRef<BasicBlock *> others) {
  if (kernel.hasOptSize())
    return false;
  DominatorTree dt(kernel);
  LoopInfo loops(dt);
  SmallVector<Loop *, 4> chosen;
  for (Loop *l : loops.getLoopsInPreorder()) {
    if (is_contained(others, l->getLoopLatch()) ||
        hasUnrollTransformation(l) & TM_Disable ||
        !InterchangeCost(*l, uniform, kernel.getDataLayout())
             .isWorthInterchanging())
      continue;
    unsigned size = 0;
    for (BasicBlock *bb : l->blocks())
      size += bb->size();
    if (size <= UnrollSizeLimit &&
        any_of(l->getHeader()->phis(),
               [&](PHINode &phi) { return !uniform.isUniform(phi); }))
      chosen.push_back(l);
  }
  if (chosen.empty())
    return false;
  TargetLibraryInfoImpl libraryOf(kernel.getParent()->getTargetTriple());
  TargetLibraryInfo library(libraryOf);
  AssumptionCache assumptions(kernel);
  TargetTransformInfo costs(kernel.getDataLayout());
  ScalarEvolution se(kernel, library, assumptions, dt, loops);
  OptimizationRemarkEmitter remarks(&kernel);
  bool changed = false;
  for (Loop *l : chosen) {
    if (InterchangeCost(*l, uniform, kernel.getDataLayout()).readsOneStream(se))
      continue;
    simplifyLoop(l, &dt, &loops, &se, &assumptions, /*MSSAU=*/nullptr,
                 /*PreserveLCSSA=*/false);
    formLCSSARecursively(*l, dt, &loops, &se);
    if (!l->isLoopSimplifyForm())
      continue;
    UnrollLoopOptions options = {};
    options.Count = UnrollCount;
    options.Runtime = true;
    options.SCEVExpansionBudget = SCEVCheapExpansionBudget;
    SmallVector<BasicBlock *, 4> exits;
    l->getUniqueExitBlocks(exits);
    changed |=
        UnrollLoop(l, options, &loops, &se, &dt, &assumptions, &costs, &remarks,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
    // A phi of one value would need a variable of its own.
    for (BasicBlock *exit : exits)
      for (PHINode &phi : make_early_inc_range(exit->phis()))
        if (phi.getNumIncomingValues() == 1) {
          phi.replaceAllUsesWith(phi.getIncomingValue(0));
          phi.eraseFromParent();
        }
  }
  return changed;
}

} // namespace xcc::block
