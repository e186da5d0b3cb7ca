// What every thread of a block would compute
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Intrinsics.h"
#include "Regions.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::block {

/// Whether nothing in the kernel can write to its arguments: their address is
/// only loaded from and copied from.
static bool isReadOnly(const Value &Address) {
  return all_of(Address.uses(), [](const Use &U) {
    const User *I = U.getUser();
    if (isa<GetElementPtrInst>(I))
      return isReadOnly(*I);
    if (isa<MemTransferInst>(I))
      return U.getOperandNo() == 1;
    return isa<LoadInst>(I);
  });
}

namespace {

class Hoister {
public:
  Hoister(Function &Kernel, uint64_t KernargSize)
      : Kernel(Kernel), Prologue(&Kernel.getEntryBlock()),
        // The runtime aligns the segment to 64 bytes, so that much is there.
        KernargSize(std::max<uint64_t>(KernargSize, 64)),
        ConstantArgs(isReadOnly(*Kernel.getArg(0))) {}

  void run();

private:
  bool isAvailable(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || (I->getParent() == Prologue && !isa<AllocaInst>(I));
  }
  bool isArgumentLoad(const Instruction &I) const;
  bool isHoistable(const Instruction &I) const;

  Function &Kernel;
  BasicBlock *Prologue;
  uint64_t KernargSize;
  bool ConstantArgs;
};

} // namespace

bool Hoister::isArgumentLoad(const Instruction &I) const {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->isSimple() || !ConstantArgs)
    return false;
  const DataLayout &DL = Kernel.getDataLayout();
  APInt Offset(64, 0);
  const Value *Base =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true);
  return Base == Kernel.getArg(0) && !Offset.isNegative() &&
         Offset.getZExtValue() + DL.getTypeStoreSize(Load->getType()) <=
             KernargSize;
}

bool Hoister::isHoistable(const Instruction &I) const {
  if (I.isTerminator() || I.isEHPad() || isa<PHINode, AllocaInst>(I) ||
      I.getType()->isTokenTy() ||
      !all_of(I.operand_values(),
              [&](const Value *V) { return isAvailable(V); }))
    return false;
  switch (intrinsicCalledBy(I).Kind) {
  case IntrinsicKind::None:
    break;
  case IntrinsicKind::BlockIdx:
  case IntrinsicKind::BlockDim:
  case IntrinsicKind::GridDim:
  case IntrinsicKind::DynamicShared:
  case IntrinsicKind::DynamicSharedSize:
  case IntrinsicKind::Exchange:
    return true;
  default:
    return false;
  }
  if (isArgumentLoad(I))
    return true;
  return !I.mayReadOrWriteMemory() && !I.getType()->isVoidTy() &&
         isSafeToSpeculativelyExecute(&I);
}

void Hoister::run() {
  // The prologue is a block of its own: allocas first, then what is hoisted.
  BasicBlock *Body = Prologue->splitBasicBlock(
      Prologue->getFirstNonPHIOrDbgOrAlloca(), "body");
  Instruction *End = Prologue->getTerminator();
  for (Instruction &I : make_early_inc_range(*Body))
    if (auto *A = dyn_cast<AllocaInst>(&I);
        A && isa<ConstantInt>(A->getArraySize()))
      A->moveBefore(End->getIterator());

  ReversePostOrderTraversal<Function *> Order(&Kernel);
  MDNode *Empty = MDNode::get(Kernel.getContext(), {});
  for (BasicBlock *BB : Order) {
    if (BB == Prologue)
      continue;
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!isHoistable(I))
        continue;
      if (isa<LoadInst>(I))
        I.setMetadata(LLVMContext::MD_invariant_load, Empty);
      // Facts that held where it was need not hold for all threads.
      else
        I.dropUBImplyingAttrsAndMetadata();
      I.moveBefore(End->getIterator());
    }
  }
}

void hoistPrologue(Function &Kernel, uint64_t KernargSize) {
  Hoister(Kernel, KernargSize).run();
}

} // namespace xcc::block
