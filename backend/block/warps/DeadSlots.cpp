// Values that lanes publish and nobody reads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeadSlots.h"
#include "block/abi/KernelBody.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

/// Whether \p load reads the address of the exchange area from the block, which
/// is the first argument of a block function.
static bool isExchangeArea(const LoadInst &load) {
  if (!load.getType()->isPointerTy())
    return false;
  APInt offset(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          load.getDataLayout(), offset, /*AllowNonInbounds=*/false);
  return base == load.getFunction()->getArg(0) &&
         offset == offsetof(xcc_cpu_group, exchange);
}

namespace {

/// The accesses of a function to the exchange area.
class Slots {
public:
  explicit Slots(const DataLayout &dl) : dl(dl) {}

  /// Collects the accesses through \p address. False if it is used otherwise.
  bool find(Value &address);
  /// Replaces loads of what was stored before, in the same block. False if one
  /// remains.
  bool forwardStores();
  void dropStores();
  bool isEmpty() const { return accesses.empty(); }

private:
  struct Stored {
    StoreInst *store;
    const Value *base;
    int64_t from, to; ///< bytes
  };

  Stored placeOf(Instruction &access) const;
  Value *forwarded(LoadInst &load, ArrayRef<Stored> before) const;
  bool forwardIn(BasicBlock &block);

  const DataLayout &dl;
  SmallPtrSet<Value *, 16> addresses;
  SmallPtrSet<Instruction *, 16> accesses;
  SetVector<BasicBlock *> blocks; ///< with loads
};

} // namespace

bool Slots::find(Value &address) {
  if (!addresses.insert(&address).second)
    return true;
  for (Use &use : address.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *store = dyn_cast<StoreInst>(user);
    auto *load = dyn_cast<LoadInst>(user);
    if ((store && store->isSimple() &&
         use.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
        (load && load->isSimple())) {
      accesses.insert(user);
      if (load)
        blocks.insert(load->getParent());
    } else if (!isa<GetElementPtrInst, PHINode>(user) || !find(*user)) {
      return false;
    }
  }
  return true;
}

Slots::Stored Slots::placeOf(Instruction &access) const {
  APInt offset(64, 0);
  const Value *base =
      getLoadStorePointerOperand(&access)->stripAndAccumulateConstantOffsets(
          dl, offset, /*AllowNonInbounds=*/true);
  const int64_t from = offset.getSExtValue();
  return {dyn_cast<StoreInst>(&access), base, from,
          from + int64_t(dl.getTypeStoreSize(getLoadStoreType(&access))
                             .getFixedValue())};
}

/// The value of a vector that stores of equal vectors, side by side, wrote.
Value *Slots::forwarded(LoadInst &load, ArrayRef<Stored> before) const {
  auto *all = dyn_cast<FixedVectorType>(load.getType());
  const Stored wanted = placeOf(load);
  SmallVector<Value *, 8> parts;
  for (int64_t at = wanted.from; at != wanted.to;) {
    auto part = find_if(before, [&](const Stored &s) { return s.from == at; });
    if (!all || part == before.end())
      return nullptr;
    Value *v = part->store->getValueOperand();
    auto *t = dyn_cast<FixedVectorType>(v->getType());
    if (!t || t->getElementType() != all->getElementType() ||
        (!parts.empty() && parts[0]->getType() != t) || part->to > wanted.to)
      return nullptr;
    parts.push_back(v);
    at = part->to;
  }
  IRBuilder<> b(&load);
  return concatenateVectors(b, parts);
}

bool Slots::forwardIn(BasicBlock &block) {
  SmallVector<Stored, 8> before; ///< through the same address
  for (Instruction &i : make_early_inc_range(block)) {
    if (isa<CallBase>(i) && i.mayWriteToMemory())
      before.clear(); // other threads may run in it
    if (!accesses.contains(&i))
      continue;
    Stored place = placeOf(i);
    if (!before.empty() && before[0].base != place.base)
      before.clear();
    if (place.store) {
      erase_if(before, [&](const Stored &s) {
        return s.from < place.to && place.from < s.to;
      });
      before.push_back(place);
      continue;
    }
    Value *v = forwarded(cast<LoadInst>(i), before);
    if (!v)
      return false;
    i.replaceAllUsesWith(v);
    accesses.erase(&i);
    i.eraseFromParent();
  }
  return true;
}

bool Slots::forwardStores() {
  return all_of(blocks, [&](BasicBlock *block) { return forwardIn(*block); });
}

void Slots::dropStores() {
  for (Instruction *store : accesses)
    store->eraseFromParent();
  SmallVector<WeakTrackingVH, 16> unused(addresses.begin(), addresses.end());
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
}

PreservedAnalyses DropDeadSlotsPass::run(Function &f,
                                         FunctionAnalysisManager &) {
  if (!f.hasFnAttribute(BlockFunctionMark))
    return PreservedAnalyses::all();
  Slots slots(f.getDataLayout());
  for (Instruction &i : instructions(f)) {
    auto *load = dyn_cast<LoadInst>(&i);
    if (load && isExchangeArea(*load) && !slots.find(*load))
      return PreservedAnalyses::all();
  }
  if (slots.isEmpty())
    return PreservedAnalyses::all();
  if (slots.forwardStores())
    slots.dropStores();
  return PreservedAnalyses::none();
}

} // namespace xcc::block
