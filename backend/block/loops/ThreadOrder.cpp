// Order within a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectorizer joins accesses of one kind, size and stride that lie a
// constant distance apart (InterleavedAccessInfo). A load is moved to the first
// load of its group, a store to the last store of its group. So the order is at
// risk for a store and a later access of which at least one moves across the
// other.

#include "ThreadOrder.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace xcc::block {

/// In loops with more accesses, pairs are not compared.
static constexpr unsigned AccessLimit = 400;
/// The checks at run time that the vectorizer makes by default.
static constexpr unsigned CheckLimit = 8;

namespace {

struct Access {
  Instruction *i;
  const SCEV *address;
  int64_t stride; ///< in elements per iteration; 0 if it has none
  uint64_t size;
  /// Numbers of the first and last access with which this one may be joined.
  unsigned first, last;

  bool isStore() const { return isa<StoreInst>(i); }
};

class ParallelLoop {
public:
  ParallelLoop(Loop &l, Function &f, FunctionAnalysisManager &fam)
      : l(l), f(f), fam(fam), se(fam.getResult<ScalarEvolutionAnalysis>(f)),
        li(fam.getResult<LoopAnalysis>(f)),
        dt(fam.getResult<DominatorTreeAnalysis>(f)),
        aa(fam.getResult<AAManager>(f)) {}

  /// Whether anything changed.
  bool keepOrder();

private:
  void collect();
  bool findGroups();
  /// The constant distance in bytes from \p a to \p b, in one iteration.
  std::optional<int64_t> distance(const Access &a, const Access &b) const;
  bool mayBeSameMemory(const Access &a, const Access &b) const;
  /// Whether the vectorizer may, but must not, exchange store \p n and access
  /// \p later.
  bool mustNotBeExchanged(unsigned n, unsigned later) const;
  /// The accesses before which all groups have to end, in order.
  SmallVector<unsigned, 4> findBorders() const;
  bool analyzesWithoutMarks();
  void separate(ArrayRef<unsigned> borders);

  Loop &l;
  Function &f;
  FunctionAnalysisManager &fam;
  ScalarEvolution &se;
  LoopInfo &li;
  DominatorTree &dt;
  AAResults &aa;
  SmallVector<Access, 16> accesses; ///< in the order of the program
};

} // namespace

void ParallelLoop::collect() {
  const DataLayout &dl = f.getDataLayout();
  const LoopAccessInfo &info = fam.getResult<LoopAccessAnalysis>(f).getInfo(l);
  // Makes the assumptions of the vectorizer, but does not record them.
  PredicatedScalarEvolution pse(se, l);
  LoopBlocksDFS order(&l);
  order.perform(&li);
  for (BasicBlock *bb : make_range(order.beginRPO(), order.endRPO()))
    for (Instruction &i : *bb) {
      Value *address = getLoadStorePointerOperand(&i);
      if (!address)
        continue;
      Type *t = getLoadStoreType(&i);
      std::optional<int64_t> stride =
          getPtrStride(pse, t, address, &l, dt, info.getSymbolicStrides(),
                       /*Assume=*/true, /*ShouldCheckWrap=*/false);
      const SCEV *s =
          replaceSymbolicStrideSCEV(pse, info.getSymbolicStrides(), address);
      unsigned n = accesses.size();
      accesses.push_back(
          {&i, s, stride.value_or(0), dl.getTypeStoreSize(t), n, n});
    }
}

std::optional<int64_t> ParallelLoop::distance(const Access &a,
                                              const Access &b) const {
  if (a.address->getType() != b.address->getType())
    return std::nullopt;
  auto *c = dyn_cast<SCEVConstant>(se.getMinusSCEV(b.address, a.address));
  if (!c || c->getAPInt().getSignificantBits() > 63)
    return std::nullopt;
  return c->getAPInt().getSExtValue();
}

bool ParallelLoop::findGroups() {
  bool any = false;
  for (unsigned n = 0; n != accesses.size(); ++n) {
    Access &a = accesses[n];
    if (a.stride == 0 || std::abs(a.stride) == 1)
      continue;
    for (unsigned m = n + 1; m != accesses.size(); ++m) {
      Access &b = accesses[m];
      if (a.isStore() != b.isStore() || a.stride != b.stride ||
          a.size != b.size || !distance(a, b))
        continue;
      a.last = m;
      b.first = std::min(b.first, n);
      any = true;
    }
  }
  return any;
}

bool ParallelLoop::mayBeSameMemory(const Access &a, const Access &b) const {
  if (auto d = distance(a, b);
      d && (*d >= int64_t(a.size) || -*d >= int64_t(b.size)))
    return false;
  return !aa.isNoAlias(MemoryLocation::get(a.i), MemoryLocation::get(b.i));
}

bool ParallelLoop::mustNotBeExchanged(unsigned n, unsigned later) const {
  const Access &store = accesses[n], &a = accesses[later];
  bool sinks = store.last > later;
  bool rises = !a.isStore() && a.first < n;
  return (sinks || rises) && mayBeSameMemory(store, a);
}

SmallVector<unsigned, 4> ParallelLoop::findBorders() const {
  SmallVector<unsigned, 4> borders;
  unsigned begin = 0;
  for (unsigned n = 1; n != accesses.size(); ++n)
    for (unsigned s = begin; s != n; ++s)
      if (accesses[s].isStore() && mustNotBeExchanged(s, n)) {
        borders.push_back(n);
        begin = n;
        break;
      }
  return borders;
}

/// Whether LLVM can vectorize the loop, with any width, without the marks. If
/// so, removes the marks.
bool ParallelLoop::analyzesWithoutMarks() {
  MDNode *marked = l.getLoopID();
  l.setLoopID(makePostTransformationMetadata(
      f.getContext(), marked, {"llvm.loop.parallel_accesses"}, {}));
  LoopAccessInfo info(&l, &se, &fam.getResult<TargetIRAnalysis>(f),
                      &fam.getResult<TargetLibraryAnalysis>(f), &aa, &dt, &li,
                      &fam.getResult<AssumptionAnalysis>(f));
  if (info.canVectorizeMemory() &&
      info.getDepChecker().isSafeForAnyVectorWidth() &&
      !info.hasLoadStoreDependenceInvolvingLoopInvariantAddress() &&
      !info.hasStoreStoreDependenceInvolvingLoopInvariantAddress() &&
      info.getNumRuntimePointerChecks() <= CheckLimit)
    return true;
  l.setLoopID(marked);
  return false;
}

/// Adds a zero that no analysis sees through to the addresses behind each
/// border, a separate one for each, so that no distance across a border is
/// known.
void ParallelLoop::separate(ArrayRef<unsigned> borders) {
  IRBuilder<> b(l.getLoopPreheader()->getTerminator());
  Type *i64 = b.getInt64Ty();
  auto *opaque = InlineAsm::get(FunctionType::get(i64, {i64}, false), "",
                                "=r,0", /*hasSideEffects=*/false);
  for (unsigned k = 0; k != borders.size(); ++k) {
    unsigned end = k + 1 == borders.size() ? accesses.size() : borders[k + 1];
    Value *zero = nullptr;
    for (unsigned n = borders[k]; n != end; ++n) {
      Access &a = accesses[n];
      if (a.first == n && a.last == n)
        continue;
      if (!zero) {
        b.SetInsertPoint(l.getLoopPreheader()->getTerminator());
        zero = b.CreateCall(opaque, {b.getInt64(0)}, "apart");
      }
      b.SetInsertPoint(a.i);
      unsigned operand = a.isStore() ? StoreInst::getPointerOperandIndex()
                                     : LoadInst::getPointerOperandIndex();
      a.i->setOperand(operand, b.CreatePtrAdd(a.i->getOperand(operand), zero));
    }
  }
}

bool ParallelLoop::keepOrder() {
  collect();
  if (!findGroups())
    return false;
  SmallVector<unsigned, 4> borders;
  if (accesses.size() <= AccessLimit) {
    borders = findBorders();
    if (borders.empty())
      return false;
  }
  if (analyzesWithoutMarks())
    return true;
  if (accesses.size() > AccessLimit)
    for (unsigned n = 1; n != accesses.size(); ++n)
      if (accesses[n - 1].isStore())
        borders.push_back(n);
  if (!borders.empty())
    separate(borders);
  return true;
}

PreservedAnalyses KeepThreadOrderPass::run(Function &f,
                                           FunctionAnalysisManager &fam) {
  bool changed = false;
  LoopInfo &li = fam.getResult<LoopAnalysis>(f);
  for (Loop *l : li.getLoopsInPreorder()) {
    if (!l->isInnermost() || !l->isAnnotatedParallel())
      continue;
    // The vectorizer gives loops this form too.
    if (!l->isLoopSimplifyForm())
      changed |= simplifyLoop(l, &fam.getResult<DominatorTreeAnalysis>(f), &li,
                              &fam.getResult<ScalarEvolutionAnalysis>(f),
                              &fam.getResult<AssumptionAnalysis>(f),
                              /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    if (l->isLoopSimplifyForm())
      changed |= ParallelLoop(*l, f, fam).keepOrder();
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses pa;
  pa.preserve<LoopAnalysis>();
  pa.preserve<DominatorTreeAnalysis>();
  return pa;
}

} // namespace xcc::block
