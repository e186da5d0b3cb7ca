// Atomics within a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedAtomics.h"
#include "block/Intrinsics.h"
#include "block/regions/Uniformity.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace xcc::block {

static const Value *addressOf(const Instruction &i) {
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&i))
    return rmw->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&i))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(&i);
}

static bool isShared(const Value *address) {
  const Value *object = getUnderlyingObject(address, /*MaxLookup=*/0);
  if (auto *g = dyn_cast<GlobalVariable>(object))
    return isBlockShared(*g);
  auto *i = dyn_cast<Instruction>(object);
  return i && intrinsicCalledBy(*i).kind == IntrinsicKind::DynamicShared;
}

void makeSharedAtomicsPlain(Function &kernel, Uniformity &uniform) {
  SmallVector<Instruction *, 8> atomics;
  for (Instruction &i : instructions(kernel))
    if (i.isAtomic() && !i.isVolatile() && !isa<FenceInst>(i) &&
        isShared(addressOf(i)))
      atomics.push_back(&i);

  MDNode *serial = MDNode::get(kernel.getContext(), {});
  for (Instruction *i : atomics) {
    Instruction *next = i->getNextNode();
    Instruction *before = i->getPrevNode();
    BasicBlock *bb = i->getParent();
    if (auto *rmw = dyn_cast<AtomicRMWInst>(i))
      lowerAtomicRMWInst(rmw);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(i))
      lowerAtomicCmpXchgInst(exchange);
    else if (auto *load = dyn_cast<LoadInst>(i))
      load->setAtomic(AtomicOrdering::NotAtomic);
    else if (auto *store = dyn_cast<StoreInst>(i))
      store->setAtomic(AtomicOrdering::NotAtomic);
    for (Instruction *added = before ? before->getNextNode() : &bb->front();
         added != next; added = added->getNextNode()) {
      uniform.addDivergent(*added);
      if (isa<LoadInst, StoreInst>(added))
        added->setMetadata(SerialAccess, serial);
    }
  }
}

} // namespace xcc::block
