// A GPU's device pass, and its module on the way to libraries
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
  // Until a function's body is known, it may hold a barrier or a shuffle, which
  // must not move to where other threads do not go.
  pass.convergent = true;
  // As compilers for GPUs do: their multiply-add is one operation.
  pass.contracts = true;
  // Warps shuffle by distances too; see xcc/device.h. Their fast mathematical
  // functions are the device library's; see xcc/fast.h.
  // Clang refuses what asks for the host's CPU, which a GPU is not, and copies
  // of a function for several of its kinds, of which a GPU has the one.
  pass.defined = {
      "__XCC_SHUFFLES_BY_DISTANCE__=1", "__XCC_FAST_FUNCTIONS__=1",
      "__XCC_SEPARATE_MEMORY__=1",      "__builtin_cpu_init()=((void)0)",
      "__builtin_cpu_supports(name)=0", "__builtin_cpu_is(name)=0",
      "target_clones(...)=unused",      "__target_clones__(...)=unused"};
  // Clang defines these for its own languages; libraries switch on them.
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
