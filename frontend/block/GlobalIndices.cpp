//===-- block/GlobalIndices.cpp - Global indices do not wrap --------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlobalIndices.h"
#include "Intrinsics.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc::block {

/// The intrinsic that \p V is a call of, maybe widened.
static Intrinsic queryOf(const Value *V) {
  if (auto *Z = dyn_cast<ZExtInst>(V))
    V = Z->getOperand(0);
  auto *I = dyn_cast<Instruction>(V);
  return I ? intrinsicCalledBy(*I) : Intrinsic();
}

/// Calls \p Fn with the operands of \p I in both orders until it returns true.
template <class FnT> static bool eitherOrder(const BinaryOperator &I, FnT Fn) {
  return Fn(I.getOperand(0), I.getOperand(1)) ||
         Fn(I.getOperand(1), I.getOperand(0));
}

/// block_idx * block_dim in dimension \p Dim.
static BinaryOperator *blockStart(Value *V, unsigned Dim) {
  if (auto *Z = dyn_cast<ZExtInst>(V))
    V = Z->getOperand(0);
  auto *Mul = dyn_cast<BinaryOperator>(V);
  if (!Mul || Mul->getOpcode() != Instruction::Mul)
    return nullptr;
  bool Is = eitherOrder(*Mul, [&](Value *X, Value *Y) {
    Intrinsic Idx = queryOf(X), Size = queryOf(Y);
    return Idx.Kind == IntrinsicKind::BlockIdx && Idx.Dim == Dim &&
           Size.Kind == IntrinsicKind::BlockDim && Size.Dim == Dim;
  });
  return Is ? Mul : nullptr;
}

/// Whether \p V, or something computed from it, is used as a signed number.
static bool hasSignedUse(const Value &V, SmallPtrSetImpl<const Value *> &Seen) {
  return any_of(V.users(), [&](const User *U) {
    if (auto *Cmp = dyn_cast<ICmpInst>(U))
      return Cmp->isSigned();
    if (isa<SExtInst, SIToFPInst>(U))
      return true;
    if (auto *Op = dyn_cast<OverflowingBinaryOperator>(U))
      return Op->hasNoSignedWrap() ||
             (Seen.insert(U).second && hasSignedUse(*U, Seen));
    if (isa<PHINode, SelectInst, IntrinsicInst>(U))
      return Seen.insert(U).second && hasSignedUse(*U, Seen);
    return false;
  });
}

/// The threads of the grid in one dimension: grid_dim * block_dim.
static bool isThreadCount(const BinaryOperator &Mul) {
  return Mul.getOpcode() == Instruction::Mul &&
         eitherOrder(Mul, [](Value *X, Value *Y) {
           Intrinsic Grid = queryOf(X), Block = queryOf(Y);
           return Grid.Kind == IntrinsicKind::GridDim &&
                  Block.Kind == IntrinsicKind::BlockDim &&
                  Grid.Dim == Block.Dim;
         });
}

GlobalIndices::GlobalIndices(Function &Kernel) {
  for (Instruction &I : instructions(Kernel)) {
    if (auto *Op = dyn_cast<BinaryOperator>(&I); Op && isThreadCount(*Op)) {
      Op->setHasNoUnsignedWrap();
      SmallPtrSet<const Value *, 16> Seen;
      if (Op->getType()->isIntegerTy(32) && hasSignedUse(*Op, Seen))
        Signed.push_back(Op);
    }
    auto *Add = dyn_cast<BinaryOperator>(&I);
    if (!Add || Add->getOpcode() != Instruction::Add)
      continue;
    BinaryOperator *Start = nullptr;
    bool Is = eitherOrder(*Add, [&](Value *X, Value *Y) {
      Intrinsic Thread = queryOf(Y);
      if (Thread.Kind != IntrinsicKind::ThreadIdx)
        return false;
      Start = blockStart(X, Thread.Dim);
      return Start != nullptr;
    });
    if (!Is)
      continue;
    for (BinaryOperator *Op : {Add, Start}) {
      Op->setHasNoUnsignedWrap();
      if (Op->getType()->getIntegerBitWidth() > 32)
        Op->setHasNoSignedWrap();
    }
    SmallPtrSet<const Value *, 16> Seen;
    if (Add->getType()->isIntegerTy(32) && hasSignedUse(*Add, Seen)) {
      Signed.push_back(Add);
      Signed.push_back(Start);
    }
  }
}

void GlobalIndices::assumeNothing() const {
  for (BinaryOperator *Op : Signed)
    Op->setHasNoSignedWrap(false);
}

void GlobalIndices::assumeFewThreads() const {
  for (BinaryOperator *Op : Signed)
    Op->setHasNoSignedWrap();
}

} // namespace xcc::block
