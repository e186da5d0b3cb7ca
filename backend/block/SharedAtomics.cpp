// Atomics within a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedAtomics.h"
#include "Intrinsics.h"
#include "Uniformity.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace xcc::block {

static const Value *addressOf(const Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

/// Whether \p Address is in the block's own memory.
static bool isShared(const Value *Address) {
  const Value *Object = getUnderlyingObject(Address, /*MaxLookup=*/0);
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return isBlockShared(*G);
  auto *I = dyn_cast<Instruction>(Object);
  return I && intrinsicCalledBy(*I).Kind == IntrinsicKind::DynamicShared;
}

void makeSharedAtomicsPlain(Function &Kernel, Uniformity &Uniform) {
  SmallVector<Instruction *, 8> Atomics;
  for (Instruction &I : instructions(Kernel))
    if (I.isAtomic() && !I.isVolatile() && !isa<FenceInst>(I) &&
        isShared(addressOf(I)))
      Atomics.push_back(&I);

  MDNode *Serial = MDNode::get(Kernel.getContext(), {});
  for (Instruction *I : Atomics) {
    Instruction *Next = I->getNextNode();
    Instruction *Before = I->getPrevNode();
    BasicBlock *BB = I->getParent();
    if (auto *RMW = dyn_cast<AtomicRMWInst>(I))
      lowerAtomicRMWInst(RMW);
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(I))
      lowerAtomicCmpXchgInst(Exchange);
    else if (auto *Load = dyn_cast<LoadInst>(I))
      Load->setAtomic(AtomicOrdering::NotAtomic);
    else if (auto *Store = dyn_cast<StoreInst>(I))
      Store->setAtomic(AtomicOrdering::NotAtomic);
    for (Instruction *New = Before ? Before->getNextNode() : &BB->front();
         New != Next; New = New->getNextNode()) {
      Uniform.addDivergent(*New);
      if (isa<LoadInst, StoreInst>(New))
        New->setMetadata(SerialAccess, Serial);
    }
  }
}

} // namespace xcc::block
