// How values differ between threads that run side by side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shapes.h"

#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block::simd {

/// The constant that \p s grows by in each iteration of \p l.
static std::optional<int64_t> stepOf(const SCEV *s, const Loop &l,
                                     ScalarEvolution &se) {
  auto *sum = dyn_cast<SCEVAddRecExpr>(s);
  if (!sum || sum->getLoop() != &l || !sum->isAffine())
    return std::nullopt;
  auto *step = dyn_cast<SCEVConstant>(sum->getStepRecurrence(se));
  if (!step || step->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return step->getAPInt().getSExtValue();
}

/// The shape of \p a plus \p sign times \p b.
static Shape sum(Shape a, Shape b, int64_t sign = 1) {
  if (b.isUniform())
    return a;
  if (!a.isUniform() && a.swap != b.swap)
    return Shape::varying();
  int64_t stride = a.stride + sign * b.stride;
  return {Shape::Strided, stride, stride ? b.swap : nullptr};
}

/// The shape of a value of shape \p s times \p factor.
static Shape times(Shape s, int64_t factor) {
  int64_t stride = s.stride * factor;
  return {Shape::Strided, stride, stride ? s.swap : nullptr};
}

const char *Shapes::seed() {
  LoopBlocksRPO blocks(&threads);
  blocks.perform(&loops);
  append_range(order, blocks);
  for (Loop *l : threads.getLoopsInPreorder()) {
    graphs[l] = LoopGraph::create(*l, loops);
    if (!graphs[l])
      return "its control flow is irreducible";
  }
  for (PHINode &phi : threads.getHeader()->phis()) {
    if (!se.isSCEVable(phi.getType()))
      return "threads hand a value on to the next";
    std::optional<int64_t> step = stepOf(se.getSCEV(&phi), threads, se);
    if (!step)
      return "threads hand a value on to the next";
    shapes[&phi] = {Shape::Strided, *step};
  }
  return nullptr;
}

const char *Shapes::analyse() {
  if (const char *why = seed())
    return why;
  do
    while (propagate())
      ;
  while (spread());
  if (divergent.contains(&threads))
    return "threads leave it in several ways";
  for (auto &[loop, graph] : graphs)
    if (!graph->linearise())
      return "its control flow is not structured";
  for (BasicBlock *block : order)
    for (Instruction &i : *block)
      if (auto *compare = dyn_cast<ICmpInst>(&i);
          compare && of(&i).isVarying() && endInLanes(*compare))
        laneComparisons.insert(compare);
  return nullptr;
}

bool Shapes::propagate() {
  bool changed = false;
  for (BasicBlock *block : order)
    for (Instruction &i : *block) {
      if (block == threads.getHeader() && isa<PHINode>(i))
        continue;
      Shape &known = shapes[&i];
      if (known.isVarying())
        continue;
      Shape now = compute(i);
      if (now.kind == Shape::Unknown || now == known)
        continue;
      known = known.kind == Shape::Unknown ? now : Shape::varying();
      changed = true;
    }
  return changed;
}

/// Makes node \p n divergent. \returns whether it was not divergent before.
bool Shapes::split(LoopGraph &graph, unsigned n) {
  Node &node = graph.nodes[n];
  if (node.divergent)
    return false;
  node.divergent = true;
  for (unsigned join : graph.joinsOf(n))
    joins.insert(graph.nodes[join].block);
  bool leaves = node.exits;
  for (unsigned m : graph.regionOf(n).set_bits())
    leaves |= graph.nodes[m].exits;
  if (leaves)
    divergent.insert(&graph.loop);
  return true;
}

/// Finds branches and loops that are divergent because of shapes.
/// \returns whether there are new ones.
bool Shapes::spread() {
  bool changed = false;
  for (auto &[loop, graph] : graphs)
    for (unsigned n = 0; n != graph->nodes.size(); ++n) {
      Node &node = graph->nodes[n];
      // The number of threads decides when the thread loop ends.
      if (node.block == threads.getLoopLatch() && !node.inner)
        continue;
      if (!node.inner) {
        auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
        if (branch && branch->isConditional() &&
            !of(branch->getCondition()).isUniform() &&
            branch->getSuccessor(0) != branch->getSuccessor(1))
          changed |= split(*graph, n);
        continue;
      }
      if (!divergent.contains(node.inner))
        continue;
      // Lanes leave one after the other, and wait for the last.
      if (node.exits && loop != &threads)
        changed |= divergent.insert(loop).second;
      if (!node.inner->getUniqueExitBlock())
        changed |= split(*graph, n);
      SmallVector<BasicBlock *, 4> exits;
      node.inner->getExitBlocks(exits);
      for (BasicBlock *exit : exits)
        changed |= joins.insert(exit).second;
    }
  return changed;
}

Shape Shapes::ofPhi(PHINode &phi) const {
  Value *same = phi.hasConstantValue();
  bool joined = joins.contains(phi.getParent());
  if (joined && same && phi.getNumIncomingValues() != 0) {
    // Lanes leave the loop at different times, so a value that changes in it
    // differs between lanes.
    auto *i = dyn_cast<Instruction>(same);
    Loop *home = i ? loops.getLoopFor(i->getParent()) : nullptr;
    if (home && !home->contains(phi.getParent()))
      return Shape::varying();
    return of(same);
  }
  Shape result;
  for (Value *v : phi.incoming_values()) {
    Shape s = of(v);
    if (s.kind == Shape::Unknown)
      continue;
    if (joined || s.isVarying() ||
        (result.kind != Shape::Unknown && !(result == s)))
      return Shape::varying();
    result = s;
  }
  return result;
}

Shape Shapes::ofAddress(GetElementPtrInst &gep) const {
  const DataLayout &dl = gep.getDataLayout();
  if (gep.getType()->isVectorTy())
    return Shape::varying();
  Shape address = of(gep.getPointerOperand());
  for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end;
       ++it) {
    Shape own = of(it.getOperand());
    if (own.isUniform())
      continue;
    // Narrower indices are extended, and may wrap before.
    if (it.getOperand()->getType()->getIntegerBitWidth() !=
        dl.getIndexTypeSizeInBits(gep.getType()))
      return Shape::varying();
    address =
        sum(address, times(own, int64_t(it.getSequentialElementStride(dl))));
    if (address.isVarying())
      return address;
  }
  return address;
}

/// The sum that \p extension extends, if it is the thread index times a
/// constant plus a value that is known before the thread loop; otherwise null.
const SCEVAddRecExpr *Shapes::extendedSum(const CastInst &extension) const {
  Value *narrow = extension.getOperand(0);
  if (!narrow->getType()->isIntegerTy() || narrow->getType()->isIntegerTy(1))
    return nullptr;
  const SCEV *sum = se.getSCEV(narrow);
  if (!stepOf(sum, threads, se))
    return nullptr;
  auto *known = cast<SCEVAddRecExpr>(sum);
  return SCEVExpander(se, "simd")
                 .isSafeToExpandAt(known->getStart(),
                                   threads.getLoopPreheader()->getTerminator())
             ? known
             : nullptr;
}

/// An extended value still grows by a constant only if no thread's value wraps,
/// even of inactive threads: the index of the thread loop does not wrap, or the
/// sum is checked before the loop.
Shape Shapes::ofExtension(CastInst &cast) const {
  if (auto step = stepOf(se.getSCEV(&cast), threads, se))
    return {Shape::Strided, *step};
  if (const SCEVAddRecExpr *sum = extendedSum(cast))
    return {Shape::Strided, *stepOf(sum, threads, se)};
  // Only low bits differ between lanes.
  auto *narrow = dyn_cast<Instruction>(cast.getOperand(0));
  if (narrow && narrow->getOpcode() == Instruction::Xor &&
      narrow->getType()->getIntegerBitWidth() > Log2_32(lanes))
    return of(narrow);
  return Shape::varying();
}

/// Whether \p v grows by 1 from thread to thread and is a multiple of `lanes`
/// for lane 0 of each vector.
bool Shapes::startsVectors(const Value *v) const {
  auto *count = dyn_cast<SCEVAddRecExpr>(se.getSCEV(const_cast<Value *>(v)));
  return of(v) == Shape{Shape::Strided, 1} && count &&
         count->getLoop() == &threads &&
         se.getMinTrailingZeros(count->getStart()) >= Log2_32(lanes);
}

/// An index with bits that all lanes flip. Flipping low bits exchanges the
/// lanes' indices; flipping others moves the vector as a whole.
Shape Shapes::ofXor(Instruction &i) const {
  Value *index = i.getOperand(0), *by = i.getOperand(1);
  if (of(index).isUniform())
    std::swap(index, by);
  auto *flipped = dyn_cast<Instruction>(by);
  return startsVectors(index) && !(flipped && threads.contains(flipped))
             ? Shape{Shape::Strided, 1, by}
             : Shape::varying();
}

bool Shapes::endsInLane(const Value *v) const {
  if (v->getType()->getScalarSizeInBits() <= Log2_32(lanes))
    return false;
  if (startsVectors(v))
    return true;
  auto *i = dyn_cast<Instruction>(v);
  if (!i || !(of(v).kind == Shape::Strided && of(v).stride == 1))
    return false;
  if (i->getOpcode() == Instruction::Xor)
    return of(v).swap;
  return isa<ZExtInst, SExtInst, TruncInst>(i) && endsInLane(i->getOperand(0));
}

bool Shapes::endInLanes(const ICmpInst &compare) const {
  return compare.getOperand(0)->getType()->isIntegerTy() &&
         endsInLane(compare.getOperand(0)) && endsInLane(compare.getOperand(1));
}

/// If the low bits of both indices are equal in each lane, the other bits
/// decide, and those are the same for all lanes.
Shape Shapes::ofCompare(ICmpInst &compare) const {
  if (!endInLanes(compare))
    return Shape::varying();
  auto low = [&](unsigned n) -> std::optional<uint64_t> {
    const Value *by = of(compare.getOperand(n)).swap;
    auto *constant = dyn_cast_or_null<ConstantInt>(by);
    if (by && !constant)
      return std::nullopt;
    return constant
               ? constant->getValue().extractBitsAsZExtValue(Log2_32(lanes), 0)
               : 0;
  };
  return low(0) && low(0) == low(1) ? Shape::uniform() : Shape::varying();
}

/// The warp of a thread, or its lane there: the mask clears all bits in which
/// the lanes of a vector differ, or keeps all of them.
Shape Shapes::ofAnd(Instruction &i) const {
  const APInt *bits;
  if (!match(i.getOperand(1), m_APInt(bits)) || !startsVectors(i.getOperand(0)))
    return Shape::varying();
  if (bits->countr_zero() >= Log2_32(lanes))
    return Shape::uniform();
  return bits->countr_one() >= Log2_32(lanes) ? Shape{Shape::Strided, 1}
                                              : Shape::varying();
}

SmallVector<const SCEVPredicate *> Shapes::assumptions() const {
  SmallVector<const SCEVPredicate *> found;
  for (BasicBlock *block : order)
    for (Instruction &i : *block) {
      auto *cast = dyn_cast<CastInst>(&i);
      if (!cast || !isa<SExtInst, ZExtInst>(cast) || of(cast).isUniform() ||
          of(cast).isVarying() || of(cast).swap ||
          stepOf(se.getSCEV(cast), threads, se))
        continue;
      const SCEVPredicate *p = se.getWrapPredicate(
          extendedSum(*cast), isa<SExtInst>(cast)
                                  ? SCEVWrapPredicate::IncrementNSSW
                                  : SCEVWrapPredicate::IncrementNUSW);
      if (!is_contained(found, p))
        found.push_back(p);
    }
  return found;
}

Shape Shapes::ofArithmetic(Instruction &i) const {
  auto operand = [&](unsigned n) { return of(i.getOperand(n)); };
  switch (i.getOpcode()) {
  case Instruction::Add:
    return sum(operand(0), operand(1));
  case Instruction::Sub:
    return sum(operand(0), operand(1), -1);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(i).isDisjoint())
      return sum(operand(0), operand(1));
    return Shape::varying();
  case Instruction::Xor:
    return ofXor(i);
  case Instruction::And:
    return ofAnd(i);
  case Instruction::LShr: {
    const APInt *by;
    return match(i.getOperand(1), m_APInt(by)) && by->uge(Log2_32(lanes)) &&
                   startsVectors(i.getOperand(0))
               ? Shape::uniform()
               : Shape::varying();
  }
  case Instruction::Mul:
  case Instruction::Shl: {
    auto *factor = dyn_cast<ConstantInt>(i.getOperand(1));
    if (!factor || factor->getValue().getSignificantBits() > 31)
      return Shape::varying();
    int64_t by = factor->getSExtValue();
    if (i.getOpcode() == Instruction::Mul)
      return times(operand(0), by);
    return by < 31 ? times(operand(0), int64_t(1) << by) : Shape::varying();
  }
  case Instruction::Trunc:
  case Instruction::Freeze:
    if (i.getType()->isIntegerTy(1))
      return Shape::varying();
    return operand(0);
  case Instruction::Select:
    return operand(0).isUniform() && operand(1) == operand(2)
               ? operand(1)
               : Shape::varying();
  default:
    return Shape::varying();
  }
}

Shape Shapes::compute(Instruction &i) const {
  if (auto *phi = dyn_cast<PHINode>(&i))
    return ofPhi(*phi);
  bool uniform = true, varying = false;
  for (Value *v : i.operands()) {
    if (isa<BasicBlock>(v))
      continue;
    Shape s = of(v);
    if (s.kind == Shape::Unknown)
      return {};
    uniform &= s.isUniform();
    varying |= s.isVarying();
  }
  if (uniform)
    return Shape::uniform();
  if (varying)
    return Shape::varying();
  Shape s = Shape::varying();
  if (auto *gep = dyn_cast<GetElementPtrInst>(&i))
    s = ofAddress(*gep);
  else if (isa<SExtInst, ZExtInst>(i))
    s = ofExtension(cast<CastInst>(i));
  else if (auto *compare = dyn_cast<ICmpInst>(&i))
    s = ofCompare(*compare);
  else if (i.getType()->isIntegerTy())
    s = ofArithmetic(i);
  // A stride that sums might make overflow is treated as varying.
  return std::abs(s.stride) < (int64_t(1) << 31) ? s : Shape::varying();
}

} // namespace xcc::block::simd
