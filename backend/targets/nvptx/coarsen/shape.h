// Kernels whose threads have one index each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_NVPTX_COARSEN_SHAPE_H
#define XCC_BACKEND_TARGETS_NVPTX_COARSEN_SHAPE_H

#include "body.h"

namespace xcc::nvptx::coarsen {

/// Matches the entry of a parallel_for without changing it.
bool matchLoop(llvm::Function &entry, IndexedKernel &kernel);

/// Matches any other entry of the form
///
///     x = block_idx * threads + thread_idx; if (guard) body;
///
/// where the guard compares integers that grow with x. This may change the
/// entry even if it does not match; the entry must then be thrown away.
bool matchGrid(llvm::Function &entry, IndexedKernel &kernel);

/// A comparison that is true if the guard holds.
struct Comparison {
  llvm::CmpInst::Predicate predicate;
  llvm::Value *left, *right;
  /// The growth of the left side minus that of the right. One of them does not
  /// grow.
  int64_t step;
  bool leftGrows;
};
/// Splits the guard into comparisons, all of which must be true. Returns false
/// for other guards. If no side wraps, a comparison that is true for the first
/// and last of several indices is true for all of them.
bool readGuard(const IndexedKernel &kernel,
               llvm::SmallVectorImpl<Comparison> &out);

} // namespace xcc::nvptx::coarsen

#endif // XCC_BACKEND_TARGETS_NVPTX_COARSEN_SHAPE_H
