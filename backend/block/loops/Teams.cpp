// Teams of blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Teams.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

namespace {

/// How a value depends on the place of a thread along x.
enum class Part {
  Nothing,    ///< at most on the index in the grid
  Thread,     ///< thread_idx.x, maybe widened
  Block,      ///< block_idx.x, maybe widened
  Start,      ///< block_idx.x * block_dim.x, or times `size`; maybe widened
  StartSum,   ///< Start plus a value of Nothing, modulo the type's size
  StartPlace, ///< a pointer plus Start times `scale` bytes
  Other
};

struct Form {
  Part part = Part::Nothing;
  uint64_t scale = 0;

  bool operator==(const Form &) const = default;
  bool is(Part p) const { return part == p; }
};

class Forms {
public:
  explicit Forms(const Function &kernel)
      : kernel(kernel), dl(kernel.getDataLayout()) {}

  bool saysNothing();
  /// How the rows of a block use memory that its other rows use, after
  /// saysNothing: a set of SharedByRows.
  unsigned sharedByRows(const LoopInfo &loops) const;
  unsigned size = 0; ///< a number that stands for block_dim.x

private:
  Form of(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return i ? known.lookup(i) : Form();
  }
  Form compute(const Instruction &i);
  bool isBlockSize(const BinaryOperator &times, unsigned number);
  using Dependences = DenseMap<const Value *, unsigned>;
  unsigned dependenceOf(const Instruction &i, const Dependences &of) const;
  bool movesApart(const Instruction &i, const Dependences &of) const;
  Form computeCast(const CastInst &cast) const;
  Form computeAddress(const GetElementPtrInst &gep) const;

  const Function &kernel;
  const DataLayout &dl;
  DenseMap<const Instruction *, Form> known;
};

} // namespace

/// A number of fewer than 32 bits may identify a thread only in its block.
static bool isWide(const Type *t) {
  return t->isIntegerTy(32) || t->isIntegerTy(64);
}

Form Forms::computeCast(const CastInst &cast) const {
  Form from = of(cast.getOperand(0));
  if (from.is(Part::Nothing) || from.is(Part::Other))
    return from;
  if (!isWide(cast.getType()) || !isWide(cast.getSrcTy()))
    return {Part::Other};
  // The grid has fewer than 2^31 threads along x.
  if (isa<TruncInst>(cast) ||
      (isa<ZExtInst, SExtInst>(cast) && !from.is(Part::StartSum)))
    return from;
  return {Part::Other};
}

Form Forms::computeAddress(const GetElementPtrInst &gep) const {
  Form base = of(gep.getPointerOperand());
  bool same =
      base.is(Part::Nothing) && all_of(gep.indices(), [&](const Value *index) {
        return of(index).is(Part::Nothing);
      });
  if (same)
    return {};
  if (gep.getNumIndices() != 1 || !gep.getType()->isPointerTy())
    return {Part::Other};
  uint64_t scale = dl.getTypeAllocSize(gep.getSourceElementType());
  Form index = of(*gep.idx_begin());
  if (base.is(Part::Nothing) && index.is(Part::Start))
    return {Part::StartPlace, scale};
  if (base.is(Part::StartPlace) && index.is(Part::Nothing))
    return base;
  if (base.is(Part::StartPlace) && index.is(Part::Thread) &&
      base.scale == scale)
    return {};
  return {Part::Other};
}

/// Whether operand \p number of \p times, which multiplies, is block_dim.x or may
/// stand for it.
bool Forms::isBlockSize(const BinaryOperator &times, unsigned number) {
  const Value *by = times.getOperand(number);
  const bool shifts = times.getOpcode() == Instruction::Shl;
  if (auto *constant = dyn_cast<ConstantInt>(by)) {
    const uint64_t limited = constant->getLimitedValue(MostTeamThreads);
    const uint64_t here = !shifts ? limited : limited < 16 ? 1 << limited : 0;
    if (here < 2 || here >= MostTeamThreads || (size && size != here))
      return false;
    size = here;
    return true;
  }
  if (auto *wide = dyn_cast<ZExtInst>(by))
    by = wide->getOperand(0);
  auto *query = dyn_cast<Instruction>(by);
  const Intrinsic dim = query ? intrinsicCalledBy(*query) : Intrinsic();
  return !shifts && dim.kind == IntrinsicKind::BlockDim && dim.dim == 0;
}

Form Forms::compute(const Instruction &i) {
  Intrinsic in = intrinsicCalledBy(i);
  switch (in.kind) {
  case IntrinsicKind::ThreadIdx:
    return {in.dim == 0 ? Part::Thread : Part::Nothing};
  case IntrinsicKind::BlockIdx:
    return {in.dim == 0 ? Part::Block : Part::Nothing};
  case IntrinsicKind::None:
  case IntrinsicKind::BlockDim:
  case IntrinsicKind::GridDim:
  case IntrinsicKind::Trap:
    break;
  default:
    return {Part::Other};
  }
  if (auto *cast = dyn_cast<CastInst>(&i))
    return computeCast(*cast);
  if (auto *gep = dyn_cast<GetElementPtrInst>(&i))
    return computeAddress(*gep);
  if (all_of(i.operands(),
             [&](const Use &u) { return of(u).is(Part::Nothing); }))
    return {};
  auto *op = dyn_cast<BinaryOperator>(&i);
  if (!op || !isWide(op->getType()))
    return {Part::Other};
  for (unsigned n = 0; n != 2; ++n) {
    Form x = of(op->getOperand(n)), y = of(op->getOperand(1 - n));
    const bool multiplies = op->getOpcode() == Instruction::Mul ||
                            (op->getOpcode() == Instruction::Shl && n == 0);
    if (multiplies && x.is(Part::Block) && isBlockSize(*op, 1 - n))
      return {Part::Start};
    if (op->getOpcode() == Instruction::Add) {
      if ((x.is(Part::Start) || x.is(Part::StartSum)) && y.is(Part::Thread))
        return {};
      if ((x.is(Part::Start) || x.is(Part::StartSum)) && y.is(Part::Nothing))
        return {Part::StartSum};
    }
  }
  return {Part::Other};
}

bool Forms::saysNothing() {
  ReversePostOrderTraversal<const Function *> order(&kernel);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock *bb : order)
      for (const Instruction &i : *bb) {
        Form form = compute(i);
        if (form.is(Part::Other))
          return false;
        if (form == known.lookup(&i))
          continue;
        // In a loop, a form may change once from Nothing; a further change
        // means that the value has none.
        if (!known.lookup(&i).is(Part::Nothing))
          return false;
        known[&i] = form;
        changed = true;
      }
  }
  return true;
}

enum SharedByRows : unsigned {
  CacheLines = 1, ///< out[x * n + y]
  Columns = 2     ///< in a loop: b[k * n + x]
};

/// How an address depends on the index in the grid.
enum Dependence : unsigned {
  OnX = 1,
  OnRow = 2,  ///< on y or z
  IsApart = 4 ///< neighbours along x use other cache lines
};
static constexpr uint64_t MostBeside = 16; ///< elements

/// Whether \p i multiplies the index along x by more than a few elements.
bool Forms::movesApart(const Instruction &i, const Dependences &of) const {
  auto isX = [&](const Value *v) { return of.lookup(v) & OnX; };
  if (auto *gep = dyn_cast<GetElementPtrInst>(&i)) {
    for (auto at = gep_type_begin(gep); at != gep_type_end(gep); ++at)
      if (!at.isStruct() && isX(at.getOperand()) &&
          at.getSequentialElementStride(dl).getFixedValue() > 8 * MostBeside)
        return true;
    return false;
  }
  const Value *x, *by;
  const APInt *times;
  if (match(&i, m_Shl(m_Value(x), m_APInt(times))))
    return isX(x) && times->ugt(Log2_64(MostBeside));
  return match(&i, m_Mul(m_Value(x), m_Value(by))) && (isX(x) || isX(by)) &&
         !(match(by, m_APInt(times)) && times->abs().ule(MostBeside));
}

unsigned Forms::dependenceOf(const Instruction &i,
                             const Dependences &of) const {
  const Intrinsic in = intrinsicCalledBy(i);
  if (in.kind == IntrinsicKind::ThreadIdx || in.kind == IntrinsicKind::BlockIdx)
    return in.dim == 0 ? OnX : OnRow;
  if (isa<CallBase, LoadInst>(i))
    return 0;
  unsigned all = 0;
  for (const Value *v : i.operand_values())
    all |= of.lookup(v);
  // Parts of the index itself are no distances.
  if (known.lookup(&i).is(Part::Nothing) && movesApart(i, of))
    all |= IsApart;
  return all;
}

unsigned Forms::sharedByRows(const LoopInfo &loops) const {
  Dependences of;
  ReversePostOrderTraversal<const Function *> order(&kernel);
  bool hasRows = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock *bb : order)
      for (const Instruction &i : *bb) {
        const unsigned d = dependenceOf(i, of);
        unsigned &before = of[&i];
        changed |= (before | d) != before;
        before |= d;
        const Intrinsic in = intrinsicCalledBy(i);
        hasRows |= in.kind == IntrinsicKind::ThreadIdx && in.dim != 0;
      }
  }
  unsigned shared = 0;
  for (const Instruction &i : instructions(kernel)) {
    const Value *address = getLoadStorePointerOperand(&i);
    const unsigned d = address && hasRows ? of.lookup(address) : 0;
    const Loop *l = loops.getLoopFor(i.getParent());
    if (d & OnX && d & IsApart)
      shared |= CacheLines;
    if (d & OnX && !(d & OnRow) && l && !l->isLoopInvariant(address))
      shared |= Columns;
  }
  return shared;
}

std::optional<TeamForm> teamFormOf(Function &kernel) {
  for (const Instruction &i : instructions(kernel)) {
    auto isOwn = [](const Value *v) {
      auto *g = dyn_cast<GlobalVariable>(v->stripInBoundsOffsets());
      return g && isBlockShared(*g);
    };
    if (any_of(i.operand_values(), isOwn))
      return std::nullopt;
  }
  Forms forms(kernel);
  if (!forms.saysNothing())
    return std::nullopt;
  DominatorTree dt(kernel);
  const unsigned shared = forms.sharedByRows(LoopInfo(dt));
  // Tiles of a size that the programmer chose are faster than rows.
  if (forms.size && shared)
    return std::nullopt;
  return TeamForm{forms.size, (shared & CacheLines) != 0};
}

} // namespace xcc::block
