// Kernels as functions over blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device runs a kernel by calling one function for a range of blocks. A
// kernel is written as the work of one thread; the passes here make that
// function from it. If all threads of a block reach the same barriers, the code
// between two barriers becomes a loop over the threads. Otherwise each thread
// becomes a fiber.

#ifndef XCC_BACKEND_BLOCK_BLOCKFUNCTION_H
#define XCC_BACKEND_BLOCK_BLOCKFUNCTION_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class PassBuilder;
}

namespace xcc::block {

/// For the start of the pipeline. Makes every function of the device program
/// nounwind and each `invoke` a call, because no exception leaves device code.
/// Marks functions that query their thread or wait at a barrier `alwaysinline`,
/// so that the simplification pipeline sees whole kernels.
struct PrepareKernelsPass : llvm::PassInfoMixin<PrepareKernelsPass> {
  llvm::PreservedAnalyses run(llvm::Module &m,
                              llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }
};

/// Turns every kernel of a linked, internalised device module into a block
/// function and a kernel object (xcc/abi.h), and adds the image's header.
///
/// A kernel is a function with the attribute "xcc.cpu_kernel" (its fingerprint)
/// and the signature `void (ptr kernarg)`. Errors that a user can cause are
/// reported through LLVMContext::diagnose and name the kernel.
struct BlockFunctionPass : llvm::PassInfoMixin<BlockFunctionPass> {
  llvm::PreservedAnalyses run(llvm::Module &m,
                              llvm::ModuleAnalysisManager &mam);
  static bool isRequired() { return true; }
};

/// Registers both passes, and the clean-up after the second, at their places in
/// the default pipelines that \p pb builds afterwards (any level). With
/// \p program, code outside kernels is optimised as the host's code is.
void addToPipeline(llvm::PassBuilder &pb, llvm::OptimizationLevel level,
                   bool program = false);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_BLOCKFUNCTION_H
