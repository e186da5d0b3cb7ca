// Code generation as all GPUs have it
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

  /// Adds what this arch wants of a module before anything is optimised: flags,
  /// linkage, settings of the machine.
  virtual void prepare() {}
  /// Adds to the pipeline of an optimising level.
  virtual void extendPipeline(llvm::PassBuilder &) {}
  /// Puts zones around variables that are no local ones (-foffload-red-zones),
  /// where a simulator cannot.
  virtual void zoneVariables() {}
  /// Writes differently what the code generator gets wrong.
  virtual void applyWorkarounds() {}
  /// Bytes of arguments that a kernel may take.
  virtual uint64_t argumentLimit() const = 0;
  /// Bytes of block-shared variables that a kernel may declare.
  virtual uint64_t sharedLimit() const = 0;
  /// An error for what else this arch cannot run.
  virtual llvm::Error check() { return llvm::Error::success(); }

  const BarrierOps barriers;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_GPUCODEGEN_H
