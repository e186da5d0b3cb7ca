// Code generation that all GPU targets share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_GPUCODEGEN_H
#define XCC_BACKEND_GPU_GPUCODEGEN_H

#include "Passes.h"
#include "targets/Codegen.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace xcc::gpu {

class GPUCodegen : public Codegen {
protected:
  GPUCodegen(const CodegenInput &input, BarrierOps barriers);

  llvm::Error lower(const Machine &chosen) final;

  /// Prepares a module for this arch before optimisation: flags, linkage,
  /// settings of the machine.
  virtual void prepare() {}
  /// Adds passes to the pipeline of an optimising level.
  virtual void extendPipeline(llvm::PassBuilder &) {}
  /// Puts zones around variables that are no local ones (-foffload-red-zones),
  /// where a simulator cannot.
  virtual void zoneVariables() {}
  /// Writes differently what the code generator gets wrong.
  virtual void applyWorkarounds() {}
  /// The maximum size of a kernel's arguments, in bytes.
  virtual uint64_t argumentLimit() const = 0;
  /// The maximum size of a kernel's shared memory, in bytes.
  virtual uint64_t sharedLimit() const = 0;
  /// Returns an error for other code that this arch cannot run.
  virtual llvm::Error check() { return llvm::Error::success(); }

  const BarrierOps barriers;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_GPUCODEGEN_H
