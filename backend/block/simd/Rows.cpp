// Rows of memory that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rows.h"
#include "Emit.h"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <numeric>

using namespace llvm;

namespace xcc::block::simd {

/// The trip count of \p l, as an i64 that is known before the thread loop, or
/// null.
const SCEV *Rows::tripCountOf(const Loop &l) const {
  const SCEV *repeats = se.getBackedgeTakenCount(&l);
  if (isa<SCEVCouldNotCompute>(repeats) ||
      repeats->getType()->getIntegerBitWidth() > 64 ||
      !se.isLoopInvariant(repeats, &threads))
    return nullptr;
  Type *t = Type::getInt64Ty(se.getContext());
  const SCEV *count = se.getTripCountFromExitCount(repeats, t, &l);
  Instruction *place = threads.getLoopPreheader()->getTerminator();
  return SCEVExpander(se, "simd").isSafeToExpandAt(count, place) ? count
                                                                 : nullptr;
}

/// Whether LLVM can vectorise \p l within a thread: it carries only inductions,
/// and sums that may be reordered.
static bool isVectorizedWithin(Loop &l, ScalarEvolution &se) {
  for (PHINode &phi : l.getHeader()->phis()) {
    if (se.isSCEVable(phi.getType()) && isa<SCEVAddRecExpr>(se.getSCEV(&phi)))
      continue;
    RecurrenceDescriptor sum;
    if (!RecurrenceDescriptor::isReductionPHI(&phi, &l, sum, nullptr, nullptr,
                                              nullptr, &se) ||
        sum.hasExactFPMath())
      return false;
  }
  return true;
}

/// Whether elements may be loaded some iterations early: all lanes leave \p l
/// together, after a known number of iterations, and nothing is stored in it.
bool Rows::isFitting(Loop &l) const {
  if (!l.isInnermost() || &l == &threads || shapes.isDivergent(l) ||
      !l.getLoopLatch() || l.getExitingBlock() != l.getLoopLatch())
    return false;
  for (BasicBlock *block : l.blocks())
    for (Instruction &i : *block)
      if (i.mayWriteToMemory() && !isDropped(i))
        return false;
  return tripCountOf(l) && !isVectorizedWithin(l, se);
}

/// The extension of the index of \p address, an element of \p size bytes, if
/// the index grows by 1 in each iteration of \p l but may wrap in its 32 bits;
/// else null.
CastInst *Rows::wrappingIndex(Value *address, const Loop &l,
                              uint64_t size) const {
  auto *gep = dyn_cast<GetElementPtrInst>(address);
  if (!gep || gep->getNumIndices() != 1 ||
      !l.isLoopInvariant(gep->getPointerOperand()) ||
      gep->getDataLayout().getTypeAllocSize(gep->getSourceElementType()) !=
          size)
    return nullptr;
  auto *extension = dyn_cast<CastInst>(gep->idx_begin()->get());
  if (!extension || !isa<ZExtInst, SExtInst>(extension) ||
      !l.contains(extension) || !extension->getSrcTy()->isIntegerTy(32))
    return nullptr;
  auto *index = dyn_cast<SCEVAddRecExpr>(se.getSCEV(extension->getOperand(0)));
  return index && index->getLoop() == &l &&
                 index->getStepRecurrence(se)->isOne()
             ? extension
             : nullptr;
}

/// Whether each iteration of \p l loads the element after the previous one's.
bool Rows::walks(LoadInst &load, const Loop &l) {
  if (!dt.dominates(load.getParent(), l.getLoopLatch()) ||
      accessKindOf(load, shapes) != AccessKind::Apart ||
      load.getType()->isPointerTy())
    return false;
  const LoopGraph &graph = shapes.graphOf(l);
  if (graph.nodes[graph.indexOf(load.getParent())].linear)
    return false;
  uint64_t size = load.getDataLayout().getTypeStoreSize(load.getType());
  auto *address =
      dyn_cast<SCEVAddRecExpr>(se.getSCEV(load.getPointerOperand()));
  if (!address || address->getLoop() != &l) {
    CastInst *extension = wrappingIndex(load.getPointerOperand(), l, size);
    if (extension)
      extensions[&load] = extension;
    return extension;
  }
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(se));
  return step && step->getAPInt() == size;
}

void Rows::find() {
  for (Loop *l : threads.getLoopsInPreorder()) {
    if (!isFitting(*l))
      continue;
    for (BasicBlock *block : l->blocks())
      for (Instruction &i : *block)
        if (auto *load = dyn_cast<LoadInst>(&i); load && walks(*load, *l)) {
          loads[load] = l;
          trips[l] = nullptr;
        }
  }
}

void Rows::expandTrips(SCEVExpander &expander) {
  for (auto &[l, count] : trips)
    count = expander.expandCodeFor(tripCountOf(*l),
                                   Type::getInt64Ty(se.getContext()),
                                   threads.getLoopPreheader()->getTerminator());
}

/// The low or high halves of the parts of \p x and \p y, with elements of both
/// in turn. Parts have \p part elements; within 128 bits this is one
/// instruction.
static Value *interleaved(Value *x, Value *y, bool high, unsigned part,
                          IRBuilder<> &b) {
  unsigned lanes = cast<FixedVectorType>(x->getType())->getNumElements();
  SmallVector<int> order;
  for (unsigned start = 0; start != lanes; start += part)
    for (unsigned n = 0; n != part; ++n)
      order.push_back(start + n / 2 + (high ? part / 2 : 0) +
                      (n % 2 ? lanes : 0));
  return b.CreateShuffleVector(x, y, order);
}

/// The even or odd parts, of \p part elements, of \p x and \p y in turn.
static Value *exchanged(Value *x, Value *y, bool odd, unsigned part,
                        IRBuilder<> &b) {
  unsigned lanes = cast<FixedVectorType>(x->getType())->getNumElements();
  SmallVector<int> order;
  for (unsigned n = 0; n != lanes; ++n) {
    unsigned from = n & ~part;
    order.push_back((odd ? from + part : from) + (n & part ? lanes : 0));
  }
  return b.CreateShuffleVector(x, y, order);
}

/// Transposes the squares of \p part by \p part elements, 128 bits wide, of
/// which groups of \p part rows consist.
static SmallVector<Value *> transposedParts(SmallVector<Value *> rows,
                                            unsigned part, IRBuilder<> &b) {
  for (unsigned stage = 1; stage < part; stage *= 2) {
    SmallVector<Value *> next(rows.size());
    for (unsigned group = 0; group != rows.size(); group += part)
      for (unsigned n = 0; n != part / 2; ++n)
        for (bool high : {false, true})
          next[group + 2 * n + high] = interleaved(
              rows[group + n], rows[group + n + part / 2], high, part, b);
    rows = std::move(next);
  }
  return rows;
}

static unsigned partOf(const Value *row, unsigned lanes) {
  return std::min<unsigned>(lanes, 128 / row->getType()->getScalarSizeInBits());
}

SmallVector<Value *> transposed(SmallVector<Value *> rows, IRBuilder<> &b) {
  unsigned lanes = rows.size(), part = partOf(rows[0], lanes);
  // First transpose squares within 128 bits of a register ...
  rows = transposedParts(std::move(rows), part, b);
  // ... and then exchange these squares.
  for (; part < lanes; part *= 2)
    for (unsigned n = 0; n != lanes; ++n)
      if ((n & part) == 0) {
        Value *x = rows[n], *y = rows[n + part];
        rows[n] = exchanged(x, y, false, part, b);
        rows[n + part] = exchanged(x, y, true, part, b);
      }
  return rows;
}

SmallVector<Value *> columnsOf(SmallVector<Value *> rows, IRBuilder<> &b) {
  unsigned lanes = rows.size(), part = partOf(rows[0], lanes);
  if (cast<FixedVectorType>(rows[0]->getType())->getNumElements() == lanes)
    return transposed(std::move(rows), b);
  // Vector n has the rows n, n + part, n + 2 * part, ... in its 128 bits.
  SmallVector<Value *> joined;
  for (unsigned n = 0; n != part; ++n) {
    SmallVector<Value *> parts;
    for (unsigned row = n; row < lanes; row += part)
      parts.push_back(rows[row]);
    joined.push_back(concatenateVectors(b, parts));
  }
  return transposedParts(std::move(joined), part, b);
}

SmallVector<Value *> rowsFrom(SmallVector<Value *> columns, IRBuilder<> &b) {
  auto *all = cast<FixedVectorType>(columns[0]->getType());
  const unsigned lanes = all->getNumElements(), part = columns.size();
  if (part == lanes)
    return transposed(std::move(columns), b);
  columns = transposedParts(std::move(columns), part, b);
  SmallVector<Value *> rows;
  for (unsigned row = 0; row != lanes; ++row) {
    SmallVector<int> order(part);
    std::iota(order.begin(), order.end(), row / part * part);
    rows.push_back(b.CreateShuffleVector(columns[row % part], order));
  }
  return rows;
}

} // namespace xcc::block::simd
