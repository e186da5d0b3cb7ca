// Which call comes first in the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp meet in a warp operation when they come to it by the same
// calls and in the same turn of each loop around it. So where a lane stands in
// a function is a row of words: the order of a statement among those of its
// kind, and, where that statement is a loop, the loop's turn and the order
// within the loop. Compared word by word, the lane with the lesser row may
// still come to where the other one is, and never the other way round.
//
// This computes the rows from the control flow graph that Clang writes, before
// any pass changes it: only that graph is the source's.

#ifndef XCC_BACKEND_BLOCK_SOURCEORDER_H
#define XCC_BACKEND_BLOCK_SOURCEORDER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <vector>

namespace xcc::block {

/// The order of some calls of a function.
class SourceOrder {
public:
  /// A loop around such calls.
  struct Loop {
    llvm::BasicBlock *Header = nullptr; ///< where a turn begins
    /// Blocks outside from which the loop is entered.
    llvm::SmallVector<llvm::BasicBlock *, 2> Before;
    /// Those of a turn in the source: such as end in `break`, too.
    llvm::SmallVector<llvm::BasicBlock *, 8> Blocks;
    /// Whether there are calls in a turn's blocks outside the cycle.
    bool TakesIn = false;
  };
  /// A number, or the turn of a loop.
  struct Word {
    unsigned Number = 0;
    const Loop *Turn = nullptr;
  };
  struct Point {
    llvm::CallBase *Call = nullptr;
    /// Empty when the call is the only one, and in no loop.
    llvm::SmallVector<Word, 4> Row;
  };

  /// Orders the calls of \p F for which \p IsPoint holds.
  SourceOrder(llvm::Function &F,
              llvm::function_ref<bool(const llvm::CallBase &)> IsPoint);

  const std::vector<Point> &points() const { return Points; }
  /// Each before those within it.
  const std::vector<std::unique_ptr<Loop>> &loops() const { return Loops; }

private:
  std::vector<Point> Points;
  std::vector<std::unique_ptr<Loop>> Loops;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_SOURCEORDER_H
