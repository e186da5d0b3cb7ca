// Whether a vector form is worth it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cost.h"
#include "Emit.h"
#include "Swaps.h"

#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cmath>

using namespace llvm;

namespace xcc::block::simd {

/// How often a loop is assumed to repeat each time that it is reached.
static constexpr double Repeats = 8;
/// The average costs for one thread of a branch that is hard to predict, and of
/// waiting for an address.
static constexpr double Unpredicted = 4, Latency = 4;

/// Instructions per cycle, if none waits for another.
static constexpr double ScalarWidth = 5, VectorWidth = 3;
/// Cycles from a mask to the next one through a load by mask and a comparison.
static constexpr double MaskedLoadChain = 16;

/// For a second vector: how much longer than its instructions an iteration has
/// to take, how much faster two vectors have to be, and how many vectors a
/// computation needs in addition to those that are kept.
static constexpr double LeastWait = 1.4, LeastGain = 1.25;
static constexpr unsigned Temporaries = 2;

/// Whether \p i only computes addresses, so that its width does not matter.
/// \p depth limits how far its users are followed.
static bool isForAddresses(const Instruction &i, unsigned depth = 4) {
  if (i.getType()->isPointerTy())
    return true;
  if (!i.getType()->isIntegerTy(64) || depth == 0)
    return false;
  return all_of(i.users(), [&](const User *u) {
    // A counter is widened for addresses, and narrow where it is stored.
    return isa<GetElementPtrInst, TruncInst>(u) ||
           (isa<BinaryOperator, PHINode, SelectInst>(u) &&
            isForAddresses(*cast<Instruction>(u), depth - 1));
  });
}

/// Whether \p i has 64 bits only because LLVM has widened the thread's index.
static bool fitsIn32Bits(const Instruction &i) {
  return !isa<LoadInst>(i) &&
         computeKnownBits(&i, i.getDataLayout()).countMaxActiveBits() <= 32;
}

Width widthOf(const Loop &threads, const Shapes &shapes,
              const TargetTransformInfo &target) {
  unsigned widest = 8;
  for (BasicBlock *block : threads.blocks())
    for (Instruction &i : *block) {
      Type *t = i.getType();
      if (auto *store = dyn_cast<StoreInst>(&i))
        t = store->getValueOperand()->getType();
      else if (!shapes.of(&i).isVarying() || isForAddresses(i) ||
               (t->isIntegerTy(64) && fitsIn32Bits(i)))
        continue;
      if (t->isSized() && !t->isPointerTy())
        widest = std::max<unsigned>(widest, t->getScalarSizeInBits());
    }
  unsigned bits =
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  return {bits / std::max(widest, 32u)};
}

namespace {

class Estimator {
public:
  Estimator(const Shapes &shapes, const Rows &rows, ScalarEvolution &se,
            unsigned lanes, const TargetTransformInfo &target)
      : shapes(shapes), rows(rows), se(se), lanes(lanes), target(target) {}

  void addBlock(const BasicBlock &block, const Loop &home, bool masked,
                double times);

  Estimate result;

private:
  static constexpr auto Kind = TargetTransformInfo::TCK_RecipThroughput;

  double number(InstructionCost cost) const {
    return cost.isValid() ? double(cost.getValue()) : 1e6;
  }
  Type *wide(Type *t) const { return FixedVectorType::get(t, lanes); }
  double scalarCost(const Instruction &i) const {
    return number(target.getInstructionCost(&i, Kind));
  }
  double vectorCost(const Instruction &i, bool masked);
  double accessCost(const Instruction &i, bool masked);
  double apartCost(const Instruction &i, bool masked);
  double callCost(const CallInst &call, bool masked);
  bool walks(const Instruction &i, const Loop &home) const;
  bool waitsForAddress(const Instruction &access, const Loop &home);

  const Shapes &shapes;
  const Rows &rows;
  ScalarEvolution &se;
  unsigned lanes;
  const TargetTransformInfo &target;
};

} // namespace

/// Whether the thread's own loop accesses consecutive elements. LLVM vectorises
/// such a loop within a thread.
bool Estimator::walks(const Instruction &i, const Loop &home) const {
  auto *address = dyn_cast<SCEVAddRecExpr>(
      se.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&i))));
  if (!address || address->getLoop() != &home)
    return false;
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(se));
  return step && step->getAPInt().abs() ==
                     i.getDataLayout().getTypeStoreSize(getLoadStoreType(&i));
}

/// Whether the address in one iteration depends on what was loaded in the one
/// before it, as in a list or a binary search.
bool Estimator::waitsForAddress(const Instruction &access, const Loop &home) {
  SmallVector<const Value *> work = {getLoadStorePointerOperand(&access)};
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty() && seen.size() < 32) {
    auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !home.contains(i) || !seen.insert(i).second)
      continue;
    if (auto *phi = dyn_cast<PHINode>(i);
        phi && phi->getParent() == home.getHeader()) {
      // All lanes then wait for the cache misses of the slowest.
      const Value *next = phi->getIncomingValueForBlock(home.getLoopLatch());
      if (auto *cast = dyn_cast<CastInst>(next))
        next = cast->getOperand(0);
      result.followsPointers |= isa<LoadInst>(next);
      if (!se.isSCEVable(phi->getType()) ||
          !isa<SCEVAddRecExpr>(se.getSCEV(const_cast<PHINode *>(phi))))
        return true;
      continue;
    }
    append_range(work, i->operands());
  }
  return false;
}

double Estimator::apartCost(const Instruction &i, bool masked) {
  Type *t = getLoadStoreType(&i);
  auto *all = cast<VectorType>(wide(t));
  bool load = isa<LoadInst>(i);
  if (rows.loopOf(i)) {
    ++result.rows;
    // Two loads, a store, and a shuffle for each step of a transposition.
    return 3 + Log2_32(lanes) + (masked ? 1 : 0);
  }
  ++(load ? result.gathered : result.scattered);
  Align align = getLoadStoreAlignment(&i);
  bool legal = load ? target.isLegalMaskedGather(all, align)
                    : target.isLegalMaskedScatter(all, align);
  if (legal) {
    MemIntrinsicCostAttributes attributes(
        load ? Intrinsic::masked_gather : Intrinsic::masked_scatter, all,
        getLoadStorePointerOperand(&i), masked, align, &i);
    // Count at least one access for each lane, also for one instruction.
    return std::max(lanes * 2.5,
                    number(target.getMemIntrinsicInstrCost(attributes, Kind)));
  }
  // An address from a vector, the access, and the element.
  double each = 3;
  if (!load && masked)
    each += 2;
  return lanes * each + (masked ? 2 : 0);
}

double Estimator::accessCost(const Instruction &i, bool masked) {
  AccessKind kind = accessKindOf(i, shapes);
  Type *t = getLoadStoreType(&i);
  if (kind == AccessKind::Uniform)
    return number(target.getMemoryOpCost(i.getOpcode(), t,
                                         getLoadStoreAlignment(&i), 0, Kind)) +
           (masked && isa<StoreInst>(i) ? 4 : 0);
  if (kind == AccessKind::Apart)
    return apartCost(i, masked);
  Type *all = wide(t);
  double reverse = kind == AccessKind::Backward ? 1 : 0;
  if (kind == AccessKind::Swapped)
    reverse = costOfSwap(
        t, lanes, shapes.of(getLoadStorePointerOperand(&i)).swap, target);
  if (masked)
    reverse *= 2;
  if (!masked)
    return reverse +
           number(target.getMemoryOpCost(i.getOpcode(), all,
                                         getLoadStoreAlignment(&i), 0, Kind));
  ++result.masked;
  bool load = isa<LoadInst>(i);
  Align align = getLoadStoreAlignment(&i);
  if (load ? !target.isLegalMaskedLoad(all, align, 0)
           : !target.isLegalMaskedStore(all, align, 0))
    return lanes * 5; // a branch for each lane
  return reverse +
         number(target.getMemIntrinsicInstrCost(
             MemIntrinsicCostAttributes(load ? Intrinsic::masked_load
                                             : Intrinsic::masked_store,
                                        all, getLoadStoreAlignment(&i)),
             Kind));
}

double Estimator::callCost(const CallInst &call, bool masked) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic || !isTriviallyVectorizable(id)) {
    ++result.calledByLane;
    return lanes * (scalarCost(call) + (masked ? 3 : 2));
  }
  SmallVector<Type *> types;
  for (auto [n, v] : enumerate(call.args()))
    types.push_back(isVectorIntrinsicWithScalarOpAtArg(id, n, &target)
                        ? v->getType()
                        : wide(v->getType()));
  FastMathFlags flags;
  if (isa<FPMathOperator>(call))
    flags = call.getFastMathFlags();
  return number(target.getIntrinsicInstrCost(
      IntrinsicCostAttributes(id, wide(call.getType()), types, flags), Kind));
}

double Estimator::vectorCost(const Instruction &i, bool masked) {
  if (isDropped(i))
    return 0;
  if (isLeaving(i)) // a mask, a test of it, and a branch
    return 3;
  if (isa<LoadInst, StoreInst>(i))
    return accessCost(i, masked);
  if (i.isTerminator())
    return 1;
  if (!shapes.of(&i).isVarying())
    return scalarCost(i);
  if (isa<PHINode>(i))
    return masked ? 1 : 0;
  if (auto *call = dyn_cast<CallInst>(&i))
    return callCost(*call, masked);
  // Addresses of elements that are not consecutive.
  if (isa<GetElementPtrInst>(i))
    return 2;
  Type *all = wide(i.getType());
  if (isa<CmpInst>(i))
    return number(target.getCmpSelInstrCost(
        i.getOpcode(), wide(i.getOperand(0)->getType()), all,
        cast<CmpInst>(i).getPredicate(), Kind));
  if (isa<SelectInst>(i))
    return number(target.getCmpSelInstrCost(i.getOpcode(), all,
                                            wide(i.getOperand(0)->getType()),
                                            CmpInst::BAD_ICMP_PREDICATE, Kind));
  if (auto *cast = dyn_cast<CastInst>(&i))
    return number(target.getCastInstrCost(
        cast->getOpcode(), all, wide(cast->getSrcTy()),
        TargetTransformInfo::CastContextHint::None, Kind));
  // Vectors cannot be divided by a variable: each lane has a division.
  if (i.getOpcode() == Instruction::UDiv ||
      i.getOpcode() == Instruction::SDiv ||
      i.getOpcode() == Instruction::URem || i.getOpcode() == Instruction::SRem)
    if (!isa<Constant>(i.getOperand(1)))
      return lanes * (scalarCost(i) + 2);
  if (isa<BinaryOperator, UnaryOperator>(i)) {
    auto of = [&](unsigned n) {
      TargetTransformInfo::OperandValueInfo info;
      Value *v = i.getOperand(n);
      if (isa<Constant>(v))
        info = TargetTransformInfo::getOperandInfo(v);
      else if (shapes.of(v).isUniform())
        info.Kind = TargetTransformInfo::OK_UniformValue;
      return info;
    };
    return number(target.getArithmeticInstrCost(
        i.getOpcode(), all, Kind, of(0),
        isa<BinaryOperator>(i) ? of(1)
                               : TargetTransformInfo::OperandValueInfo()));
  }
  return 1;
}

void Estimator::addBlock(const BasicBlock &block, const Loop &home, bool masked,
                         double times) {
  double vector = masked ? 3 : 0, scalar = 0;
  for (const Instruction &i : block) {
    scalar += scalarCost(i);
    vector += vectorCost(i, masked);
    if (!isa<LoadInst, StoreInst>(i) ||
        accessKindOf(i, shapes) != AccessKind::Apart)
      continue;
    result.walksOwnMemory |= !rows.loopOf(i) && walks(i, home);
    if (isa<LoadInst>(i) && waitsForAddress(i, home))
      scalar += Latency;
  }
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch && branch->isConditional() &&
      shapes.of(branch->getCondition()).isVarying()) {
    bool leaves = !home.contains(branch->getSuccessor(0)) ||
                  !home.contains(branch->getSuccessor(1));
    scalar += leaves ? Unpredicted / Repeats : Unpredicted;
  }
  result.scalar += scalar * times;
  result.vector += vector * times;
  auto &[ofThread, ofVector] = result.iterations[&home];
  ofThread += scalar;
  ofVector += vector;
}

/// Whether \p l, without its inner loops, loads values that differ between
/// lanes.
static bool loadsForLanes(const Loop &l, const Shapes &shapes) {
  for (const Node &node : shapes.graphOf(l).nodes)
    if (!node.inner)
      for (const Instruction &i : *node.block)
        if (isa<LoadInst>(i) && shapes.of(&i).isVarying())
          return true;
  return false;
}

/// The number of vectors that are in registers throughout an iteration of \p l.
static unsigned vectorsIn(const Loop &l, const Shapes &shapes) {
  SmallPtrSet<const Value *, 16> kept;
  for (const BasicBlock *block : l.blocks())
    for (const Instruction &i : *block) {
      if (isa<PHINode>(i) && block == l.getHeader() &&
          shapes.of(&i).isVarying())
        kept.insert(&i);
      for (const Value *v : i.operands())
        if (auto *from = dyn_cast<Instruction>(v);
            from && !l.contains(from) && shapes.of(v).isVarying())
          kept.insert(v);
    }
  return kept.size() + shapes.isDivergent(l);
}

Estimate estimate(const Loop &threads, const LoopInfo &loops,
                  const Shapes &shapes, const Rows &rows, ScalarEvolution &se,
                  unsigned lanes, const TargetTransformInfo &target) {
  Estimator e(shapes, rows, se, lanes, target);
  SmallVector<Loop *> all = const_cast<Loop &>(threads).getLoopsInPreorder();
  for (Loop *l : all) {
    bool byMask = false;
    for (const Loop *m = l; m != &threads; m = m->getParentLoop()) {
      const LoopGraph &outer = shapes.graphOf(*m->getParentLoop());
      byMask |= shapes.isDivergent(*m) ||
                outer.nodes[outer.indexOf(m->getHeader())].linear;
    }
    e.result.diverges |= shapes.isDivergent(*l);
    double times =
        std::pow(Repeats, l->getLoopDepth() - threads.getLoopDepth());
    for (const Node &node : shapes.graphOf(*l).nodes)
      if (!node.inner)
        e.addBlock(*node.block, *l, byMask || node.linear, times);
  }
  // A chain of operations takes as long for a vector as for one thread.
  for (auto &[loop, both] : e.result.iterations) {
    double chain = recurrenceOf(*loop, loops, target);
    double busy = both.second / VectorWidth;
    both.first = std::max(both.first / ScalarWidth, chain);
    both.second = std::max(busy, chain + 2);
    if (shapes.isDivergent(*loop) && loadsForLanes(*loop, shapes))
      both.second = std::max(both.second, MaskedLoadChain);
    e.result.cycles +=
        both.second *
        std::pow(Repeats, loop->getLoopDepth() - threads.getLoopDepth());
    if (!loop->isInnermost() || loop == &threads)
      continue;
    e.result.waits |= both.second > busy * LeastWait;
    e.result.kept = std::max(e.result.kept, vectorsIn(*loop, shapes));
  }
  return e.result;
}

double recurrenceOf(const Loop &l, const LoopInfo &loops,
                    const TargetTransformInfo &target) {
  LoopBlocksRPO blocks(const_cast<Loop *>(&l));
  blocks.perform(&loops);
  DenseMap<const Value *, double> ready; // after the header's phis
  for (BasicBlock *block : blocks)
    for (Instruction &i : *block) {
      if (isa<PHINode>(i) && block == l.getHeader()) {
        ready[&i] = 0;
        continue;
      }
      double at = -1;
      for (Value *v : i.operands())
        if (auto known = ready.find(v); known != ready.end())
          at = std::max(at, known->second);
      if (at < 0)
        continue;
      InstructionCost own =
          target.getInstructionCost(&i, TargetTransformInfo::TCK_Latency);
      ready[&i] = at + (own.isValid() ? double(own.getValue()) : 1);
    }
  double longest = 0;
  for (PHINode &phi : l.getHeader()->phis())
    longest = std::max(
        longest, ready.lookup(phi.getIncomingValueForBlock(l.getLoopLatch())));
  return longest;
}

bool isWorthIt(const Estimate &e, unsigned lanes) {
  if (lanes < 4 || e.walksOwnMemory || e.followsPointers)
    return false;
  double margin = e.diverges ? 1.5 : 1.2;
  return e.vector * margin < e.scalar * lanes;
}

bool isWorthTwo(const Estimate &one, const Estimate &two,
                const TargetTransformInfo &target) {
  unsigned registers = target.getNumberOfRegisters(
      target.getRegisterClassForType(/*Vector=*/true));
  // Squares of twice as many rows would need more registers than there are.
  return one.waits && one.rows == 0 &&
         2 * (two.kept + Temporaries) <= registers &&
         two.cycles * LeastGain < one.cycles * 2;
}

} // namespace xcc::block::simd
