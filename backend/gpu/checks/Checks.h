// Errors for code that no GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks optimised code: code that the optimiser removed is no error. Each
// error names the kernels that use it.

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

/// Returns an error if a kernel takes more than `limit` bytes of arguments.
llvm::Error checkArguments(llvm::StringRef arch, uint64_t limit,
                           const KernelTable &kernels);

/// Returns an error if a kernel uses a function that still has a barrier,
/// because of recursion through pointers.
llvm::Error checkBarriersInEntries(llvm::Module &module, const BarrierOps &ops,
                                   const KernelTable &kernels);

/// Returns an error if the module needs symbols that no file defines. It names
/// the functions and the kernels that reach them.
llvm::Error checkDefined(const llvm::Module &module, const KernelTable &kernels,
                         const DeviceCodegenOptions &options);

/// Returns an error if a kernel's code computes with __float128, which LLVM's
/// GPU back ends do not support.
llvm::Error checkQuads(const llvm::Module &module, llvm::StringRef arch,
                       const KernelTable &kernels);

/// A kernel whose threads need more stack than the GPU has; in bytes.
struct LargeStack {
  const llvm::Function *kernel;
  uint64_t size, limit;
};

/// The kernels whose local variables, with those of the functions that they
/// call, need more than `limit` bytes. For a code generator that does not
/// report them.
std::vector<LargeStack> findLargeStacks(const llvm::Module &module,
                                        uint64_t limit,
                                        const KernelTable &kernels);

/// Returns an error for those, with the largest local variable of each.
llvm::Error checkStacks(llvm::StringRef arch, llvm::ArrayRef<LargeStack> stacks,
                        const KernelTable &kernels);

/// Returns an error if a kernel's shared memory exceeds `limit` bytes.
llvm::Error checkShared(const llvm::Module &module, llvm::StringRef arch,
                        uint64_t limit, const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_CHECKS_CHECKS_H
