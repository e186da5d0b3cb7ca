// Scratch memory of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scratch.h"

using namespace llvm;

namespace xcc::block {

/// The type that holds a value of type \p t in memory. It has whole bytes, so
/// that loads and stores of consecutive threads can become vectors.
static Type *memoryType(Type *t) {
  if (!t->isIntegerTy() || t->getIntegerBitWidth() % 8 == 0)
    return t;
  return IntegerType::get(t->getContext(), alignTo(t->getIntegerBitWidth(), 8));
}

Scratch::Scratch(const LiveAcross &live, const DataLayout &dl) {
  for (const PrivateArray &a : live.arrays)
    items.push_back({a.slot,
                     alignTo(a.slot->getAllocationSize(dl)->getFixedValue(),
                             a.slot->getAlign()),
                     a.slot->getAlign()});
  for (const Variable &v : live.variables) {
    if (v.isUniform)
      continue;
    Type *t = memoryType(v.local->getAllocatedType());
    items.push_back({v.local, dl.getTypeAllocSize(t),
                     std::min(dl.getABITypeAlign(t), ScratchAlign)});
  }
  for (auto [n, i] : enumerate(items))
    indexOf[i.local] = n;
  for (uint64_t a = ScratchAlign.value(); a; a /= 2)
    for (Item &i : items)
      if (i.alignment.value() == a) {
        i.offset = size_;
        size_ += i.size;
      }
}

const Scratch::Item &Scratch::itemOf(const AllocaInst *local) const {
  return items[indexOf.find(local)->second];
}

void Scratch::locate(IRBuilderBase &b, Value *base, Value *threads) {
  for (Item &i : items)
    i.start = b.CreateInBoundsGEP(b.getInt8Ty(), base,
                                  b.CreateMul(threads, b.getInt64(i.offset), "",
                                              /*HasNUW=*/true,
                                              /*HasNSW=*/true),
                                  i.local->getName() + ".all");
}

void Scratch::locateOnStack(Function &f) {
  IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
  for (Item &i : items) {
    Type *all = ArrayType::get(ArrayType::get(b.getInt8Ty(), i.size),
                               XCC_CPU_WARP_SIZE);
    AllocaInst *a = b.CreateAlloca(all, nullptr, i.local->getName() + ".lanes");
    a->setAlignment(ScratchAlign);
    i.start = a;
  }
}

SmallVector<const AllocaInst *, 8> Scratch::onStack() const {
  SmallVector<const AllocaInst *, 8> all;
  for (const Item &i : items)
    if (auto *a = dyn_cast_or_null<AllocaInst>(i.start))
      all.push_back(a);
  return all;
}

Value *Scratch::addressOf(IRBuilderBase &b, const AllocaInst *local,
                          Value *linear) const {
  const Item &i = itemOf(local);
  Type *t = ArrayType::get(b.getInt8Ty(), i.size);
  return b.CreateInBoundsGEP(t, i.start, b.CreateZExt(linear, b.getInt64Ty()));
}

Value *Scratch::load(IRBuilderBase &b, const AllocaInst *local,
                     Value *linear) const {
  Type *t = local->getAllocatedType();
  Value *v = b.CreateAlignedLoad(memoryType(t), addressOf(b, local, linear),
                                 itemOf(local).alignment, local->getName());
  return v->getType() == t ? v : b.CreateTrunc(v, t);
}

void Scratch::store(IRBuilderBase &b, Value *v, const AllocaInst *local,
                    Value *linear) const {
  Type *t = memoryType(v->getType());
  if (t != v->getType())
    v = b.CreateZExt(v, t);
  b.CreateAlignedStore(v, addressOf(b, local, linear), itemOf(local).alignment);
}

} // namespace xcc::block
