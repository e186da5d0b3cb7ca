// Loads from rows that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowLoads.h"

#include "llvm/Analysis/TargetTransformInfo.h"

using namespace llvm;

namespace xcc::block::simd {

/// A row with fewer squares is short.
static constexpr unsigned ShortRow = 4;

void RowLoads::enter(const Loop &l, BasicBlock *squares) {
  if (!rows.tripsOf(l))
    return;
  Walk &walk = walks[&l];
  walk.squares = squares;
  walk.begun = values.makeSlot(b.getInt64Ty(), "simd.begun");
  walk.first = values.makeSlot(b.getInt64Ty(), "row.first");
  walk.column = values.makeSlot(b.getInt64Ty(), "row.column");
  b.CreateStore(b.getInt64(0), walk.begun);
}

void RowLoads::count(const Walk &walk, uint64_t iterations) {
  Value *before = b.CreateLoad(b.getInt64Ty(), walk.begun);
  b.CreateStore(b.CreateNUWAdd(before, b.getInt64(iterations)), walk.begun);
}

void RowLoads::repeat(const Loop &l) {
  if (auto walk = walks.find(&l); walk != walks.end() && !inSquare)
    count(walk->second, 1);
}

void RowLoads::beginSquare(const Loop &l) {
  count(walks.find(&l)->second, lanes - 1);
}

void RowLoads::endSquare() {
  inSquare.reset();
  columns.clear();
}

/// Whether no lane's index wraps in the square; null if none could.
Value *RowLoads::fits(LoadInst &load, Value *mask) {
  CastInst *extension = rows.extensionOf(load);
  if (!extension)
    return nullptr;
  const bool isSigned = isa<SExtInst>(extension);
  Value *index = values.vector(extension->getOperand(0));
  APInt most = isSigned ? APInt::getSignedMaxValue(32) : APInt::getMaxValue(32);
  Value *fit =
      b.CreateICmp(isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, index,
                   ConstantInt::get(index->getType(), most - (lanes - 1)));
  if (mask)
    fit = b.CreateSelect(mask, fit, Constant::getAllOnesValue(fit->getType()));
  return b.CreateICmpEQ(values.bits(fit),
                        Constant::getAllOnesValue(b.getIntNTy(lanes)));
}

/// Whether all lanes have as many iterations left as a square has columns, and
/// this iteration is at its first column.
Value *RowLoads::isWhole(LoadInst &load, const Square &square, Value *mask) {
  Value *whole = b.CreateAnd(b.CreateICmpUGE(square.left, b.getInt64(lanes)),
                             b.CreateICmpEQ(square.column, b.getInt64(0)));
  if (Value *fit = fits(load, mask))
    whole = b.CreateAnd(whole, fit);
  if (!mask)
    return whole;
  Value *all = b.CreateICmpEQ(values.bits(mask),
                              Constant::getAllOnesValue(b.getIntNTy(lanes)));
  return b.CreateAnd(whole, all);
}

/// A mask of the row's elements that iterations use.
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

/// Loads a whole square, a vector of each lane's row, and returns its columns.
SmallVector<Value *> RowLoads::loadWhole(LoadInst &load, Value *addresses) {
  SmallVector<Value *> loaded;
  for (unsigned lane = 0; lane != lanes; ++lane)
    loaded.push_back(b.CreateAlignedLoad(
        values.vectorOf(load.getType()),
        b.CreateExtractElement(addresses, lane), load.getAlign()));
  return transposed(std::move(loaded), b);
}

/// The same for a part of a square. Elements that no iteration uses are not
/// loaded.
SmallVector<Value *> RowLoads::loadPart(LoadInst &load, const Square &square,
                                        Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  Value *wanted = wantedOf(square);
  int64_t size = f.getDataLayout().getTypeStoreSize(load.getType());
  Value *before = b.CreateMul(square.column, b.getInt64(-size));
  SmallVector<Value *> loaded;
  for (unsigned lane = 0; lane != lanes; ++lane) {
    Value *own = wanted;
    if (mask)
      own = b.CreateSelect(b.CreateExtractElement(mask, lane), wanted,
                           Constant::getNullValue(wanted->getType()));
    Value *address = b.CreateExtractElement(square.addresses, lane);
    loaded.push_back(b.CreateMaskedLoad(all, b.CreatePtrAdd(address, before),
                                        load.getAlign(), own,
                                        Constant::getNullValue(all)));
  }
  return transposed(std::move(loaded), b);
}

/// The same if the index of a lane may wrap: each element has an address of its
/// own.
SmallVector<Value *> RowLoads::gather(LoadInst &load, const Square &square,
                                      Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  CastInst *extension = rows.extensionOf(load);
  auto *gep = cast<GetElementPtrInst>(load.getPointerOperand());
  Value *now = values.vector(extension->getOperand(0));
  Value *wanted = wantedOf(square);
  SmallVector<Value *> columns;
  for (unsigned n = 0; n != lanes; ++n) {
    Value *after = b.CreateTrunc(b.CreateSub(b.getInt64(n), square.column),
                                 b.getInt32Ty());
    Value *index =
        b.CreateCast(extension->getOpcode(),
                     b.CreateAdd(now, b.CreateVectorSplat(lanes, after)),
                     values.vectorOf(extension->getType()));
    Value *address =
        b.CreateGEP(gep->getSourceElementType(),
                    values.vector(gep->getPointerOperand()), index);
    Value *own = b.CreateVectorSplat(lanes, b.CreateExtractElement(wanted, n));
    if (mask)
      own = b.CreateSelect(mask, own, Constant::getNullValue(own->getType()));
    columns.push_back(b.CreateMaskedGather(all, address, load.getAlign(), own,
                                           Constant::getNullValue(all)));
  }
  return columns;
}

/// What \p first gives if \p condition holds, else what \p second gives.
SmallVector<Value *>
RowLoads::either(Value *condition, function_ref<SmallVector<Value *>()> first,
                 function_ref<SmallVector<Value *>()> second) {
  LLVMContext &c = f.getContext();
  BasicBlock *blocks[] = {BasicBlock::Create(c, "simd.rows.fit", &f),
                          BasicBlock::Create(c, "simd.rows.other", &f)},
             *loaded = BasicBlock::Create(c, "simd.rows.loaded", &f);
  b.CreateCondBr(condition, blocks[0], blocks[1]);
  SmallVector<Value *> from[2];
  for (unsigned n = 0; n != 2; ++n) {
    b.SetInsertPoint(blocks[n]);
    from[n] = n ? second() : first();
    blocks[n] = b.GetInsertBlock();
    b.CreateBr(loaded);
  }
  b.SetInsertPoint(loaded);
  SmallVector<Value *> merged;
  for (auto [x, y] : zip_equal(from[0], from[1])) {
    PHINode *phi = b.CreatePHI(x->getType(), 2, "column");
    phi->addIncoming(x, blocks[0]);
    phi->addIncoming(y, blocks[1]);
    merged.push_back(phi);
  }
  return merged;
}

/// The columns of a square, of which perhaps only a part is used. If whole
/// squares have a loop of their own, the first load of an iteration jumps to
/// that loop when its square is whole.
SmallVector<Value *> RowLoads::loadSquare(LoadInst &load, const Walk &walk,
                                          const Square &square, Value *mask) {
  auto part = [&] {
    auto beside = [&] { return loadPart(load, square, mask); };
    Value *fit = fits(load, mask);
    return fit ? either(fit, beside, [&] { return gather(load, square, mask); })
               : beside();
  };
  if (!walk.squares)
    return either(
        isWhole(load, square, mask),
        [&] { return loadWhole(load, square.addresses); }, part);
  if (walk.leader == &load) {
    BasicBlock *rest = BasicBlock::Create(f.getContext(), "simd.rows.part", &f);
    b.CreateCondBr(isWhole(load, square, mask), walk.squares, rest);
    b.SetInsertPoint(rest);
  }
  return part();
}

/// The column of lane 0's first element, which is its place in an aligned
/// vector of memory. Squares begin where such vectors do, because a load across
/// two cache lines costs twice as much. If rows are multiples of a vector
/// apart, all lanes' squares do. Short rows would lose more at their ends, so
/// their squares begin where the rows do.
Value *RowLoads::firstColumn(LoadInst &load, Value *addresses, Value *trips) {
  if (!target.isLegalMaskedLoad(values.vectorOf(load.getType()),
                                load.getAlign(), 0))
    return b.getInt64(0);
  int64_t size = f.getDataLayout().getTypeStoreSize(load.getType());
  Value *at = b.CreatePtrToInt(b.CreateExtractElement(addresses, uint64_t(0)),
                               b.getInt64Ty());
  Value *column =
      b.CreateAnd(b.CreateUDiv(at, b.getInt64(size)), b.getInt64(lanes - 1));
  return b.CreateSelect(
      b.CreateICmpULT(trips, b.getInt64(uint64_t(ShortRow) * lanes)),
      b.getInt64(0), column);
}

/// The same for iterations that take a whole square. Whether the first load's
/// index wraps was tested before the square.
SmallVector<Value *> RowLoads::loadInSquare(LoadInst &load, const Walk &walk,
                                            Value *addresses) {
  auto beside = [&] { return loadWhole(load, addresses); };
  Value *fit = walk.leader == &load ? nullptr : fits(load, nullptr);
  if (!fit)
    return beside();
  Square square = {addresses, b.getInt64(0), b.getInt64(lanes)};
  return either(fit, beside, [&] { return gather(load, square, nullptr); });
}

/// Jumps to the returned block if the iteration \p now needs the next elements
/// of the rows, and to \p ready if it has them.
BasicBlock *RowLoads::nextSquare(LoadInst &load, const Walk &walk, Value *now,
                                 Value *addresses, BasicBlock *ready) {
  Type *i64 = b.getInt64Ty();
  LLVMContext &c = f.getContext();
  BasicBlock *next = BasicBlock::Create(c, "simd.square", &f);
  Value *isFirst = b.CreateICmpEQ(now, b.getInt64(0));
  if (walk.leader != &load) {
    Value *column = b.CreateLoad(i64, walk.column);
    b.CreateCondBr(b.CreateOr(isFirst, b.CreateICmpEQ(column, b.getInt64(0))),
                   next, ready);
    return next;
  }
  BasicBlock *first = BasicBlock::Create(c, "simd.first", &f),
             *later = BasicBlock::Create(c, "simd.later", &f);
  b.CreateCondBr(isFirst, first, later);
  b.SetInsertPoint(first);
  Value *start = firstColumn(load, addresses, rows.tripsOf(*rows.loopOf(load)));
  b.CreateStore(start, walk.first);
  b.CreateStore(start, walk.column);
  b.CreateBr(next);

  b.SetInsertPoint(later);
  Value *column = b.CreateAnd(b.CreateAdd(now, b.CreateLoad(i64, walk.first)),
                              b.getInt64(lanes - 1));
  b.CreateStore(column, walk.column);
  b.CreateCondBr(b.CreateICmpEQ(column, b.getInt64(0)), next, ready);
  return next;
}

Value *RowLoads::emit(LoadInst &load, Value *mask) {
  VectorType *all = values.vectorOf(load.getType());
  Type *i64 = b.getInt64Ty();
  Value *addresses = values.vector(load.getPointerOperand());
  const Loop &l = *rows.loopOf(load);
  Walk &walk = walks.find(&l)->second;
  if (inSquare) {
    if (*inSquare == 0)
      columns[&load] = loadInSquare(load, walk, addresses);
    return columns[&load][*inSquare];
  }
  if (!walk.leader)
    walk.leader = &load;
  auto *memory =
      new AllocaInst(all, f.getDataLayout().getAllocaAddrSpace(),
                     b.getInt32(lanes), "square", f.getEntryBlock().begin());
  Value *now = b.CreateNUWSub(b.CreateLoad(i64, walk.begun), b.getInt64(1),
                              "row.iteration");
  BasicBlock *ready = BasicBlock::Create(f.getContext(), "simd.column", &f);
  b.SetInsertPoint(nextSquare(load, walk, now, addresses, ready));
  Square square = {addresses, b.CreateLoad(i64, walk.column),
                   b.CreateNUWSub(rows.tripsOf(l), now)};
  for (auto [n, column] : enumerate(loadSquare(load, walk, square, mask)))
    b.CreateStore(column, b.CreateConstInBoundsGEP1_64(all, memory, n));
  b.CreateBr(ready);
  b.SetInsertPoint(ready);
  return b.CreateLoad(
      all, b.CreateInBoundsGEP(all, memory, b.CreateLoad(i64, walk.column)));
}

} // namespace xcc::block::simd
