// The code of a thread with several indices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_COARSEN_COPIES_H
#define XCC_BACKEND_TARGETS_NVPTX_COARSEN_COPIES_H

#include "shape.h"

namespace xcc::nvptx::coarsen {

/// Adds code with which a block does the work of kernel.indices blocks. For a
/// parallel_for, this code runs if the grid has too few threads. For other
/// kernels it always runs.
void makeCopies(const IndexedKernel &kernel, llvm::ArrayRef<Comparison> guard);

} // namespace xcc::nvptx::coarsen

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_COPIES_H
