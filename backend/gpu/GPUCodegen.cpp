// Code generation that all GPU targets share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUCodegen.h"
#include "GPUTarget.h"
#include "gpu/AddressSpaces.h"
#include "gpu/checks/Checks.h"
#include "gpu/stages/AfterPipeline.h"
#include "gpu/stages/BeforePipeline.h"
#include "gpu/stages/Pipeline.h"
#include "gpu/warps/WarpCalls.h"
#include "link/Portable.h"
#include "support/BlockConstants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

static bool isShared(const GlobalVariable &variable) {
  return variable.getAddressSpace() == SharedAddressSpace;
}

GPUCodegen::GPUCodegen(const CodegenInput &input, BarrierOps barriers)
    : Codegen(input), barriers(std::move(barriers)) {
  // Programs find the simulators in this library's folder.
  if (!options.inProgram)
    image.library = codeGeneratorFile(options);
}

Error GPUCodegen::lower(const Machine &chosen) {
  if (Error error = checkArguments(arch, argumentLimit(), kernels))
    return error;
  makeWeakSymbolsNull(module);
  endFailingPaths(module);
  setMachine(module, chosen.processor, chosen.features);
  if (options.has(FlushDenormals))
    flushDenormals(module);
  lowerIndirectBranches(module);
  narrowPrecisions(module);
  addFramesToNoops(module);
  localiseBlockConstants(module, isShared);
  prepare();
  if (options.optLevel)
    keepRestrict(module, kernels);
  markServices(module);
  clearErrno(module, kernels);
  inlineKernels(module, kernels);
  if (Error error = loopRecursiveBarriers(module, *machine, barriers, kernels))
    return error;
  optimise(module, *machine, options.optLevel, kernels, barriers,
           [this](PassBuilder &builder) { extendPipeline(builder); });
  // The optimiser makes tables of switches.
  localiseBlockConstants(module, isShared);
  if (std::string wrong = describeBlockConstants(module, isShared);
      !wrong.empty())
    return createStringError(wrong);
  if (options.has(RedZones)) {
    zoneStacks(module);
    zoneVariables();
  }
  listOwnFunctions(module);
  applyWorkarounds();
  if (Error error = checkBarriersInEntries(module, barriers, kernels))
    return error;
  if (Error error = checkDefined(module, kernels, options))
    return error;
  if (Error error = checkQuads(module, arch, kernels))
    return error;
  if (Error error = checkShared(module, arch, sharedLimit(), kernels))
    return error;
  return check();
}

} // namespace xcc::gpu
