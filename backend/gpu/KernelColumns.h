// Columns of the kernel table for GPUs
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

/// Adds the column "calls=1" for kernels that reach the variable __xcc_rpc and
/// so may call the host, and "grid=1" for those that reach XCC_SYMBOL_GRID.
void markCalls(std::vector<KernelColumn> &columns, const llvm::Module &module,
               const KernelTable &kernels);

/// Adds the column "dynamic_stack=1" for kernels whose threads need an unknown
/// amount of stack: for recursion, calls through pointers, and variables with
/// variable length.
void markStacks(std::vector<KernelColumn> &columns, const llvm::Module &module,
                const KernelTable &kernels);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_KERNELCOLUMNS_H
