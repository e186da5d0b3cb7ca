// Columns of the kernel table that GPUs fill
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime reads them before a launch.

#ifndef XCC_BACKEND_GPU_KERNELCOLUMNS_H
#define XCC_BACKEND_GPU_KERNELCOLUMNS_H

#include "targets/Target.h"

namespace llvm {
class Module;
} // namespace llvm

namespace xcc::gpu {

/// Adds the column "calls=1" of kernels that may call the host: those that reach
/// the variable __xcc_rpc.
void markCalls(std::vector<KernelColumn> &columns, const llvm::Module &module,
               const KernelTable &kernels);

/// Adds the column "dynamic_stack=1" of kernels whose threads need an amount of
/// stack that is not known: for recursion, calls through pointers, and variables
/// of variable length.
void markStacks(std::vector<KernelColumn> &columns, const llvm::Module &module,
                const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_KERNELCOLUMNS_H
