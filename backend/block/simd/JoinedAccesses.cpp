// Gathers and scatters of neighbouring elements
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinedAccesses.h"
#include "Rows.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

using namespace simd;

/// How many operations an address is followed through.
static constexpr unsigned MostDepth = 8;

namespace {

/// The lanes' addresses, but for a constant distance: `base`, or `base` plus
/// `scale` times `index`.
struct Lanes {
  Value *base = nullptr, *index = nullptr;
  uint64_t scale = 0;

  bool operator==(const Lanes &) const = default;
};

bool isScatter(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::masked_scatter;
}

/// A gather or scatter.
struct Access {
  IntrinsicInst *call;
  int64_t offset; ///< of each lane's element in bytes, from `Lanes`

  Value *addresses() const { return call->getArgOperand(isScatter(*call)); }
  Align align() const {
    return call->getParamAlign(isScatter(*call)).valueOrOne();
  }
};
using Row = ArrayRef<Access>; ///< whose elements lie beside each other

/// Accesses of one kind, to elements of one type, in the order of the program.
struct Group {
  Lanes lanes;
  FixedVectorType *type;
  bool stores;
  SmallVector<Access> accesses;
  /// Of gathers: writes to other memory, since the first one.
  SmallVector<Instruction *> writes;
};

class Joiner {
public:
  Joiner(Function &f, AAResults &aa) : dl(f.getDataLayout()), aa(aa) {}

  bool run(BasicBlock &block);

private:
  std::pair<Lanes, int64_t> placeOf(Value *addresses) const;
  std::optional<int64_t> strideOf(Value *v, unsigned depth = 0) const;
  void add(IntrinsicInst &call);
  void pass(Instruction &i);
  SmallVector<Row> rowsOf(Group &group) const;
  Value *addressOf(const Access &from, int64_t offset, unsigned lane,
                   IRBuilder<> &b) const;
  void joinGathers(Group &group);
  void load(Row row, const Access &first);
  Access lastOf(Row row) const;
  bool canSink(Row row) const;
  void store(Row row);

  const DataLayout &dl;
  AAResults &aa;
  SmallVector<Group> open, closed;
  bool changed = false;
};

} // namespace

/// A gather or scatter of all lanes, of elements that are wide enough for one
/// instruction.
static bool isWanted(const Instruction &i) {
  auto *call = dyn_cast<IntrinsicInst>(&i);
  if (!call ||
      (call->getIntrinsicID() != Intrinsic::masked_gather && !isScatter(*call)))
    return false;
  const bool stores = isScatter(*call);
  auto *type = dyn_cast<FixedVectorType>(
      stores ? call->getArgOperand(0)->getType() : call->getType());
  if (!match(call->getArgOperand(stores ? 2 : 1), m_AllOnes()) || !type ||
      type->getElementType()->isPointerTy())
    return false;
  const unsigned bits = type->getScalarSizeInBits();
  return (bits == 32 || bits == 64) && isPowerOf2_32(type->getNumElements()) &&
         type->getPrimitiveSizeInBits() >= 128;
}

std::pair<Lanes, int64_t> Joiner::placeOf(Value *addresses) const {
  uint64_t offset = 0; // wraps as addresses do
  const APInt *distance;
  while (auto *gep = dyn_cast<GEPOperator>(addresses)) {
    if (gep->getNumIndices() != 1)
      break;
    Value *base = gep->getPointerOperand(), *index = gep->idx_begin()->get();
    const uint64_t scale =
        dl.getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
    if (base->getType()->isVectorTy() && match(index, m_APInt(distance)) &&
        distance->getSignificantBits() <= 64) {
      offset += uint64_t(distance->getSExtValue()) * scale;
      addresses = base;
      continue;
    }
    if (base->getType()->isVectorTy() || !index->getType()->isVectorTy() ||
        index->getType()->getScalarSizeInBits() != 64)
      break;
    APInt before(64, 0);
    base = base->stripAndAccumulateConstantOffsets(dl, before,
                                                   /*AllowNonInbounds=*/true);
    offset += before.getZExtValue();
    Value *rest;
    while (match(index, m_AddLike(m_Value(rest), m_APInt(distance)))) {
      offset += distance->getZExtValue() * scale;
      index = rest;
    }
    return {{base, index, scale}, int64_t(offset)};
  }
  return {{addresses}, int64_t(offset)};
}

/// By how much \p v, an address or of 64 bits, grows from lane to lane, if that
/// is a constant.
std::optional<int64_t> Joiner::strideOf(Value *v, unsigned depth) const {
  if (depth == MostDepth || (!v->getType()->isPtrOrPtrVectorTy() &&
                             v->getType()->getScalarSizeInBits() != 64))
    return std::nullopt;
  if (!v->getType()->isVectorTy() || getSplatValue(v))
    return 0;
  if (auto *numbers = dyn_cast<ConstantDataVector>(v)) {
    const uint64_t step =
        numbers->getElementAsInteger(1) - numbers->getElementAsInteger(0);
    for (unsigned n = 1; n != numbers->getNumElements(); ++n)
      if (numbers->getElementAsInteger(n) -
              numbers->getElementAsInteger(n - 1) !=
          step)
        return std::nullopt;
    return step;
  }
  auto sum = [&](Value *x, Value *y, uint64_t times) -> std::optional<int64_t> {
    auto first = strideOf(x, depth + 1), second = strideOf(y, depth + 1);
    if (!first || !second)
      return std::nullopt;
    return int64_t(uint64_t(*first) + uint64_t(*second) * times);
  };
  Value *x, *y;
  const APInt *by;
  if (match(v, m_AddLike(m_Value(x), m_Value(y))))
    return sum(x, y, 1);
  if (match(v, m_Mul(m_Value(x), m_APInt(by))))
    return sum(Constant::getNullValue(v->getType()), x, by->getZExtValue());
  if (match(v, m_Shl(m_Value(x), m_APInt(by))) && by->ult(64))
    return sum(Constant::getNullValue(v->getType()), x,
               uint64_t(1) << by->getZExtValue());
  // A vector of a counter: each iteration adds the same to all lanes.
  if (auto *phi = dyn_cast<PHINode>(v); phi && phi->getNumIncomingValues() == 2)
    for (unsigned n : {0, 1})
      if (match(phi->getIncomingValue(n),
                m_c_Add(m_Specific(phi), m_Value(y))) &&
          getSplatValue(y))
        return strideOf(phi->getIncomingValue(1 - n), depth + 1);
  if (auto *gep = dyn_cast<GEPOperator>(v); gep && gep->getNumIndices() == 1) {
    Value *base = gep->getPointerOperand();
    const uint64_t scale =
        dl.getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
    if (base->getType()->isVectorTy())
      return sum(base, gep->idx_begin()->get(), scale);
    return sum(Constant::getNullValue(gep->idx_begin()->get()->getType()),
               gep->idx_begin()->get(), scale);
  }
  return std::nullopt;
}

void Joiner::add(IntrinsicInst &call) {
  const bool stores = isScatter(call);
  auto [lanes, offset] = placeOf(call.getArgOperand(stores));
  auto *type = cast<FixedVectorType>(stores ? call.getArgOperand(0)->getType()
                                            : call.getType());
  auto group = find_if(open, [&](const Group &g) {
    return g.lanes == lanes && g.type == type && g.stores == stores;
  });
  // A gather would move up to the first one.
  if (group != open.end() && any_of(group->writes, [&](Instruction *write) {
        return isModSet(aa.getModRefInfo(write, &call));
      })) {
    closed.push_back(std::move(*group));
    open.erase(group);
    group = open.end();
  }
  if (group == open.end()) {
    open.push_back({lanes, type, stores, {}, {}});
    group = std::prev(open.end());
  }
  group->accesses.push_back({&call, offset});
}

/// Notes that later gathers would move up over \p i.
void Joiner::pass(Instruction &i) {
  if (!isGuaranteedToTransferExecutionToSuccessor(&i)) {
    closed.append(open.begin(), open.end());
    open.clear();
  } else if (i.mayWriteToMemory()) {
    for (Group &group : open)
      if (!group.stores)
        group.writes.push_back(&i);
  }
}

/// Rows of as many elements as there are lanes, or of 128 bits. Sorts the
/// group.
SmallVector<Row> Joiner::rowsOf(Group &group) const {
  const uint64_t bytes = group.type->getScalarSizeInBits() / 8;
  const unsigned least = 16 / bytes, most = group.type->getNumElements();
  llvm::sort(group.accesses, [](const Access &x, const Access &y) {
    return x.offset != y.offset ? x.offset < y.offset
                                : x.call->comesBefore(y.call);
  });
  Row left = group.accesses;
  SmallVector<Row> rows;
  while (!left.empty()) {
    unsigned beside = 1;
    while (beside != left.size() && beside != most &&
           uint64_t(left[beside].offset) - left[beside - 1].offset == bytes)
      ++beside;
    const unsigned length = beside == most ? most : beside >= least ? least : 0;
    if (length)
      rows.push_back(left.take_front(length));
    left = left.drop_front(std::max(length, 1u));
  }
  return rows;
}

/// The address of what \p lane has at \p offset. \p from is an access of the
/// same group.
Value *Joiner::addressOf(const Access &from, int64_t offset, unsigned lane,
                         IRBuilder<> &b) const {
  const std::optional<int64_t> stride = strideOf(from.addresses());
  uint64_t distance = uint64_t(offset) - from.offset;
  if (stride)
    distance += uint64_t(*stride) * lane;
  Value *address =
      b.CreateExtractElement(from.addresses(), uint64_t(stride ? 0 : lane));
  return b.CreatePtrAdd(address, b.getInt64(distance));
}

static AAMDNodes memoryOf(Row row) {
  AAMDNodes memory = row[0].call->getAAMetadata();
  for (const Access &a : row)
    memory = memory.merge(a.call->getAAMetadata());
  return memory;
}

/// Replaces the gathers of \p row by a load for each lane in front of \p first.
void Joiner::load(Row row, const Access &first) {
  auto *all = cast<FixedVectorType>(row[0].call->getType());
  auto *part = FixedVectorType::get(all->getElementType(), row.size());
  const AAMDNodes memory = memoryOf(row);
  IRBuilder<> b(first.call);
  b.SetCurrentDebugLocation(row[0].call->getDebugLoc());
  SmallVector<Value *> loaded;
  for (unsigned lane = 0; lane != all->getNumElements(); ++lane) {
    LoadInst *load = b.CreateAlignedLoad(
        part, addressOf(first, row[0].offset, lane, b), row[0].align());
    load->setAAMetadata(memory);
    loaded.push_back(load);
  }
  for (auto [g, column] : zip_equal(row, columnsOf(loaded, b))) {
    column->takeName(g.call);
    g.call->replaceAllUsesWith(column);
    RecursivelyDeleteTriviallyDeadInstructions(g.call);
  }
  changed = true;
}

void Joiner::joinGathers(Group &group) {
  const Access first = group.accesses.front();
  SmallVector<Row> rows = rowsOf(group);
  // All rows take their addresses from the first gather, so it goes last.
  auto last = find_if(rows, [&](Row row) {
    return any_of(row, [&](const Access &g) { return g.call == first.call; });
  });
  if (last != rows.end())
    std::rotate(last, last + 1, rows.end());
  for (Row row : rows)
    load(row, first);
}

Access Joiner::lastOf(Row row) const {
  return *std::max_element(row.begin(), row.end(),
                           [](const Access &x, const Access &y) {
                             return x.call->comesBefore(y.call);
                           });
}

/// Whether the scatters of \p row may all move down to the last one: nothing
/// between accesses their memory. Lanes are stored in order, so where rows of
/// lanes overlap the later lane's elements stay, as in a loop.
bool Joiner::canSink(Row row) const {
  Instruction *last = lastOf(row).call;
  SmallVector<IntrinsicInst *> before;
  SmallPtrSet<const Instruction *, 16> own;
  for (const Access &a : row)
    own.insert(a.call);
  for (Instruction &i : *last->getParent()) {
    if (&i == last)
      return true;
    if (own.contains(&i)) {
      before.push_back(cast<IntrinsicInst>(&i));
      continue;
    }
    if (!before.empty() && !isGuaranteedToTransferExecutionToSuccessor(&i))
      return false;
    if (i.mayReadOrWriteMemory() && any_of(before, [&](IntrinsicInst *a) {
          return isModOrRefSet(aa.getModRefInfo(&i, a));
        }))
      return false;
  }
  return false;
}

/// Replaces the scatters of \p row by a store for each lane in place of the
/// last one.
void Joiner::store(Row row) {
  const Access last = lastOf(row);
  IRBuilder<> b(last.call);
  SmallVector<Value *> columns;
  for (const Access &a : row)
    columns.push_back(a.call->getArgOperand(0));
  const AAMDNodes memory = memoryOf(row);
  for (auto [lane, v] : enumerate(rowsFrom(columns, b)))
    b.CreateAlignedStore(v, addressOf(last, row[0].offset, lane, b),
                         row[0].align())
        ->setAAMetadata(memory);
  for (const Access &a : row)
    a.call->eraseFromParent();
  changed = true;
}

bool Joiner::run(BasicBlock &block) {
  for (Instruction &i : block) {
    pass(i);
    if (isWanted(i))
      add(cast<IntrinsicInst>(i));
  }
  append_range(closed, open);
  for (Group &group : closed) {
    if (!group.stores) {
      joinGathers(group);
      continue;
    }
    for (Row row : rowsOf(group))
      if (canSink(row))
        store(row);
  }
  return changed;
}

PreservedAnalyses JoinAccessesPass::run(Function &f,
                                        FunctionAnalysisManager &fam) {
  bool changed = false;
  for (BasicBlock &block : f)
    changed |= Joiner(f, fam.getResult<AAManager>(f)).run(block);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
