// The order in which indices and sizes of a launch are read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of threads and of blocks is constant memory for a GPU, where a
// block is takes an instruction that waits. Of blockIdx.x * blockDim.x ptxas
// lets the factor that is read first decide: behind the block's place, the size
// is a register of each thread, and what is computed of it too (a grid's
// stride). So sizes are read first.

#include "workarounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

bool isSize(Intrinsic::ID id) {
  return is_contained({Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                       Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                       Intrinsic::nvvm_read_ptx_sreg_ntid_z,
                       Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                       Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                       Intrinsic::nvvm_read_ptx_sreg_nctaid_z},
                      id);
}

bool isPlace(Intrinsic::ID id) {
  return is_contained({Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                       Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                       Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
                      id);
}

} // namespace

void readSizesFirst(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      Instruction *place = nullptr;
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        if (call && !place && isPlace(call->getIntrinsicID()))
          place = call;
        else if (call && place && isSize(call->getIntrinsicID()))
          call->moveBefore(place->getIterator());
      }
    }
}

} // namespace xcc::nvptx
