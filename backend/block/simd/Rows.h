// Rows of memory that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that sums up a row of a matrix loads one element after the other.
// For several threads at once, that would be a gather in each iteration.
// Instead, a vector load for each lane loads as many elements of its row as
// there are lanes. This square is transposed in registers, and the next
// iterations take its columns. The order of each thread's operations does not
// change.

#ifndef XCC_BACKEND_BLOCK_SIMD_ROWS_H
#define XCC_BACKEND_BLOCK_SIMD_ROWS_H

#include "Shapes.h"

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
class SCEVExpander;
} // namespace llvm

namespace xcc::block::simd {

/// The loads of a thread loop that are done by such squares.
class Rows {
public:
  Rows(llvm::Loop &threads, const Shapes &shapes, llvm::ScalarEvolution &se,
       const llvm::DominatorTree &dt)
      : threads(threads), shapes(shapes), se(se), dt(dt) {}

  /// Finds these loads, once the shapes are known.
  void find();
  /// The loop in which \p access is such a load, or null.
  const llvm::Loop *loopOf(const llvm::Instruction &access) const {
    return loads.lookup(&access);
  }
  /// The extension of the 32-bit index of \p access, if that may wrap along the
  /// row; null if it cannot.
  llvm::CastInst *extensionOf(const llvm::LoadInst &access) const {
    return extensions.lookup(&access);
  }
  /// Computes the trip counts of the loops before the thread loop.
  void expandTrips(llvm::SCEVExpander &expander);
  /// The trip count of \p l, an i64; null if \p l has no such load.
  llvm::Value *tripsOf(const llvm::Loop &l) const { return trips.lookup(&l); }

private:
  const llvm::SCEV *tripCountOf(const llvm::Loop &l) const;
  bool isFitting(llvm::Loop &l) const;
  bool walks(llvm::LoadInst &load, const llvm::Loop &l);
  llvm::CastInst *wrappingIndex(llvm::Value *address, const llvm::Loop &l,
                                uint64_t size) const;

  llvm::Loop &threads;
  const Shapes &shapes;
  llvm::ScalarEvolution &se;
  const llvm::DominatorTree &dt;
  llvm::DenseMap<const llvm::Instruction *, const llvm::Loop *> loads;
  llvm::DenseMap<const llvm::Instruction *, llvm::CastInst *> extensions;
  llvm::DenseMap<const llvm::Loop *, llvm::Value *> trips;
};

/// The columns of a square matrix whose rows are \p rows, vectors of as many
/// elements as there are rows, a power of two.
llvm::SmallVector<llvm::Value *>
transposed(llvm::SmallVector<llvm::Value *> rows, llvm::IRBuilder<> &b);

/// The columns of a matrix whose rows are \p rows, vectors of 128 bits or of as
/// many elements as there are rows, which are powers of two.
llvm::SmallVector<llvm::Value *>
columnsOf(llvm::SmallVector<llvm::Value *> rows, llvm::IRBuilder<> &b);
/// The opposite: the rows of a matrix with the columns \p columns.
llvm::SmallVector<llvm::Value *>
rowsFrom(llvm::SmallVector<llvm::Value *> columns, llvm::IRBuilder<> &b);

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_ROWS_H
