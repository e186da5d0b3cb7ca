// Gathers of neighbouring elements
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinedGathers.h"
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

struct Gather {
  IntrinsicInst *call;
  int64_t offset; ///< of each lane's element in bytes, from `Lanes`

  Value *addresses() const { return call->getArgOperand(0); }
};

/// Gathers of elements of one type, in the order of the program.
struct Group {
  Lanes lanes;
  FixedVectorType *type;
  SmallVector<Gather> gathers;
  SmallVector<Instruction *> writes; ///< to other memory, since the first one
};

class GatherJoiner {
public:
  GatherJoiner(Function &f, AAResults &aa) : dl(f.getDataLayout()), aa(aa) {}

  bool run(BasicBlock &block);

private:
  std::pair<Lanes, int64_t> placeOf(Value *addresses) const;
  std::optional<int64_t> strideOf(Value *v, unsigned depth = 0) const;
  void add(IntrinsicInst &gather);
  void pass(Instruction &i);
  void join(Group &group);
  void replace(ArrayRef<Gather> row, const Gather &first);

  const DataLayout &dl;
  AAResults &aa;
  SmallVector<Group> open, closed;
  bool changed = false;
};

} // namespace

/// A gather of all lanes, of elements that are wide enough for one instruction.
static bool isWanted(const Instruction &i) {
  auto *call = dyn_cast<IntrinsicInst>(&i);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_gather ||
      !match(call->getArgOperand(1), m_AllOnes()))
    return false;
  auto *type = dyn_cast<FixedVectorType>(call->getType());
  if (!type || type->getElementType()->isPointerTy())
    return false;
  const unsigned bits = type->getScalarSizeInBits();
  return (bits == 32 || bits == 64) && isPowerOf2_32(type->getNumElements()) &&
         type->getPrimitiveSizeInBits() >= 128;
}

std::pair<Lanes, int64_t> GatherJoiner::placeOf(Value *addresses) const {
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
std::optional<int64_t> GatherJoiner::strideOf(Value *v, unsigned depth) const {
  if (depth == MostDepth || (!v->getType()->isPtrOrPtrVectorTy() &&
                             v->getType()->getScalarSizeInBits() != 64))
    return std::nullopt;
  if (getSplatValue(v))
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

void GatherJoiner::add(IntrinsicInst &gather) {
  auto [lanes, offset] = placeOf(gather.getArgOperand(0));
  auto *type = cast<FixedVectorType>(gather.getType());
  auto group = find_if(
      open, [&](const Group &g) { return g.lanes == lanes && g.type == type; });
  // The gather would move up to the first one.
  if (group != open.end() && any_of(group->writes, [&](Instruction *write) {
        return isModSet(aa.getModRefInfo(write, &gather));
      })) {
    closed.push_back(std::move(*group));
    open.erase(group);
    group = open.end();
  }
  if (group == open.end()) {
    open.push_back({lanes, type, {}, {}});
    group = std::prev(open.end());
  }
  group->gathers.push_back({&gather, offset});
}

/// Notes that later gathers would move up over \p i.
void GatherJoiner::pass(Instruction &i) {
  if (!isGuaranteedToTransferExecutionToSuccessor(&i)) {
    closed.append(open.begin(), open.end());
    open.clear();
  } else if (i.mayWriteToMemory()) {
    for (Group &group : open)
      group.writes.push_back(&i);
  }
}

/// Replaces the gathers of \p row, whose elements lie beside each other, by a
/// load for each lane in front of \p first.
void GatherJoiner::replace(ArrayRef<Gather> row, const Gather &first) {
  auto *all = cast<FixedVectorType>(row[0].call->getType());
  const unsigned lanes = all->getNumElements(), length = row.size();
  auto *part = FixedVectorType::get(all->getElementType(), length);
  AAMDNodes memory = row[0].call->getAAMetadata();
  for (const Gather &g : row)
    memory = memory.merge(g.call->getAAMetadata());
  IRBuilder<> b(first.call);
  b.SetCurrentDebugLocation(row[0].call->getDebugLoc());
  const std::optional<int64_t> stride = strideOf(first.addresses());
  Value *address = b.CreateExtractElement(first.addresses(), uint64_t(0));
  SmallVector<Value *> loaded;
  for (unsigned lane = 0; lane != lanes; ++lane) {
    uint64_t distance = row[0].offset - first.offset;
    if (stride)
      distance += uint64_t(*stride) * lane;
    else if (lane != 0)
      address = b.CreateExtractElement(first.addresses(), lane);
    LoadInst *load =
        b.CreateAlignedLoad(part, b.CreatePtrAdd(address, b.getInt64(distance)),
                            row[0].call->getParamAlign(0).valueOrOne());
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

/// Takes rows of as many elements as there are lanes, or of 128 bits.
void GatherJoiner::join(Group &group) {
  const Gather first = group.gathers.front();
  const uint64_t bytes = group.type->getScalarSizeInBits() / 8;
  const unsigned least = 16 / bytes, most = group.type->getNumElements();
  llvm::sort(group.gathers, [](const Gather &x, const Gather &y) {
    return x.offset < y.offset;
  });
  ArrayRef<Gather> left = group.gathers;
  SmallVector<ArrayRef<Gather>> rows;
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
  // All rows take their addresses from the first gather, so it goes last.
  auto last = find_if(rows, [&](ArrayRef<Gather> row) {
    return any_of(row, [&](const Gather &g) { return g.call == first.call; });
  });
  if (last != rows.end())
    std::rotate(last, last + 1, rows.end());
  for (ArrayRef<Gather> row : rows)
    replace(row, first);
}

bool GatherJoiner::run(BasicBlock &block) {
  for (Instruction &i : block) {
    pass(i);
    if (isWanted(i))
      add(cast<IntrinsicInst>(i));
  }
  append_range(closed, open);
  for (Group &group : closed)
    join(group);
  open.clear();
  closed.clear();
  return changed;
}

PreservedAnalyses JoinGathersPass::run(Function &f,
                                       FunctionAnalysisManager &fam) {
  bool changed = false;
  for (BasicBlock &block : f)
    changed |= GatherJoiner(f, fam.getResult<AAManager>(f)).run(block);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
