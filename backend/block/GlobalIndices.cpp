// Global indices do not wrap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalIndices.h"
#include "Intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

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

/// \p Narrow, an int made of the 64-bit index \p Wide, where it is compared or
/// widened again: the same is said of \p Wide, whose range is what the thread
/// loops and the vectorizer reason about.
static void useWide(BinaryOperator &Wide, TruncInst &Narrow) {
  Narrow.setHasNoUnsignedWrap(true);
  Narrow.setHasNoSignedWrap(true);
  for (Use &U : make_early_inc_range(Narrow.uses())) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<SExtInst, ZExtInst>(I) && I->getType() == Wide.getType()) {
      I->replaceAllUsesWith(&Wide);
      I->eraseFromParent();
    } else if (auto *Cmp = dyn_cast<ICmpInst>(I)) {
      IRBuilder<> B(Cmp);
      Value *Other = Cmp->getOperand(1 - U.getOperandNo());
      Value *WideOther = Cmp->isUnsigned()
                             ? B.CreateZExt(Other, Wide.getType())
                             : B.CreateSExt(Other, Wide.getType());
      Value *Operands[] = {&Wide, WideOther};
      bool Swap = U.getOperandNo() == 1;
      Value *WideCmp =
          B.CreateICmp(Cmp->getPredicate(), Operands[Swap], Operands[1 - Swap]);
      Cmp->replaceAllUsesWith(WideCmp);
      Cmp->eraseFromParent();
    }
  }
  if (Narrow.use_empty())
    Narrow.eraseFromParent();
}

/// What fits into 31 bits stays the same in an int and in anything wider.
static void mark(BinaryOperator &Op) {
  using namespace PatternMatch;
  Op.setHasNoUnsignedWrap();
  Op.setHasNoSignedWrap();
  if (!Op.getType()->isIntegerTy(64))
    return;
  for (User *U : make_early_inc_range(Op.users())) {
    const APInt *Right;
    if (auto *Narrow = dyn_cast<TruncInst>(U);
        Narrow && Narrow->getType()->isIntegerTy(32)) {
      useWide(Op, *Narrow);
    } else if (match(U, m_Shl(m_Specific(&Op), m_SpecificInt(32)))) {
      // Narrowed and widened, maybe scaled too: (i << 32) >> 30 is i * 4.
      for (User *V : make_early_inc_range(U->users()))
        if (match(V, m_AShr(m_Specific(U), m_APInt(Right))) && Right->ule(32)) {
          auto *Shift = cast<Instruction>(V);
          IRBuilder<> B(Shift);
          Shift->replaceAllUsesWith(B.CreateShl(&Op, 32 - Right->getZExtValue(),
                                                "", /*HasNUW=*/true,
                                                /*HasNSW=*/true));
          Shift->eraseFromParent();
        }
    }
  }
}

void markGlobalIndices(Function &Kernel) {
  // Marking erases instructions that follow.
  SmallVector<BinaryOperator *> All;
  for (Instruction &I : instructions(Kernel))
    if (auto *Op = dyn_cast<BinaryOperator>(&I);
        Op && (Op->getOpcode() == Instruction::Add ||
               Op->getOpcode() == Instruction::Mul))
      All.push_back(Op);
  for (BinaryOperator *Op : All) {
    if (isThreadCount(*Op))
      mark(*Op);
    if (Op->getOpcode() != Instruction::Add)
      continue;
    BinaryOperator *Start = nullptr;
    bool Is = eitherOrder(*Op, [&](Value *X, Value *Y) {
      Intrinsic Thread = queryOf(Y);
      if (Thread.Kind != IntrinsicKind::ThreadIdx)
        return false;
      Start = blockStart(X, Thread.Dim);
      return Start != nullptr;
    });
    if (!Is)
      continue;
    mark(*Op);
    mark(*Start);
  }
}

} // namespace xcc::block
