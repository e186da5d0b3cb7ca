// LLVM's pipeline with xcc's passes, for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/passes.md (section 7) gives the order and its reasons.

#ifndef XCC_BACKEND_GPU_STAGES_PIPELINE_H
#define XCC_BACKEND_GPU_STAGES_PIPELINE_H

#include "Kernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Module;
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// Runs LLVM's default pipeline of the level, with the back end's own passes
/// and the passes for barriers (`ops`); if the level optimises, also those that
/// `extend` adds. Records which memory the kernels use.
void optimise(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level, const KernelTable &kernels, const BarrierOps &ops,
              llvm::function_ref<void(llvm::PassBuilder &)> extend);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_STAGES_PIPELINE_H
