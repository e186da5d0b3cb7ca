// Names of the device intrinsics
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Intrinsics.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace xcc::block {

Intrinsic intrinsicOf(const Function &F) {
  if (!F.isDeclaration())
    return {};
  StringRef Name = F.getName();
  if (!Name.consume_front("__xcc_"))
    return {};

  using K = IntrinsicKind;
  if (Name.size() > 2 && Name[Name.size() - 2] == '_') {
    char Axis = Name.back();
    K Kind = StringSwitch<K>(Name.drop_back(2))
                 .Case("thread_idx", K::ThreadIdx)
                 .Case("block_idx", K::BlockIdx)
                 .Case("block_dim", K::BlockDim)
                 .Case("grid_dim", K::GridDim)
                 .Default(K::None);
    if (Kind != K::None && Axis >= 'x' && Axis <= 'z')
      return {Kind, unsigned(Axis - 'x')};
  }
  return {StringSwitch<K>(Name)
              .Case("linear_thread", K::LinearThread)
              .Case("dynamic_shared", K::DynamicShared)
              .Case("dynamic_shared_size", K::DynamicSharedSize)
              .Case("exchange", K::Exchange)
              .Case("block_barrier", K::BlockBarrier)
              .Case("warp_barrier", K::WarpBarrier)
              .Case("position", K::Position)
              .Case("at", K::At)
              .Case("trap", K::Trap)
              .Default(K::None),
          0};
}

Intrinsic intrinsicCalledBy(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (const Function *Callee = Call->getCalledFunction())
      return intrinsicOf(*Callee);
  return {};
}

void setIntrinsicAttributes(Module &M) {
  for (Function &F : M) {
    Intrinsic In = intrinsicOf(F);
    if (!In)
      continue;
    F.setDoesNotThrow();
    if (In.isBarrier()) {
      F.setConvergent();
    } else if (In.Kind == IntrinsicKind::Trap) {
      F.setDoesNotReturn();
      F.addFnAttr(Attribute::Cold);
    } else {
      if (In.Kind == IntrinsicKind::Position)
        F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
      else if (In.Kind == IntrinsicKind::At)
        F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
      else
        F.setDoesNotAccessMemory();
      F.addFnAttr(Attribute::NoCallback);
      F.addFnAttr(Attribute::WillReturn);
      F.addFnAttr(Attribute::NoSync);
    }
  }
}

bool isBlockShared(const GlobalVariable &G) {
  return G.hasSection() && G.getSection() == SharedSection;
}

} // namespace xcc::block
