// The positions of loads in a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LICM moves code out of loops that are unrolled later. This code then stands
// before the loads of the loop's first iteration, and the back end keeps that
// order. ptxas needs more registers for it than for nvcc's order, in which a
// load comes as soon as its address is known, and other computations follow
// while it runs. Loads of shared memory stay, because their latency is short.

#include "workarounds.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace xcc::nvptx {

/// Moves a load up to the computation of its address, past instructions that
/// only compute.
static void moveUp(LoadInst &load) {
  Instruction *place = &load;
  while (Instruction *before = place->getPrevNode()) {
    if (before == load.getPointerOperand() || isa<PHINode>(before) ||
        before->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(before))
      break;
    place = before;
  }
  if (place != &load)
    load.moveBefore(place->getIterator());
}

void loadEarly(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &inst : make_early_inc_range(block))
        if (auto *load = dyn_cast<LoadInst>(&inst);
            load && load->isSimple() &&
            getUnderlyingObject(load->getPointerOperand())
                    ->getType()
                    ->getPointerAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED)
          moveUp(*load);
}

} // namespace xcc::nvptx
