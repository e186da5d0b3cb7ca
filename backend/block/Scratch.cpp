// Scratch memory of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scratch.h"

using namespace llvm;

namespace xcc::block {

/// How a value of type \p T is kept in memory: whole bytes, so that loads and
/// stores of consecutive threads can become vectors.
static Type *memoryType(Type *T) {
  if (!T->isIntegerTy() || T->getIntegerBitWidth() % 8 == 0)
    return T;
  return IntegerType::get(T->getContext(), alignTo(T->getIntegerBitWidth(), 8));
}

Scratch::Scratch(const LiveAcross &Live, const DataLayout &DL) {
  for (const PrivateArray &A : Live.Arrays)
    Items.push_back({A.Alloca,
                     alignTo(A.Alloca->getAllocationSize(DL)->getFixedValue(),
                             A.Alloca->getAlign()),
                     A.Alloca->getAlign()});
  for (const Variable &V : Live.Variables) {
    if (V.IsUniform)
      continue;
    Type *T = memoryType(V.Local->getAllocatedType());
    Items.push_back({V.Local, DL.getTypeAllocSize(T),
                     std::min(DL.getABITypeAlign(T), ScratchAlign)});
  }
  for (auto [N, I] : enumerate(Items))
    IndexOf[I.Local] = N;
  for (uint64_t A = ScratchAlign.value(); A; A /= 2)
    for (Item &I : Items)
      if (I.Alignment.value() == A) {
        I.Offset = Size;
        Size += I.Size;
      }
}

const Scratch::Item &Scratch::itemOf(const AllocaInst *Local) const {
  return Items[IndexOf.find(Local)->second];
}

void Scratch::locate(IRBuilderBase &B, Value *Base, Value *Threads) {
  for (Item &I : Items)
    I.Start = B.CreateInBoundsGEP(B.getInt8Ty(), Base,
                                  B.CreateMul(Threads, B.getInt64(I.Offset), "",
                                              /*HasNUW=*/true,
                                              /*HasNSW=*/true),
                                  I.Local->getName() + ".all");
}

Value *Scratch::addressOf(IRBuilderBase &B, const AllocaInst *Local,
                          Value *Linear) const {
  const Item &I = itemOf(Local);
  Type *T = ArrayType::get(B.getInt8Ty(), I.Size);
  return B.CreateInBoundsGEP(T, I.Start, B.CreateZExt(Linear, B.getInt64Ty()));
}

Value *Scratch::load(IRBuilderBase &B, const AllocaInst *Local,
                     Value *Linear) const {
  Type *T = Local->getAllocatedType();
  Value *V = B.CreateAlignedLoad(memoryType(T), addressOf(B, Local, Linear),
                                 itemOf(Local).Alignment, Local->getName());
  return V->getType() == T ? V : B.CreateTrunc(V, T);
}

void Scratch::store(IRBuilderBase &B, Value *V, const AllocaInst *Local,
                    Value *Linear) const {
  Type *T = memoryType(V->getType());
  if (T != V->getType())
    V = B.CreateZExt(V, T);
  B.CreateAlignedStore(V, addressOf(B, Local, Linear), itemOf(Local).Alignment);
}

} // namespace xcc::block
