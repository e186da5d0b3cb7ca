//===-- block/GlobalIndices.h - block_idx * block_dim + thread_idx --*- C++ ===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_BLOCK_GLOBALINDICES_H
#define XCC_FRONTEND_BLOCK_GLOBALINDICES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace xcc::block {

/// The computations of a thread's global index in a kernel. The runtime refuses
/// launches with more than 2^32 - 1 threads in a dimension, so they do not wrap
/// as unsigned numbers. Kernels mostly keep them in an `int`: with fewer than
/// 2^31 threads in a dimension they do not wrap there either, and knowing it,
/// LLVM sees that neighbouring threads use neighbouring memory.
class GlobalIndices {
public:
  /// Finds them, and marks them as unsigned numbers that do not wrap.
  explicit GlobalIndices(llvm::Function &Kernel);

  /// Whether something depends on an index as a signed 32-bit number.
  bool isSigned() const { return !Signed.empty(); }

  /// Marks those as not wrapping: the kernel is right for fewer than 2^31
  /// threads in each dimension only.
  void assumeFewThreads() const;
  /// Takes that back.
  void assumeNothing() const;

private:
  llvm::SmallVector<llvm::BinaryOperator *, 4> Signed;
};

} // namespace xcc::block

#endif // XCC_FRONTEND_BLOCK_GLOBALINDICES_H
