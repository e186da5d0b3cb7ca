// Kernels whose threads are fibers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FiberKernel.h"
#include "Positions.h"
#include "block/abi/KernelBody.h"
#include "block/abi/LowerQueries.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

Function *buildFiberKernel(Function &kernel, const SharedLayout &layout) {
  Type *ptr = PointerType::getUnqual(kernel.getContext());
  KernelBody code = takeBody(kernel, {ptr, ptr}, kernel.getName() + ".thread");
  Argument *thread = code.f->getArg(1);
  thread->setName("thread");
  // The runtime writes to the record (active_mask) while the thread waits, and
  // called functions write to it (position).
  code.f->removeParamAttr(1, Attribute::NoAlias);

  Instruction *entryEnd = code.entry->getTerminator();
  lowerLaunchQueries(*code.f, code.group(), layout, entryEnd);
  lowerThreadQueries(*code.f, thread, entryEnd, /*Constant=*/true);
  lowerPositions(*code.f, thread, entryEnd);
  lowerBarriers(*code.f);
  return code.f;
}

} // namespace xcc::block
