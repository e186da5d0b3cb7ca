// The threads that pass a comparison
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If an index counts up from one thread to the next, the threads for which
// `index < bound` is true are those below a certain thread. A loop over this
// range does not need the comparison.

#ifndef XCC_BACKEND_BLOCK_LOOPS_PASSINGRANGE_H
#define XCC_BACKEND_BLOCK_LOOPS_PASSINGRANGE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace xcc::block {

/// A comparison of an index with a bound, true for threads that pass. It is not
/// an inequality.
struct IndexComparison {
  llvm::CmpInst::Predicate predicate;
  llvm::Value *first; ///< the index of thread 0; it does not wrap
  llvm::Value *bound;
  llvm::Value *step = nullptr; ///< between two indices; null: 1
  /// 1 << shift threads have the same index.
  unsigned shift = 0;
};

/// Removes the threads that do not pass from [low, high). There are at most
/// \p count indices. \p count, \p low and \p high have the same type.
void narrowToPassing(llvm::IRBuilderBase &b, const IndexComparison &c,
                     llvm::Value *count, llvm::Value *&low, llvm::Value *&high);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_PASSINGRANGE_H
