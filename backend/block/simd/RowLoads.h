// Loads from rows that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SIMD_ROWLOADS_H
#define XCC_BACKEND_BLOCK_SIMD_ROWLOADS_H

#include "Masks.h"
#include "Rows.h"
#include "Values.h"

namespace xcc::block::simd {

/// Emits the loads of `Rows`. Columns wait in a square on the stack until their
/// iteration comes.
class RowLoads {
public:
  RowLoads(llvm::Function &f, const Rows &rows, Values &values, unsigned lanes,
           const llvm::TargetTransformInfo &target, llvm::IRBuilder<> &b)
      : f(f), rows(rows), values(values), lanes(lanes), target(target), b(b) {}

  /// The code that follows is before \p l, or begins an iteration of it.
  void enter(const llvm::Loop &l);
  void repeat(const llvm::Loop &l);

  bool contains(const llvm::LoadInst &load) const { return rows.loopOf(load); }
  /// The elements of all lanes. \p mask, of i1, says which lanes come here; null
  /// for all.
  llvm::Value *emit(llvm::LoadInst &load, llvm::Value *mask);

private:
  /// The next elements of all rows.
  struct Square {
    llvm::Value *addresses; ///< of the elements of this iteration
    llvm::Value *column;    ///< which these are of the square
    llvm::Value *left; ///< how many iterations there are, this one included
  };
  void loadRows(llvm::LoadInst &load, llvm::ArrayRef<llvm::AllocaInst *> slots,
                const Square &square, llvm::Value *mask);
  void fill(llvm::LoadInst &load, llvm::AllocaInst *memory,
            const Square &square, llvm::Value *mask);
  llvm::Value *isWhole(const Square &square, llvm::Value *mask);
  llvm::Value *wantedOf(const Square &square);
  llvm::Value *firstColumn(llvm::LoadInst &load, llvm::Value *addresses);

  llvm::Function &f;
  const Rows &rows;
  Values &values;
  unsigned lanes;
  const llvm::TargetTransformInfo &target;
  llvm::IRBuilder<> &b;
  /// How many iterations of each loop were begun.
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> begun;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_ROWLOADS_H
