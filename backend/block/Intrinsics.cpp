// Names of the device intrinsics
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Intrinsics.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicInst.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

Intrinsic intrinsicOf(const Function &f) {
  if (!f.isDeclaration())
    return {};
  StringRef name = f.getName();
  if (!name.consume_front("__xcc_"))
    return {};

  using K = IntrinsicKind;
  if (name.size() > 2 && name[name.size() - 2] == '_') {
    char axis = name.back();
    K kind = StringSwitch<K>(name.drop_back(2))
                 .Case("thread_idx", K::ThreadIdx)
                 .Case("block_idx", K::BlockIdx)
                 .Case("block_dim", K::BlockDim)
                 .Case("grid_dim", K::GridDim)
                 .Default(K::None);
    if (kind != K::None && axis >= 'x' && axis <= 'z')
      return {kind, unsigned(axis - 'x')};
  }
  return {StringSwitch<K>(name)
              .Case("linear_thread", K::LinearThread)
              .Case("lane", K::Lane)
              .Case("dynamic_shared", K::DynamicShared)
              .Case("dynamic_shared_size", K::DynamicSharedSize)
              .Case("exchange", K::Exchange)
              .Case("thread_record", K::ThreadRecord)
              .Case("block_barrier", K::BlockBarrier)
              .Case("warp_barrier", K::WarpBarrier)
              .Case("position", K::Position)
              .Case("at", K::At)
              .Case("thread_local", K::ThreadLocal)
              .Case("foreign_thread_local", K::ForeignThreadLocal)
              .Case("yield", K::Yield)
              .Case("poll", K::Poll)
              .Case("trap", K::Trap)
              .Default(K::None),
          0};
}

Intrinsic intrinsicCalledBy(const Instruction &i) {
  if (auto *call = dyn_cast<CallBase>(&i))
    if (const Function *callee = call->getCalledFunction())
      return intrinsicOf(*callee);
  return {};
}

Intrinsic queryOf(const Value *v) {
  if (auto *z = dyn_cast<ZExtInst>(v))
    v = z->getOperand(0);
  auto *i = dyn_cast<Instruction>(v);
  return i ? intrinsicCalledBy(*i) : Intrinsic();
}

bool hasEffect(const Instruction &i) {
  if (auto *call = dyn_cast<IntrinsicInst>(&i))
    if (call->getIntrinsicID() == llvm::Intrinsic::assume ||
        call->getIntrinsicID() ==
            llvm::Intrinsic::experimental_noalias_scope_decl)
      return false;
  return i.mayHaveSideEffects();
}

/// The limits that the runtime checks for every launch.
static std::optional<std::pair<unsigned, unsigned>>
rangeOf(IntrinsicKind kind) {
  constexpr unsigned mostThreads = XCC_CPU_MAX_BLOCK, mostBlocks = 1u << 31;
  switch (kind) {
  case IntrinsicKind::ThreadIdx:
    return {{0, mostThreads}};
  case IntrinsicKind::BlockDim:
    return {{1, mostThreads + 1}};
  case IntrinsicKind::BlockIdx:
    return {{0, mostBlocks}};
  case IntrinsicKind::GridDim:
    return {{1, mostBlocks}};
  default:
    return std::nullopt;
  }
}

void setIntrinsicAttributes(Module &m) {
  for (Function &f : m) {
    Intrinsic in = intrinsicOf(f);
    if (!in)
      continue;
    f.setDoesNotThrow();
    if (in.isBarrier()) {
      f.setConvergent();
    } else if (in.kind == IntrinsicKind::Trap) {
      f.setDoesNotReturn();
      f.addFnAttr(Attribute::Cold);
    } else if (!in.yields()) {
      if (in.kind == IntrinsicKind::Position)
        f.setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
      else if (in.kind == IntrinsicKind::At)
        f.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
      else
        f.setDoesNotAccessMemory();
      f.addFnAttr(Attribute::NoCallback);
      f.addFnAttr(Attribute::WillReturn);
      f.addFnAttr(Attribute::NoSync);
      if (auto range = rangeOf(in.kind))
        f.addRangeRetAttr(
            ConstantRange(APInt(32, range->first), APInt(32, range->second)));
    }
  }
}

bool isBlockShared(const GlobalVariable &g) {
  return g.hasSection() && g.getSection() == SharedSection;
}

} // namespace xcc::block
