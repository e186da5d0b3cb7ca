// Kernels whose threads have one index each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_COARSEN_SHAPE_H
#define XCC_BACKEND_TARGETS_NVPTX_COARSEN_SHAPE_H

#include "body.h"

namespace xcc::nvptx::coarsen {

/// Takes the entry of a parallel_for apart, which stays as it is.
bool matchLoop(llvm::Function &entry, IndexedKernel &kernel);

/// Takes any other entry apart, if it is
///
///     x = block_idx * threads + thread_idx; if (guard) body;
///
/// where the guard compares integers that grow as x does. It may change what no
/// longer is one, and what it leaves is to be thrown away then.
bool matchGrid(llvm::Function &entry, IndexedKernel &kernel);

/// A comparison of the guard, as it is where the guard holds.
struct Comparison {
  llvm::CmpInst::Predicate predicate;
  llvm::Value *left, *right;
  /// The growth of the left side less that of the right; one of them does not grow.
  int64_t step;
  bool leftGrows;
};
/// All of which must hold; false where there are others. What holds for the
/// first and for the last of some indices holds for all between, if no side
/// wraps.
bool readGuard(const IndexedKernel &kernel,
               llvm::SmallVectorImpl<Comparison> &out);

} // namespace xcc::nvptx::coarsen

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_SHAPE_H
