// Kernels as functions over blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device runs a kernel by calling one function per range of blocks. The
// passes here make that function out of the kernel, which is written as the
// work of one thread: thread loops around the code between two barriers when
// every thread of a block reaches the same barriers, else one fiber a thread.

#ifndef XCC_BACKEND_BLOCK_BLOCKFUNCTION_H
#define XCC_BACKEND_BLOCK_BLOCKFUNCTION_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class PassBuilder;
}

namespace xcc::block {

/// For the start of the pipeline: makes every function of the device program
/// nounwind (no exception leaves device code, so each `invoke` is a call) and
/// marks what asks for its thread or waits at a barrier `alwaysinline`, so that
/// the simplification pipeline sees whole kernels.
struct PrepareKernelsPass : llvm::PassInfoMixin<PrepareKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &m,
                              llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }
};

/// Turns every kernel of a linked, internalised device module into a block
/// function and a kernel object (xcc/abi.h), and adds the image's header.
///
/// A kernel is a function with the attribute "xcc.cpu_kernel" (its fingerprint) and
/// the signature `void (ptr kernarg)`. What a user could have caused is
/// reported through LLVMContext::diagnose as an error that names the kernel.
struct BlockFunctionPass : llvm::PassInfoMixin<BlockFunctionPass> {
  llvm::PreservedAnalyses run(llvm::Module &m,
                              llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }
};

/// Registers both passes, and the clean-up that follows the second, at their
/// places in the default pipelines that \p pb builds afterwards (any level).
/// With \p program, what is no kernel is optimised as the host's code is.
void addToPipeline(llvm::PassBuilder &pb, llvm::OptimizationLevel level,
                   bool program = false);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_BLOCKFUNCTION_H
