// What no GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors for kernels, found in optimised code: what the optimiser removed is no error.
// Each names the kernels that are concerned.

#ifndef XCC_BACKEND_GPU_CHECKS_CHECKS_H
#define XCC_BACKEND_GPU_CHECKS_CHECKS_H

#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace xcc::gpu {

struct BarrierOps;

/// An error when a kernel takes more than `limit` bytes of arguments.
llvm::Error checkArguments(llvm::StringRef arch, uint64_t limit,
                           const KernelTable &kernels);

/// An error when a kernel uses a function that still has a barrier: recursion
/// through pointers.
llvm::Error checkBarriersInEntries(llvm::Module &module, const BarrierOps &ops,
                                   const KernelTable &kernels);

/// An error when the module still needs what nothing defines. It names the
/// functions and the kernels that reach them.
llvm::Error checkDefined(const llvm::Module &module, const KernelTable &kernels,
                         const DeviceCodegenOptions &options);

/// An error when a kernel's code computes with __float128, which LLVM's back
/// ends for GPUs do not support.
llvm::Error checkQuads(const llvm::Module &module, llvm::StringRef arch,
                       const KernelTable &kernels);

/// A kernel whose threads need more stack than the GPU has; in bytes.
struct LargeStack {
  const llvm::Function *kernel;
  uint64_t size, limit;
};

/// The kernels whose local variables, with those of the functions that they
/// call, have more than `limit` bytes. For a code generator that reports none.
std::vector<LargeStack> findLargeStacks(const llvm::Module &module,
                                        uint64_t limit,
                                        const KernelTable &kernels);

/// An error for those, with the largest local variable of each.
llvm::Error checkStacks(llvm::StringRef arch, llvm::ArrayRef<LargeStack> stacks,
                        const KernelTable &kernels);

/// An error when a kernel's block-shared variables exceed `limit` bytes.
llvm::Error checkShared(const llvm::Module &module, llvm::StringRef arch,
                        uint64_t limit, const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_CHECKS_CHECKS_H
