// What a thread with several indices does for each of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "body.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx::coarsen {
namespace {

std::optional<Growth> sum(std::optional<Growth> a, std::optional<Growth> b,
                          int64_t times) {
  // If both values wrap, the errors could cancel out, and the test would miss
  // it.
  if (!a || !b || (a->assumed && b->assumed))
    return std::nullopt;
  return Growth{int64_t(uint64_t(a->step) + uint64_t(b->step) * times),
                a->assumed || b->assumed};
}

std::optional<Growth> ofInteger(const IndexedKernel &kernel,
                                Instruction &inst) {
  auto of = [&](Value *value) { return growthOf(kernel, value); };
  Value *a, *b;
  const APInt *c, *d;
  std::optional<Growth> out;
  if (match(&inst, m_AddLike(m_Value(a), m_Value(b))))
    out = sum(of(a), of(b), 1);
  else if (match(&inst, m_Sub(m_Value(a), m_Value(b))))
    out = sum(of(a), of(b), -1);
  else if (match(&inst, m_Mul(m_Value(a), m_APInt(c))))
    out = sum(Growth{}, of(a), c->getSExtValue());
  else if (match(&inst, m_Shl(m_Value(a), m_APInt(c))) && c->ult(63))
    out = sum(Growth{}, of(a), int64_t(1) << c->getZExtValue());
  else if (match(&inst, m_AShr(m_Value(a), m_APInt(d))) && inst.isExact() &&
           d->ult(63)) {
    out = of(a);
    const int64_t unit = int64_t(1) << d->getZExtValue();
    if (!out || out->step % unit)
      return std::nullopt;
    out = Growth{out->step / unit, true};
  } else if (match(&inst, m_ZExtOrSExt(m_Value(a))) ||
             match(&inst, m_Trunc(m_Value(a)))) {
    out = of(a);
  } else if (match(&inst, m_And(m_Value(a), m_APInt(c))) && c->isMask()) {
    // The mask acts like a narrower integer.
    out = of(a);
    if (out && out->step)
      out->assumed = true;
  }
  if (out && out->step && inst.getType()->getIntegerBitWidth() < 64)
    out->assumed = true;
  return out;
}

std::optional<Growth> ofAddress(const IndexedKernel &kernel,
                                GetElementPtrInst &inst) {
  const DataLayout &layout = inst.getDataLayout();
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(64, 0);
  if (!inst.getType()->isPointerTy() ||
      layout.getIndexTypeSizeInBits(inst.getType()) != 64 ||
      !inst.collectOffset(layout, 64, variable, constant))
    return std::nullopt;
  std::optional<Growth> out = growthOf(kernel, inst.getPointerOperand());
  for (auto &[index, scale] : variable) {
    out = sum(out, growthOf(kernel, index), scale.getSExtValue());
    if (out && index != kernel.index &&
        index->getType()->getIntegerBitWidth() < 64)
      out->assumed = true;
  }
  return out;
}

bool mayRepeat(const Instruction &inst) {
  if (const auto *load = dyn_cast<LoadInst>(&inst))
    return load->isSimple();
  if (const auto *store = dyn_cast<StoreInst>(&inst))
    return store->isSimple();
  if (const auto *call = dyn_cast<CallInst>(&inst))
    return isa<IntrinsicInst>(call) && !call->isConvergent() &&
           call->doesNotAccessMemory() && call->willReturn();
  return !isa<AllocaInst>(inst) && !inst.mayHaveSideEffects() &&
         !inst.mayReadOrWriteMemory() && !isa<PHINode>(inst);
}

/// Whether an instruction depends on the index. Call it in program order.
bool varies(const IndexedKernel &kernel, const Instruction &inst) {
  return any_of(inst.operands(), [&](Value *operand) {
    auto *from = dyn_cast<Instruction>(operand);
    return operand == kernel.index || (from && kernel.varying.contains(from));
  });
}

/// The head may compute the guard, but its accesses must not depend on the
/// index.
bool readHead(IndexedKernel &kernel) {
  for (Instruction &inst : *kernel.head) {
    if (inst.isTerminator() || isNote(inst) || !varies(kernel, inst))
      continue;
    if (!mayRepeat(inst) || inst.mayReadOrWriteMemory())
      return false;
    kernel.varying.insert(&inst);
  }
  return true;
}

bool findAccesses(IndexedKernel &kernel) {
  const DataLayout &layout = kernel.head->getDataLayout();
  for (Instruction *inst : kernel.varying) {
    Value *address = getLoadStorePointerOperand(inst);
    if (!address)
      continue;
    Type *type = getLoadStoreType(inst);
    const TypeSize size = layout.getTypeStoreSize(type);
    if (type->isAggregateType() || size.isScalable() || !isPowerOf2_64(size) ||
        size > Wide || layout.getTypeSizeInBits(type) != size * 8)
      return false;
    Access access{inst, address, size, growthOf(kernel, address)};
    // All threads would store to one address.
    if (isa<StoreInst>(inst) && access.growth && !access.growth->step)
      return false;
    kernel.accesses.push_back(access);
  }
  return !kernel.accesses.empty();
}

bool choose(IndexedKernel &kernel) {
  uint64_t widest = 0;
  unsigned registers = 0;
  kernel.contiguous = true;
  for (const Access &access : kernel.accesses) {
    if (access.isContiguous())
      widest = std::max(widest, access.size);
    else if (access.growth && access.growth->step)
      kernel.contiguous = false;
    if (isa<LoadInst>(access.inst))
      registers += divideCeil(access.size, 4);
  }
  kernel.contiguous &= widest != 0 && widest < Wide;
  kernel.indices =
      widest ? std::clamp<unsigned>(Wide / widest, 2, MostIndices) : 4;
  while (kernel.indices > 1 && registers * kernel.indices > MostRegisters)
    kernel.indices /= 2;
  // A body with much computation has enough work for one index.
  const unsigned computes = count_if(kernel.varying, [&](Instruction *inst) {
    return inst->getParent() == kernel.body &&
           !isa<GetElementPtrInst, CastInst>(inst);
  });
  return kernel.indices > 1 && computes <= 8 * kernel.accesses.size() &&
         kernel.varying.size() * kernel.indices <= MostCopies;
}

} // namespace

bool isNote(const Instruction &inst) {
  return isa<AssumeInst, NoAliasScopeDeclInst>(inst);
}

std::optional<Growth> growthOf(const IndexedKernel &kernel, Value *value) {
  if (value == kernel.index)
    return Growth{1, false};
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !kernel.varying.contains(inst))
    return Growth{};
  if (auto *step = dyn_cast<GetElementPtrInst>(inst))
    return ofAddress(kernel, *step);
  if (!inst->getType()->isIntegerTy())
    return std::nullopt;
  return ofInteger(kernel, *inst);
}

bool readBody(IndexedKernel &kernel) {
  if (!readHead(kernel))
    return false;
  for (Instruction &inst : *kernel.body) {
    if (inst.isTerminator() || isNote(inst))
      continue;
    if (!mayRepeat(inst))
      return false;
    if (varies(kernel, inst))
      kernel.varying.insert(&inst);
    else if (isa<StoreInst>(inst))
      return false;
  }
  return findAccesses(kernel) && choose(kernel);
}

} // namespace xcc::nvptx::coarsen
