// The code of a thread that takes several indices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_COARSEN_COPIES_H
#define XCC_BACKEND_TARGETS_NVPTX_COARSEN_COPIES_H

#include "shape.h"

namespace xcc::nvptx::coarsen {

/// A block becomes kernel.indices blocks: of a parallel_for, where the grid has
/// too few threads; of other kernels, always.
void makeCopies(const IndexedKernel &kernel, llvm::ArrayRef<Comparison> guard);

} // namespace xcc::nvptx::coarsen

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_COPIES_H
