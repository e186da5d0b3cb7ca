// Loops taken by all threads together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interchange.h"
#include "Intrinsics.h"
#include "Uniformity.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc::block {

/// Values that a loop may carry from turn to turn, or take from before it, and
/// that differ between threads: each is a load, and maybe a store, per turn.
static constexpr unsigned CarriedLimit = 8, TakenLimit = 12;
/// Fewer instructions than this do not pay for the loop over threads.
static constexpr unsigned SizeLimit = 400;

namespace {

class Judge {
public:
  Judge(const Loop &L, const Uniformity &Uniform, const DataLayout &DL)
      : L(L), Uniform(Uniform), DL(DL) {}

  bool isBetterTogether();

private:
  /// How far apart \p V is for neighbouring threads; none if unknown.
  std::optional<int64_t> stride(const Value *V, unsigned Depth = 0) const;
  bool isGoodAccess(const Value &Address, Type *T);

  const Loop &L;
  const Uniformity &Uniform;
  const DataLayout &DL;
};

} // namespace

std::optional<int64_t> Judge::stride(const Value *V, unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Uniform.isUniform(*I))
    return 0;
  if (Depth > 12)
    return std::nullopt;
  Intrinsic In = intrinsicCalledBy(*I);
  if (In.Kind == IntrinsicKind::LinearThread ||
      (In.Kind == IntrinsicKind::ThreadIdx && In.Dim == 0))
    return 1;
  if (In.Kind == IntrinsicKind::ThreadIdx)
    return 0; // neighbours are so in x

  auto Of = [&](unsigned N) { return stride(I->getOperand(N), Depth + 1); };
  if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
    std::optional<int64_t> Sum = Of(0);
    for (auto It = gep_type_begin(GEP), E = gep_type_end(GEP); It != E; ++It) {
      auto Index = stride(It.getOperand(), Depth + 1);
      if (!Sum || !Index)
        return std::nullopt;
      if (*Index)
        *Sum += *Index * int64_t(It.getSequentialElementStride(DL));
    }
    return Sum;
  }
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or: {
    auto X = Of(0), Y = Of(1);
    if (!X || !Y)
      return std::nullopt;
    return I->getOpcode() == Instruction::Sub ? *X - *Y : *X + *Y;
  }
  case Instruction::Mul:
  case Instruction::Shl: {
    auto X = Of(0), Y = Of(1);
    if (X == 0 && Y == 0)
      return 0;
    auto *C = dyn_cast<ConstantInt>(I->getOperand(1));
    if (!X || !C)
      return std::nullopt;
    return I->getOpcode() == Instruction::Mul
               ? *X * C->getSExtValue()
               : *X * (int64_t(1) << (C->getZExtValue() & 63));
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return Of(0);
  default:
    break;
  }
  // What only depends on y and z does not differ between neighbours, but what
  // is computed in another way from x does.
  if (!isa<BinaryOperator, ICmpInst, SelectInst>(I))
    return std::nullopt;
  for (const Use &U : I->operands())
    if (stride(U, Depth + 1) != 0)
      return std::nullopt;
  return 0;
}

bool Judge::isGoodAccess(const Value &Address, Type *T) {
  auto S = stride(&Address);
  return S && (*S == 0 || *S == int64_t(DL.getTypeStoreSize(T)));
}

bool Judge::isBetterTogether() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!L.isInnermost() || !Latch || L.getExitingBlock() != Latch ||
      !isa<BranchInst>(Latch->getTerminator()) ||
      !Uniform.isUniformUse(Latch->getTerminator()->getOperandUse(0)))
    return false;

  unsigned Carried = 0, Size = 0, Divergent = 0;
  for (const PHINode &Phi : L.getHeader()->phis())
    Carried += !Uniform.isUniform(Phi);
  SmallPtrSet<const Value *, 16> Taken;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (++Size > SizeLimit)
        return false;
      Divergent += !I.isTerminator() && !Uniform.isUniform(I);
      for (const Value *Op : I.operand_values())
        if (auto *Def = dyn_cast<Instruction>(Op);
            Def && !L.contains(Def) && !Uniform.isUniform(*Def) && !stride(Def))
          Taken.insert(Def);
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        if (!Load->isSimple() ||
            !isGoodAccess(*Load->getPointerOperand(), Load->getType()))
          return false;
      } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
        if (!Store->isSimple() ||
            !isGoodAccess(*Store->getPointerOperand(),
                          Store->getValueOperand()->getType()))
          return false;
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (!Call->doesNotAccessMemory())
          return false;
        // A call of a function keeps the loop from being a vector loop.
        if (!isa<IntrinsicInst>(Call) && !intrinsicCalledBy(I))
          return false;
      } else if (I.mayReadOrWriteMemory()) {
        return false;
      }
    }
  return Divergent > 0 && Carried <= CarriedLimit && Taken.size() <= TakenLimit;
}

SmallVector<BasicBlock *, 4> findInterchangeable(Function &Kernel,
                                                 const Uniformity &Uniform) {
  DominatorTree DT(Kernel);
  LoopInfo Loops(DT);
  SmallVector<BasicBlock *, 4> Latches;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (Judge(*L, Uniform, Kernel.getDataLayout()).isBetterTogether())
      Latches.push_back(L->getLoopLatch());
  return Latches;
}

} // namespace xcc::block
