// A GPU's device pass, and the preparation of its module for libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUTarget.h"
#include "exceptions/Exceptions.h"
#include "gpu/stages/BeforeLibraries.h"
#include "gpu/stages/EndOfUnit.h"
#include "gpu/warps/WarpCalls.h"
#include "support/WideAtomics.h"

using namespace llvm;

namespace xcc::gpu {

DevicePassSettings GPUTarget::devicePass() const {
  DevicePassSettings pass;
  pass.ownMachine = true;
  pass.triple = triple().str();
  // A function with an unknown body may contain a barrier or a shuffle, which
  // must not move to a place that only some threads reach.
  pass.convergent = true;
  // GPU compilers contract a multiply-add to one operation by default.
  pass.contracts = true;
  // Warps shuffle by distances too (xcc/device.h), and fast math functions are
  // the device library's (xcc/fast.h). Clang rejects queries of the host's CPU,
  // which a GPU does not have, and copies of a function for several CPUs, of
  // which a GPU needs one.
  pass.defined = {
      "__XCC_SHUFFLES_BY_DISTANCE__=1", "__XCC_FAST_FUNCTIONS__=1",
      "__XCC_SEPARATE_MEMORY__=1",      "__builtin_cpu_init()=((void)0)",
      "__builtin_cpu_supports(name)=0", "__builtin_cpu_is(name)=0",
      "target_clones(...)=unused",      "__target_clones__(...)=unused"};
  // Clang defines these for CUDA and HIP, and libraries test them.
  pass.undefined = {"__CUDA_ARCH__", "__CUDA__", "__HIP__"};
  return pass;
}

void GPUTarget::finishPass(Module &module, const GivenOptions &) const {
  placeGlobals(module);
  lowerHostAssembly(module, registerLetter());
}

void GPUTarget::prepareForLibraries(Module &module) const {
  ownAvailable(module);
  if (!exceptions::keepsUnwinding(module))
    removeUnwinding(module);
  loopGuards(module);
  checkSharedOwners(module);
  checkForeignCalls(module);
  markProgram(module);
  keepIterations(module, barriers());
  placeShared(module);
  lowerMathIntrinsics(
      module, [this](const CallInst &call) { return lowersItself(call); });
  roundEachTime(module);
  callWideAtomics(module);
}

} // namespace xcc::gpu
