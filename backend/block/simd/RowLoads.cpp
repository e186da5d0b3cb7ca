// Loads from rows that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowLoads.h"

#include "llvm/Analysis/TargetTransformInfo.h"

using namespace llvm;

namespace xcc::block::simd {

void RowLoads::enter(const Loop &l) {
  if (!rows.tripsOf(l))
    return;
  AllocaInst *&count = begun[&l];
  if (!count)
    count = values.makeSlot(b.getInt64Ty(), "simd.begun");
  b.CreateStore(b.getInt64(0), count);
}

void RowLoads::repeat(const Loop &l) {
  AllocaInst *count = begun.lookup(&l);
  if (!count)
    return;
  Value *before = b.CreateLoad(b.getInt64Ty(), count);
  b.CreateStore(b.CreateNUWAdd(before, b.getInt64(1)), count);
}

/// Whether each lane has a whole vector of iterations before it, whose first
/// element is the first of the square.
Value *RowLoads::isWhole(const Square &square, Value *mask) {
  Value *whole = b.CreateAnd(b.CreateICmpUGE(square.left, b.getInt64(lanes)),
                             b.CreateICmpEQ(square.column, b.getInt64(0)));
  if (!mask)
    return whole;
  Value *all = b.CreateICmpEQ(values.bits(mask),
                              Constant::getAllOnesValue(b.getIntNTy(lanes)));
  return b.CreateAnd(whole, all);
}

/// Which elements of a row iterations want.
Value *RowLoads::wantedOf(const Square &square) {
  SmallVector<Constant *> numbers;
  for (unsigned n = 0; n != lanes; ++n)
    numbers.push_back(b.getInt64(n));
  Value *n = ConstantVector::get(numbers);
  Value *end = b.CreateAdd(square.column, square.left);
  return b.CreateAnd(
      b.CreateICmpUGE(n, b.CreateVectorSplat(lanes, square.column)),
      b.CreateICmpULT(n, b.CreateVectorSplat(lanes, end)));
}

/// Loads the part of the lanes' rows that is in the square: an element that no
/// iteration wants is not touched.
void RowLoads::loadRows(LoadInst &load, ArrayRef<AllocaInst *> slots,
                        const Square &square, Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  LLVMContext &c = f.getContext();
  BasicBlock *whole = BasicBlock::Create(c, "simd.rows", &f),
             *part = BasicBlock::Create(c, "simd.rows.part", &f),
             *loaded = BasicBlock::Create(c, "simd.rows.loaded", &f);
  auto address = [&](unsigned lane) {
    return b.CreateExtractElement(square.addresses, lane);
  };
  b.CreateCondBr(isWhole(square, mask), whole, part);
  b.SetInsertPoint(whole);
  for (unsigned lane = 0; lane != lanes; ++lane)
    b.CreateStore(b.CreateAlignedLoad(all, address(lane), load.getAlign()),
                  slots[lane]);
  b.CreateBr(loaded);

  b.SetInsertPoint(part);
  Value *wanted = wantedOf(square);
  int64_t size = f.getDataLayout().getTypeStoreSize(load.getType());
  Value *before = b.CreateMul(square.column, b.getInt64(-size));
  for (unsigned lane = 0; lane != lanes; ++lane) {
    Value *own = wanted;
    if (mask)
      own = b.CreateSelect(b.CreateExtractElement(mask, lane), wanted,
                           Constant::getNullValue(wanted->getType()));
    b.CreateStore(b.CreateMaskedLoad(all, b.CreatePtrAdd(address(lane), before),
                                     load.getAlign(), own,
                                     Constant::getNullValue(all)),
                  slots[lane]);
  }
  b.CreateBr(loaded);
  b.SetInsertPoint(loaded);
}

void RowLoads::fill(LoadInst &load, AllocaInst *memory, const Square &square,
                    Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  SmallVector<AllocaInst *> slots;
  for (unsigned lane = 0; lane != lanes; ++lane)
    slots.push_back(values.makeSlot(all, "row"));
  loadRows(load, slots, square, mask);
  SmallVector<Value *> loaded;
  for (AllocaInst *slot : slots)
    loaded.push_back(b.CreateLoad(all, slot));
  for (auto [n, column] : enumerate(transposed(std::move(loaded), b)))
    b.CreateStore(column, b.CreateConstInBoundsGEP1_64(all, memory, n));
}

/// Where in a vector of memory lane 0's first element is. Squares begin where
/// such vectors do, for a load of two cache lines costs twice as much. Where rows
/// are multiples of a vector apart, all lanes' squares do.
Value *RowLoads::firstColumn(LoadInst &load, Value *addresses) {
  if (!target.isLegalMaskedLoad(values.vectorOf(load.getType()),
                                load.getAlign(), 0))
    return b.getInt64(0);
  int64_t size = f.getDataLayout().getTypeStoreSize(load.getType());
  Value *at = b.CreatePtrToInt(b.CreateExtractElement(addresses, uint64_t(0)),
                               b.getInt64Ty());
  return b.CreateAnd(b.CreateUDiv(at, b.getInt64(size)), b.getInt64(lanes - 1));
}

Value *RowLoads::emit(LoadInst &load, Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  Type *i64 = b.getInt64Ty();
  auto *memory =
      new AllocaInst(all, f.getDataLayout().getAllocaAddrSpace(),
                     b.getInt32(lanes), "square", f.getEntryBlock().begin());
  AllocaInst *firstSlot = values.makeSlot(i64, "row.first"),
             *columnSlot = values.makeSlot(i64, "row.column");
  const Loop &l = *rows.loopOf(load);
  Value *addresses = values.vector(load.getPointerOperand());
  Value *now = b.CreateNUWSub(b.CreateLoad(i64, begun.lookup(&l)),
                              b.getInt64(1), "row.iteration");
  LLVMContext &c = f.getContext();
  BasicBlock *first = BasicBlock::Create(c, "simd.first", &f),
             *later = BasicBlock::Create(c, "simd.later", &f),
             *next = BasicBlock::Create(c, "simd.square", &f),
             *ready = BasicBlock::Create(c, "simd.column", &f);
  b.CreateCondBr(b.CreateICmpEQ(now, b.getInt64(0)), first, later);

  b.SetInsertPoint(first);
  Value *start = firstColumn(load, addresses);
  b.CreateStore(start, firstSlot);
  b.CreateStore(start, columnSlot);
  b.CreateBr(next);

  b.SetInsertPoint(later);
  Value *column = b.CreateAnd(b.CreateAdd(now, b.CreateLoad(i64, firstSlot)),
                              b.getInt64(lanes - 1));
  b.CreateStore(column, columnSlot);
  b.CreateCondBr(b.CreateICmpEQ(column, b.getInt64(0)), next, ready);

  b.SetInsertPoint(next);
  fill(load, memory,
       {addresses, b.CreateLoad(i64, columnSlot),
        b.CreateNUWSub(rows.tripsOf(l), now)},
       mask);
  b.CreateBr(ready);
  b.SetInsertPoint(ready);
  return b.CreateLoad(
      all, b.CreateInBoundsGEP(all, memory, b.CreateLoad(i64, columnSlot)));
}

} // namespace xcc::block::simd
