// Memory orders of atomic operations that the back end omits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {

void orderAtomics(Module &module, unsigned version) {
  struct Found {
    Instruction *inst;
    AtomicOrdering order;
    SyncScope::ID scope;
  };
  SmallVector<Found> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *load = dyn_cast<LoadInst>(&inst);
      auto *store = dyn_cast<StoreInst>(&inst);
      auto *rmw = dyn_cast<AtomicRMWInst>(&inst);
      auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst);
      if (!rmw && version >= 70)
        continue;
      AtomicOrdering order = load       ? load->getOrdering()
                             : store    ? store->getOrdering()
                             : rmw      ? rmw->getOrdering()
                             : exchange ? exchange->getMergedOrdering()
                                        : AtomicOrdering::NotAtomic;
      if (isStrongerThanMonotonic(order))
        found.push_back({&inst, order, *getAtomicSyncScopeID(&inst)});
      else
        continue;
      if (load) {
        load->setOrdering(AtomicOrdering::Monotonic);
      } else if (store) {
        store->setOrdering(AtomicOrdering::Monotonic);
      } else if (rmw) {
        rmw->setOrdering(AtomicOrdering::Monotonic);
      } else {
        exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
        exchange->setFailureOrdering(AtomicOrdering::Monotonic);
      }
    }
  for (auto [inst, order, scope] : found) {
    LLVMContext &context = inst->getContext();
    if (version < 70) {
      // PTX has only membar there.
      new FenceInst(context, AtomicOrdering::SequentiallyConsistent, scope,
                    inst->getIterator());
      new FenceInst(context, AtomicOrdering::SequentiallyConsistent, scope,
                    std::next(inst->getIterator()));
      continue;
    }
    if (isReleaseOrStronger(order))
      new FenceInst(context,
                    order == AtomicOrdering::SequentiallyConsistent
                        ? order
                        : AtomicOrdering::Release,
                    scope, inst->getIterator());
    if (isAcquireOrStronger(order))
      new FenceInst(context, AtomicOrdering::Acquire, scope,
                    std::next(inst->getIterator()));
  }
}

} // namespace xcc::nvptx
