// Teams of blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Teams.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

namespace {

/// How a value depends on the place of a thread along x.
enum class Part {
  Nothing,    ///< at most on the index in the grid
  Thread,     ///< thread_idx.x, maybe widened
  Block,      ///< block_idx.x, maybe widened
  Start,      ///< block_idx.x * block_dim.x, maybe widened
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

private:
  Form of(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return i ? known.lookup(i) : Form();
  }
  Form compute(const Instruction &i) const;
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

Form Forms::compute(const Instruction &i) const {
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
    if (op->getOpcode() == Instruction::Mul && x.is(Part::Block)) {
      const Value *size = op->getOperand(1 - n);
      if (auto *wide = dyn_cast<ZExtInst>(size))
        size = wide->getOperand(0);
      auto *query = dyn_cast<Instruction>(size);
      Intrinsic dim = query ? intrinsicCalledBy(*query) : Intrinsic();
      if (dim.kind == IntrinsicKind::BlockDim && dim.dim == 0)
        return {Part::Start};
    }
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

bool worksInTeams(const Function &kernel) {
  for (const Instruction &i : instructions(kernel)) {
    auto isOwn = [](const Value *v) {
      auto *g = dyn_cast<GlobalVariable>(v->stripInBoundsOffsets());
      return g && isBlockShared(*g);
    };
    if (any_of(i.operand_values(), isOwn))
      return false;
  }
  return Forms(kernel).saysNothing();
}

} // namespace xcc::block
