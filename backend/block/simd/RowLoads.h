// Loads from rows that threads walk through
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_SIMD_ROWLOADS_H
#define XCC_BACKEND_BLOCK_SIMD_ROWLOADS_H

#include "Masks.h"
#include "Rows.h"
#include "Values.h"

#include <optional>

namespace xcc::block::simd {

/// Emits the loads of `Rows`. A whole square is loaded for as many iterations
/// as it has columns; these iterations follow each other without a branch. At
/// the ends of rows, columns are kept on the stack until their iteration comes.
class RowLoads {
public:
  RowLoads(llvm::Function &f, const Rows &rows, Values &values, unsigned lanes,
           const llvm::TargetTransformInfo &target, llvm::IRBuilder<> &b)
      : f(f), rows(rows), values(values), lanes(lanes), target(target), b(b) {}

  /// Prepares for \p l. The insertion point is before the loop. \p squares will
  /// be a loop for iterations that take whole squares; null if there is none.
  void enter(const llvm::Loop &l, llvm::BasicBlock *squares);
  /// Begins an iteration at the insertion point.
  void repeat(const llvm::Loop &l);
  /// Begins a whole square at the insertion point, in the iteration that jumped
  /// there. takeColumn(n) then begins the iteration of its column \p n, and
  /// endSquare goes back to the loop.
  void beginSquare(const llvm::Loop &l);
  void takeColumn(unsigned n) { inSquare = n; }
  void endSquare();

  bool areIn(const llvm::Loop &l) const { return rows.tripsOf(l); }
  bool contains(const llvm::LoadInst &load) const { return rows.loopOf(load); }
  /// The elements of all lanes. \p mask, of i1, says which lanes are active;
  /// null: all.
  llvm::Value *emit(llvm::LoadInst &load, llvm::Value *mask);

private:
  /// The next elements of all rows.
  struct Square {
    llvm::Value *addresses; ///< of the elements of this iteration
    llvm::Value *column;    ///< which column these are
    llvm::Value *left;      ///< iterations that are left, with this one
  };
  /// The progress of a loop.
  struct Walk {
    llvm::AllocaInst *begun;  ///< iterations that began
    llvm::AllocaInst *first;  ///< the column of the first iteration
    llvm::AllocaInst *column; ///< the column of this iteration
    llvm::BasicBlock *squares = nullptr;
    llvm::LoadInst *leader = nullptr; ///< the first load of an iteration
  };
  void count(const Walk &walk, uint64_t iterations);
  using Columns = llvm::SmallVector<llvm::Value *>;
  Columns loadWhole(llvm::LoadInst &load, llvm::Value *addresses);
  Columns loadPart(llvm::LoadInst &load, const Square &square,
                   llvm::Value *mask);
  Columns gather(llvm::LoadInst &load, const Square &square, llvm::Value *mask);
  Columns either(llvm::Value *condition, llvm::function_ref<Columns()> first,
                 llvm::function_ref<Columns()> second);
  Columns loadSquare(llvm::LoadInst &load, const Walk &walk,
                     const Square &square, llvm::Value *mask);
  Columns loadInSquare(llvm::LoadInst &load, const Walk &walk,
                       llvm::Value *addresses);
  llvm::Value *fits(llvm::LoadInst &load, llvm::Value *mask);
  llvm::BasicBlock *nextSquare(llvm::LoadInst &load, const Walk &walk,
                               llvm::Value *now, llvm::Value *addresses,
                               llvm::BasicBlock *ready);
  llvm::Value *isWhole(llvm::LoadInst &load, const Square &square,
                       llvm::Value *mask);
  llvm::Value *wantedOf(const Square &square);
  llvm::Value *firstColumn(llvm::LoadInst &load, llvm::Value *addresses,
                           llvm::Value *trips);

  llvm::Function &f;
  const Rows &rows;
  Values &values;
  unsigned lanes;
  const llvm::TargetTransformInfo &target;
  llvm::IRBuilder<> &b;
  llvm::DenseMap<const llvm::Loop *, Walk> walks;
  std::optional<unsigned> inSquare;
  /// The columns of the square that is being emitted.
  llvm::DenseMap<const llvm::LoadInst *, Columns> columns;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_ROWLOADS_H
