// Which call comes first in the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp meet in a warp operation when they come to it by the same
// calls and in the same iteration of each loop around it. So where a lane
// stands in a function is a row of words: the order of a statement among those
// of its kind, and, where that statement is a loop, the loop's iteration and
// the order within the loop. Compared word by word, the lane with the lesser
// row may still come to where the other one is, and never the other way round.
//
// This computes the rows from the control flow graph that Clang writes, before
// any pass changes it: only that graph is the source's.

#ifndef XCC_BACKEND_BLOCK_FIBERS_SOURCEORDER_H
#define XCC_BACKEND_BLOCK_FIBERS_SOURCEORDER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <vector>

namespace xcc::block {

/// The order of some instructions of a function.
class SourceOrder {
public:
  /// A loop around such instructions.
  struct Loop {
    llvm::BasicBlock *header = nullptr; ///< where an iteration begins
    /// Blocks outside from which the loop is entered.
    llvm::SmallVector<llvm::BasicBlock *, 2> before;
    /// Those of an iteration in the source: such as end in `break`, too.
    llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
    /// Whether there are some in an iteration's blocks outside the cycle.
    bool takesIn = false;
  };
  /// A number, or the iteration of a loop.
  struct Word {
    unsigned number = 0;
    const Loop *iteration = nullptr;
  };
  struct Point {
    llvm::Instruction *at = nullptr;
    /// Empty if it is the only one, and in no loop.
    llvm::SmallVector<Word, 4> row;
  };

  /// Orders the instructions of \p f for which \p isPoint holds.
  SourceOrder(llvm::Function &f,
              llvm::function_ref<bool(const llvm::Instruction &)> isPoint);

  const std::vector<Point> &points() const { return points_; }
  /// Each before those within it.
  const std::vector<std::unique_ptr<Loop>> &loops() const { return loops_; }

private:
  std::vector<Point> points_;
  std::vector<std::unique_ptr<Loop>> loops_;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_SOURCEORDER_H
