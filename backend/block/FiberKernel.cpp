// Kernels whose threads are fibers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FiberKernel.h"
#include "KernelBody.h"
#include "LowerQueries.h"
#include "Positions.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

Function *buildFiberKernel(Function &Kernel, const SharedLayout &Layout) {
  Type *Ptr = PointerType::getUnqual(Kernel.getContext());
  KernelBody Code = takeBody(Kernel, {Ptr, Ptr}, Kernel.getName() + ".thread");
  Argument *Thread = Code.F->getArg(1);
  Thread->setName("thread");
  // The runtime writes to the record (active_mask) while the thread waits, and
  // functions that are called write to it (position).
  Code.F->removeParamAttr(1, Attribute::NoAlias);

  Instruction *EntryEnd = Code.Entry->getTerminator();
  lowerLaunchQueries(*Code.F, Code.group(), Layout, EntryEnd);
  lowerThreadQueries(*Code.F, Thread, EntryEnd, /*Constant=*/true);
  lowerPositions(*Code.F, Thread, EntryEnd);
  lowerBarriers(*Code.F);
  return Code.F;
}

} // namespace xcc::block
