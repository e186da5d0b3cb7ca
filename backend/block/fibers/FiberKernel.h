// Kernels whose threads are fibers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_FIBERS_FIBERKERNEL_H
#define XCC_BACKEND_BLOCK_FIBERS_FIBERKERNEL_H

#include "block/abi/SharedLayout.h"

namespace xcc::block {

/// Moves \p kernel's code to an xcc_cpu_thread_fn: one call runs one thread,
/// whose barriers call the runtime.
llvm::Function *buildFiberKernel(llvm::Function &kernel,
                                 const SharedLayout &layout);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_FIBERKERNEL_H
