// A GPU's device pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPU.h"

namespace xcc::gpu {

DevicePassSettings devicePass(llvm::StringRef triple) {
  DevicePassSettings pass;
  pass.ownMachine = true;
  pass.triple = triple.str();
  // Until a function's body is known, it may hold a barrier or a shuffle, which
  // must not move to where other threads do not go.
  pass.convergent = true;
  // As compilers for GPUs do: their multiply-add is one operation.
  pass.contracts = true;
  // Warps shuffle by distances too; see xcc/device.h.
  pass.defined = {"__XCC_SHUFFLES_BY_DISTANCE__=1",
                  "__XCC_SEPARATE_MEMORY__=1"};
  // Clang defines these for its own languages; libraries switch on them.
  pass.undefined = {"__CUDA_ARCH__", "__CUDA__", "__HIP__"};
  return pass;
}

} // namespace xcc::gpu
