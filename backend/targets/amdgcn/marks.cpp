// Marks of what orders threads, for a simulator that looks for races
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each mark is an instruction with side effects, so neither the optimiser's
// last passes nor the code generator move an access of memory across it.

#include "marks.h"
#include "formats/race_marks.h"
#include "gpu/AddressSpaces.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using xcc::gpu::LocalAddressSpace;

namespace xcc::amdgcn {

namespace marks = rt::marks;

static void put(IRBuilder<> &builder, marks::Mark mark) {
  builder.CreateIntrinsic(Intrinsic::amdgcn_s_setprio,
                          {builder.getInt16(mark)});
}

/// Whether an access may be one by which threads wait for each other. Zones are
/// told by volatile stores to a thread's own memory.
static bool isStrong(const Instruction &inst) {
  const Value *address = getLoadStorePointerOperand(&inst);
  return address && (inst.isAtomic() || inst.isVolatile()) &&
         address->getType()->getPointerAddressSpace() != LocalAddressSpace;
}

static bool isOfWarp(const CallBase &call) {
  return call.isConvergent() &&
         (call.isInlineAsm() || isa<IntrinsicInst>(call)) &&
         !call.isTerminator();
}

void markOrder(Module &module, const KernelTable &kernels) {
  const SyncScope::ID wave =
      module.getContext().getOrInsertSyncScopeID("wavefront");
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      IRBuilder<> behind(inst.getParent(), std::next(inst.getIterator()));
      behind.SetCurrentDebugLocation(inst.getDebugLoc());
      if (auto *fence = dyn_cast<FenceInst>(&inst)) {
        if (fence->getSyncScopeID() != SyncScope::SingleThread)
          put(behind, fence->getSyncScopeID() != wave &&
                              isAcquireOrStronger(fence->getOrdering())
                          ? marks::Fence
                          : marks::Warp);
      } else if (isStrong(inst)) {
        IRBuilder<> before(&inst);
        put(before, marks::Atomic);
        put(behind, marks::Warp);
      } else if (auto *call = dyn_cast<CallBase>(&inst);
                 call && isOfWarp(*call)) {
        put(behind, marks::Warp);
      }
    }
  for (const Kernel &kernel : kernels)
    if (Function *entry = module.getFunction(kernel.symbol);
        entry && !entry->isDeclaration()) {
      BasicBlock &block = entry->getEntryBlock();
      IRBuilder<> builder(&block, block.getFirstNonPHIOrDbgOrAlloca());
      put(builder, marks::Kernel);
    }
}

} // namespace xcc::amdgcn
