// Loads from rows that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowLoads.h"

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

/// Whether each lane has as many iterations left as there are lanes.
Value *RowLoads::isWhole(Value *left, Value *mask) {
  Value *whole = b.CreateICmpUGE(left, b.getInt64(lanes));
  if (!mask)
    return whole;
  Value *all = b.CreateICmpEQ(values.bits(mask),
                              Constant::getAllOnesValue(b.getIntNTy(lanes)));
  return b.CreateAnd(whole, all);
}

/// Loads what is left of the lanes' rows, at most the square: an element that
/// no iteration wants is not touched.
void RowLoads::loadRows(LoadInst &load, ArrayRef<AllocaInst *> slots,
                        Value *addresses, Value *left, Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  LLVMContext &c = f.getContext();
  BasicBlock *whole = BasicBlock::Create(c, "simd.rows", &f),
             *part = BasicBlock::Create(c, "simd.rows.part", &f),
             *loaded = BasicBlock::Create(c, "simd.rows.loaded", &f);
  b.CreateCondBr(isWhole(left, mask), whole, part);
  b.SetInsertPoint(whole);
  for (unsigned lane = 0; lane != lanes; ++lane)
    b.CreateStore(b.CreateAlignedLoad(all,
                                      b.CreateExtractElement(addresses, lane),
                                      load.getAlign()),
                  slots[lane]);
  b.CreateBr(loaded);

  b.SetInsertPoint(part);
  SmallVector<Constant *> numbers;
  for (unsigned n = 0; n != lanes; ++n)
    numbers.push_back(b.getInt64(n));
  Value *wanted = b.CreateICmpULT(ConstantVector::get(numbers),
                                  b.CreateVectorSplat(lanes, left));
  for (unsigned lane = 0; lane != lanes; ++lane) {
    Value *own = wanted;
    if (mask)
      own = b.CreateSelect(b.CreateExtractElement(mask, lane), wanted,
                           Constant::getNullValue(wanted->getType()));
    b.CreateStore(
        b.CreateMaskedLoad(all, b.CreateExtractElement(addresses, lane),
                           load.getAlign(), own, Constant::getNullValue(all)),
        slots[lane]);
  }
  b.CreateBr(loaded);
  b.SetInsertPoint(loaded);
}

void RowLoads::fill(LoadInst &load, AllocaInst *square, Value *addresses,
                    Value *left, Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  SmallVector<AllocaInst *> slots;
  for (unsigned lane = 0; lane != lanes; ++lane)
    slots.push_back(values.makeSlot(all, "row"));
  loadRows(load, slots, addresses, left, mask);
  SmallVector<Value *> loaded;
  for (AllocaInst *slot : slots)
    loaded.push_back(b.CreateLoad(all, slot));
  for (auto [n, column] : enumerate(transposed(std::move(loaded), b)))
    b.CreateStore(column, b.CreateConstInBoundsGEP1_64(all, square, n));
}

Value *RowLoads::emit(LoadInst &load, Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  auto *square =
      new AllocaInst(all, f.getDataLayout().getAllocaAddrSpace(),
                     b.getInt32(lanes), "square", f.getEntryBlock().begin());
  const Loop &l = *rows.loopOf(load);
  Value *addresses = values.vector(load.getPointerOperand());
  Value *now = b.CreateNUWSub(b.CreateLoad(b.getInt64Ty(), begun.lookup(&l)),
                              b.getInt64(1), "row.iteration");
  Value *left = b.CreateNUWSub(rows.tripsOf(l), now, "row.left");
  Value *place = b.CreateAnd(now, b.getInt64(lanes - 1));
  LLVMContext &c = f.getContext();
  BasicBlock *next = BasicBlock::Create(c, "simd.square", &f),
             *ready = BasicBlock::Create(c, "simd.column", &f);
  b.CreateCondBr(b.CreateICmpEQ(place, b.getInt64(0)), next, ready);
  b.SetInsertPoint(next);
  fill(load, square, addresses, left, mask);
  b.CreateBr(ready);
  b.SetInsertPoint(ready);
  return b.CreateLoad(all, b.CreateInBoundsGEP(all, square, place));
}

} // namespace xcc::block::simd
