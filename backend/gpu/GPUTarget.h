// Implementation that all GPU targets share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_GPUTARGET_H
#define XCC_BACKEND_GPU_GPUTARGET_H

#include "Passes.h"
#include "targets/Target.h"

namespace xcc::gpu {

/// Options of every target for GPUs.
inline constexpr llvm::StringLiteral FlushDenormals =
    "-fgpu-flush-denormals-to-zero";
inline constexpr llvm::StringLiteral RedZones = "-foffload-red-zones";

class GPUTarget : public Target {
public:
  KernelArguments kernelArguments() const override {
    return KernelArguments::Values;
  }
  /// Settings with which types have the host's layout.
  DevicePassSettings devicePass() const override;
  void finishPass(llvm::Module &module, const GivenOptions &) const override;
  void prepareForLibraries(llvm::Module &module) const override;

protected:
  /// How to generate barriers of a block and reconvergence of a warp.
  virtual BarrierOps barriers() const = 0;
  /// The constraint letter of 32-bit registers in inline assembly.
  virtual llvm::StringRef registerLetter() const = 0;
  /// Whether the back end generates code for a call of a math intrinsic itself,
  /// without a library.
  virtual bool lowersItself(const llvm::CallInst &) const { return false; }
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_GPUTARGET_H
