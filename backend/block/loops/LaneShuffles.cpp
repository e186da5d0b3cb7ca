// Lanes that read each other's values, as vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneShuffles.h"
#include "block/Intrinsics.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

static constexpr unsigned Lanes = XCC_CPU_WARP_SIZE;
static constexpr unsigned LaneBits = 5;
static constexpr unsigned MostDepth = 16;

namespace {

/// A number of one lane, base + low. The base is a multiple of 32 and the same
/// for all lanes; null stands for 0. If low is below 32, the sum does not
/// carry.
struct Number {
  Value *base = nullptr;
  ConstantInt *low = nullptr; ///< null: unknown
};

class ShuffleBuilder {
public:
  ShuffleBuilder(BasicBlock *preheader, ArrayRef<BasicBlock *> blocks,
                 Value *lane)
      : preheader(preheader), blocks(blocks), inside(llvm::from_range, blocks),
        lane(lane), dl(preheader->getModule()->getDataLayout()) {}

  void run();

private:
  bool isInside(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return i && inside.contains(i->getParent());
  }
  /// \p v at the end of the preheader; null if it differs between lanes or
  /// cannot be computed there.
  Value *hoisted(Value *v, unsigned depth = 0);
  Number computed(Instruction &i, unsigned of, unsigned depth);
  Number computedWithBase(Instruction &i, ArrayRef<Number> operands);
  Number numberOf(Value *v, unsigned of, unsigned depth = 0);
  /// Finds the slot that each lane reads with \p index, relative to \p base.
  /// False if it is unknown for a lane.
  bool slotsOf(Value *index, Value *&base, SmallVectorImpl<int> &slots);
  void replace(LoadInst &load);

  BasicBlock *preheader;
  ArrayRef<BasicBlock *> blocks;
  SmallPtrSet<const BasicBlock *, 8> inside;
  Value *lane;
  const DataLayout &dl;
  DenseMap<Value *, Value *> copies; ///< null: impossible
  DenseMap<Value *, Value *> bases;  ///< of casts
  DenseMap<Value *, Number> numbers; ///< of the current lane
};

} // namespace

static bool isExchange(const Value *v) {
  auto *i = dyn_cast<Instruction>(v);
  return i && intrinsicCalledBy(*i).kind == IntrinsicKind::Exchange;
}

Value *ShuffleBuilder::hoisted(Value *v, unsigned depth) {
  if (!isInside(v))
    return v;
  if (auto known = copies.find(v); known != copies.end())
    return known->second;
  auto *i = cast<Instruction>(v);
  copies[v] = nullptr;
  if (depth > MostDepth || isa<PHINode>(i) || i->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(i))
    return nullptr;
  SmallVector<Value *, 4> operands;
  for (Value *operand : i->operands()) {
    operands.push_back(hoisted(operand, depth + 1));
    if (!operands.back())
      return nullptr;
  }
  Instruction *clone = i->clone();
  for (auto [n, operand] : enumerate(operands))
    clone->setOperand(n, operand);
  clone->insertInto(preheader, preheader->getTerminator()->getIterator());
  return copies[v] = clone;
}

Number ShuffleBuilder::computedWithBase(Instruction &i,
                                        ArrayRef<Number> operands) {
  const bool isFirst = operands[0].base, isSecond = operands.back().base;
  if ((operands.size() == 2 && isFirst && isSecond) ||
      i.getType()->getScalarSizeInBits() <= LaneBits)
    return {};
  Value *base = isFirst ? operands[0].base : operands.back().base;
  const APInt &x = operands[0].low->getValue();
  const APInt &y = operands.back().low->getValue();
  const bool areBelow = x.ult(Lanes) && y.ult(Lanes);
  auto number = [&](const APInt &low) {
    return Number{base, cast<ConstantInt>(ConstantInt::get(i.getType(), low))};
  };
  switch (i.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
    if (!areBelow)
      return {};
    [[fallthrough]];
  case Instruction::Trunc: {
    Value *&widened = bases[&i];
    if (!widened)
      widened =
          IRBuilder<>(preheader->getTerminator())
              .CreateCast(cast<CastInst>(i).getOpcode(), base, i.getType());
    base = widened;
    return number(x.zextOrTrunc(i.getType()->getScalarSizeInBits()));
  }
  case Instruction::Add:
    return number(x + y);
  case Instruction::Or:
    return areBelow ? number(x | y) : Number{};
  case Instruction::Xor:
    return areBelow ? number(x ^ y) : Number{};
  case Instruction::And:
    // A mask below 32 removes the base.
    base = nullptr;
    return (isFirst ? y : x).ult(Lanes) ? number(x & y) : Number{};
  default:
    return {};
  }
}

Number ShuffleBuilder::computed(Instruction &i, unsigned of, unsigned depth) {
  if (auto *select = dyn_cast<SelectInst>(&i)) {
    Number condition = numberOf(select->getCondition(), of, depth);
    if (!condition.low || condition.base)
      return {};
    return numberOf(condition.low->isOne() ? select->getTrueValue()
                                           : select->getFalseValue(),
                    of, depth);
  }
  SmallVector<Number, 2> operands;
  SmallVector<Constant *, 2> lows;
  for (Value *operand : i.operands()) {
    operands.push_back(numberOf(operand, of, depth));
    if (!operands.back().low)
      return {};
    lows.push_back(operands.back().low);
  }
  if (isa<FreezeInst>(i))
    return operands[0];
  if (any_of(operands, [](const Number &n) { return n.base != nullptr; }))
    return computedWithBase(i, operands);
  return {nullptr, dyn_cast_or_null<ConstantInt>(
                       ConstantFoldInstOperands(&i, lows, dl))};
}

Number ShuffleBuilder::numberOf(Value *v, unsigned of, unsigned depth) {
  auto *t = dyn_cast<IntegerType>(v->getType());
  if (!t || depth > MostDepth)
    return {};
  if (v == lane)
    return {nullptr, ConstantInt::get(t, of)};
  if (isa<Constant>(v))
    return {nullptr, dyn_cast<ConstantInt>(v)};
  if (Value *same = hoisted(v)) {
    if (computeKnownBits(v, dl).countMinTrailingZeros() < LaneBits)
      return {};
    return {same, ConstantInt::get(t, 0)};
  }
  auto *i = cast<Instruction>(v);
  if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(i))
    return {};
  if (auto known = numbers.find(i); known != numbers.end())
    return known->second;
  return numbers[i] = computed(*i, of, depth + 1);
}

bool ShuffleBuilder::slotsOf(Value *index, Value *&base,
                             SmallVectorImpl<int> &slots) {
  for (unsigned of = 0; of != Lanes; ++of) {
    numbers.clear();
    Number n = numberOf(index, of);
    if (!n.low || n.low->getValue().uge(Lanes) || (of && n.base != base))
      return false;
    base = n.base;
    slots.push_back(int(n.low->getZExtValue()));
  }
  return true;
}

void ShuffleBuilder::replace(LoadInst &load) {
  Type *t = load.getType();
  auto *address = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  if (!address || !load.isSimple() || address->getNumIndices() != 1 ||
      !VectorType::isValidElementType(t) ||
      dl.getTypeStoreSize(t) != dl.getTypeAllocSize(t) ||
      dl.getTypeAllocSize(address->getSourceElementType()) !=
          dl.getTypeAllocSize(t))
    return;
  Value *area = address->getPointerOperand();
  if (!isExchange(getUnderlyingObject(area)))
    return;
  Value *base = nullptr;
  SmallVector<int, Lanes> slots;
  if (!slotsOf(address->getOperand(1), base, slots) || !(area = hoisted(area)))
    return;

  IRBuilder<> b(preheader->getTerminator());
  if (base)
    area = b.CreateInBoundsGEP(t, area, base);
  Value *warp = b.CreateAlignedLoad(FixedVectorType::get(t, Lanes), area,
                                    load.getAlign(), "slots");
  BasicBlock &entry = preheader->getParent()->getEntryBlock();
  auto *shuffled =
      new AllocaInst(ArrayType::get(t, Lanes), dl.getAllocaAddrSpace(), nullptr,
                     Align(64), "shuffled", entry.begin());
  b.CreateAlignedStore(b.CreateShuffleVector(warp, slots), shuffled, Align(64));
  b.SetInsertPoint(&load);
  Value *own =
      b.CreateInBoundsGEP(t, shuffled, b.CreateZExt(lane, b.getInt64Ty()));
  load.setOperand(0, own);
}

void ShuffleBuilder::run() {
  SmallVector<LoadInst *, 4> loads;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb) {
      const Value *pointer = getLoadStorePointerOperand(&i);
      if (!pointer || !isExchange(getUnderlyingObject(pointer)))
        continue;
      if (isa<StoreInst>(i))
        return;
      loads.push_back(cast<LoadInst>(&i));
    }
  for (LoadInst *load : loads)
    replace(*load);
}

void shuffleByVectors(BasicBlock *preheader, ArrayRef<BasicBlock *> blocks,
                      Value *lane) {
  ShuffleBuilder(preheader, blocks, lane).run();
}

} // namespace xcc::block
