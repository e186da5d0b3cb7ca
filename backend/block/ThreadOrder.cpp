// Order within a thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vectorizer joins are accesses of one kind, size and stride that lie
// a constant distance apart (InterleavedAccessInfo). A load is moved to the
// first load of its group, a store to the last store of its group, so what
// matters are a store and a later access, at least one of which moves across
// the other.

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

/// In loops with more accesses not every pair is looked at.
static constexpr unsigned AccessLimit = 400;
/// As many checks at run time as the vectorizer makes of its own accord.
static constexpr unsigned CheckLimit = 8;

namespace {

struct Access {
  Instruction *I;
  const SCEV *Address;
  int64_t Stride; ///< in elements, from turn to turn; 0 if it has none
  uint64_t Size;
  /// Of the first and the last access that this one may be joined with.
  unsigned First, Last;

  bool isStore() const { return isa<StoreInst>(I); }
};

class ParallelLoop {
public:
  ParallelLoop(Loop &L, Function &F, FunctionAnalysisManager &FAM)
      : L(L), F(F), FAM(FAM), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)) {}

  /// Whether anything changed.
  bool keepOrder();

private:
  void collect();
  bool findGroups();
  /// The constant distance in bytes from \p A to \p B, in one turn.
  std::optional<int64_t> distance(const Access &A, const Access &B) const;
  bool mayBeSameMemory(const Access &A, const Access &B) const;
  /// Whether the vectorizer may exchange store \p N and access \p Later, and
  /// must not.
  bool mustNotBeExchanged(unsigned N, unsigned Later) const;
  /// The accesses before which no group may be continued, in order.
  SmallVector<unsigned, 4> findBorders() const;
  bool analyzesWithoutMarks();
  void separate(ArrayRef<unsigned> Borders);

  Loop &L;
  Function &F;
  FunctionAnalysisManager &FAM;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  AAResults &AA;
  SmallVector<Access, 16> Accesses; ///< in the order of the program
};

} // namespace

void ParallelLoop::collect() {
  const DataLayout &DL = F.getDataLayout();
  const LoopAccessInfo &Info = FAM.getResult<LoopAccessAnalysis>(F).getInfo(L);
  // What the vectorizer would assume, without having it assumed for good.
  PredicatedScalarEvolution PSE(SE, L);
  LoopBlocksDFS Order(&L);
  Order.perform(&LI);
  for (BasicBlock *BB : make_range(Order.beginRPO(), Order.endRPO()))
    for (Instruction &I : *BB) {
      Value *Address = getLoadStorePointerOperand(&I);
      if (!Address)
        continue;
      Type *T = getLoadStoreType(&I);
      std::optional<int64_t> Stride =
          getPtrStride(PSE, T, Address, &L, DT, Info.getSymbolicStrides(),
                       /*Assume=*/true, /*ShouldCheckWrap=*/false);
      const SCEV *S =
          replaceSymbolicStrideSCEV(PSE, Info.getSymbolicStrides(), Address);
      unsigned N = Accesses.size();
      Accesses.push_back(
          {&I, S, Stride.value_or(0), DL.getTypeStoreSize(T), N, N});
    }
}

std::optional<int64_t> ParallelLoop::distance(const Access &A,
                                              const Access &B) const {
  if (A.Address->getType() != B.Address->getType())
    return std::nullopt;
  auto *C = dyn_cast<SCEVConstant>(SE.getMinusSCEV(B.Address, A.Address));
  if (!C || C->getAPInt().getSignificantBits() > 63)
    return std::nullopt;
  return C->getAPInt().getSExtValue();
}

bool ParallelLoop::findGroups() {
  bool Any = false;
  for (unsigned N = 0; N != Accesses.size(); ++N) {
    Access &A = Accesses[N];
    if (A.Stride == 0 || std::abs(A.Stride) == 1)
      continue;
    for (unsigned M = N + 1; M != Accesses.size(); ++M) {
      Access &B = Accesses[M];
      if (A.isStore() != B.isStore() || A.Stride != B.Stride ||
          A.Size != B.Size || !distance(A, B))
        continue;
      A.Last = M;
      B.First = std::min(B.First, N);
      Any = true;
    }
  }
  return Any;
}

bool ParallelLoop::mayBeSameMemory(const Access &A, const Access &B) const {
  if (auto D = distance(A, B);
      D && (*D >= int64_t(A.Size) || -*D >= int64_t(B.Size)))
    return false;
  return !AA.isNoAlias(MemoryLocation::get(A.I), MemoryLocation::get(B.I));
}

bool ParallelLoop::mustNotBeExchanged(unsigned N, unsigned Later) const {
  const Access &Store = Accesses[N], &A = Accesses[Later];
  bool Sinks = Store.Last > Later;
  bool Rises = !A.isStore() && A.First < N;
  return (Sinks || Rises) && mayBeSameMemory(Store, A);
}

SmallVector<unsigned, 4> ParallelLoop::findBorders() const {
  SmallVector<unsigned, 4> Borders;
  unsigned Begin = 0;
  for (unsigned N = 1; N != Accesses.size(); ++N)
    for (unsigned S = Begin; S != N; ++S)
      if (Accesses[S].isStore() && mustNotBeExchanged(S, N)) {
        Borders.push_back(N);
        Begin = N;
        break;
      }
  return Borders;
}

/// Whether LLVM can vectorize the loop, as wide as it likes, with nothing said
/// about it. Takes the marks off for good if so.
bool ParallelLoop::analyzesWithoutMarks() {
  MDNode *Marked = L.getLoopID();
  L.setLoopID(makePostTransformationMetadata(
      F.getContext(), Marked, {"llvm.loop.parallel_accesses"}, {}));
  LoopAccessInfo Info(&L, &SE, &FAM.getResult<TargetIRAnalysis>(F),
                      &FAM.getResult<TargetLibraryAnalysis>(F), &AA, &DT, &LI,
                      &FAM.getResult<AssumptionAnalysis>(F));
  if (Info.canVectorizeMemory() &&
      Info.getDepChecker().isSafeForAnyVectorWidth() &&
      !Info.hasLoadStoreDependenceInvolvingLoopInvariantAddress() &&
      !Info.hasStoreStoreDependenceInvolvingLoopInvariantAddress() &&
      Info.getNumRuntimePointerChecks() <= CheckLimit)
    return true;
  L.setLoopID(Marked);
  return false;
}

/// Adds to the addresses behind each border a zero of its own that no analysis
/// sees through, so that no distance across a border is known.
void ParallelLoop::separate(ArrayRef<unsigned> Borders) {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Type *I64 = B.getInt64Ty();
  auto *Opaque = InlineAsm::get(FunctionType::get(I64, {I64}, false), "",
                                "=r,0", /*hasSideEffects=*/false);
  for (unsigned K = 0; K != Borders.size(); ++K) {
    unsigned End = K + 1 == Borders.size() ? Accesses.size() : Borders[K + 1];
    Value *Zero = nullptr;
    for (unsigned N = Borders[K]; N != End; ++N) {
      Access &A = Accesses[N];
      if (A.First == N && A.Last == N)
        continue;
      if (!Zero) {
        B.SetInsertPoint(L.getLoopPreheader()->getTerminator());
        Zero = B.CreateCall(Opaque, {B.getInt64(0)}, "apart");
      }
      B.SetInsertPoint(A.I);
      unsigned Operand = A.isStore() ? StoreInst::getPointerOperandIndex()
                                     : LoadInst::getPointerOperandIndex();
      A.I->setOperand(Operand, B.CreatePtrAdd(A.I->getOperand(Operand), Zero));
    }
  }
}

bool ParallelLoop::keepOrder() {
  collect();
  if (!findGroups())
    return false;
  SmallVector<unsigned, 4> Borders;
  if (Accesses.size() <= AccessLimit) {
    Borders = findBorders();
    if (Borders.empty())
      return false;
  }
  if (analyzesWithoutMarks())
    return true;
  if (Accesses.size() > AccessLimit)
    for (unsigned N = 1; N != Accesses.size(); ++N)
      if (Accesses[N - 1].isStore())
        Borders.push_back(N);
  if (!Borders.empty())
    separate(Borders);
  return true;
}

PreservedAnalyses KeepThreadOrderPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  bool Changed = false;
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->isInnermost() || !L->isAnnotatedParallel())
      continue;
    // The vectorizer gives loops this form too.
    if (!L->isLoopSimplifyForm())
      Changed |= simplifyLoop(L, &FAM.getResult<DominatorTreeAnalysis>(F), &LI,
                              &FAM.getResult<ScalarEvolutionAnalysis>(F),
                              &FAM.getResult<AssumptionAnalysis>(F),
                              /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    if (L->isLoopSimplifyForm())
      Changed |= ParallelLoop(*L, F, FAM).keepOrder();
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserve<LoopAnalysis>();
  PA.preserve<DominatorTreeAnalysis>();
  return PA;
}

} // namespace xcc::block
