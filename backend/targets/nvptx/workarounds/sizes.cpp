// The order in which a kernel reads the indices and sizes of a launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of threads and of blocks is in constant memory. A block's index
// needs an instruction with latency. For blockIdx.x * blockDim.x, ptxas
// generates code according to which factor is read first. If the block's index
// comes first, the size takes a register of each thread, and so do values
// computed from it, such as a grid's stride. So this moves the reads of sizes
// to the front.

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
