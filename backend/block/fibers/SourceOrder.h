// Which call comes first in the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp reconverge at a warp operation if they reach it by the same
// calls and in the same iteration of each loop around it. A lane's place in a
// function is therefore a row of words. The words are the order of a statement
// among its siblings and, if the statement is a loop, the loop's iteration and
// the order within the loop. Rows are compared word by word. The lane with the
// lesser row may still reach the place of the other lane, but never the other
// way round.
//
// The rows are computed from the control flow graph that Clang writes, before
// any pass changes it, because only that graph matches the source.

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
    /// Blocks of an iteration in the source, including those that end in
    /// `break`.
    llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
    /// Whether ordered instructions lie in an iteration's blocks outside the
    /// cycle.
    bool takesIn = false;
  };
  /// One element of a row: a number, or the iteration of a loop.
  struct Word {
    unsigned number = 0;
    const Loop *iteration = nullptr;
  };
  struct Point {
    llvm::Instruction *at = nullptr;
    /// Empty if this is the only point of the function, outside loops.
    llvm::SmallVector<Word, 4> row;
  };

  /// Orders the instructions of \p f for which \p isPoint holds.
  SourceOrder(llvm::Function &f,
              llvm::function_ref<bool(const llvm::Instruction &)> isPoint);

  const std::vector<Point> &points() const { return points_; }
  /// Outer loops come before the loops within them.
  const std::vector<std::unique_ptr<Loop>> &loops() const { return loops_; }

private:
  std::vector<Point> points_;
  std::vector<std::unique_ptr<Loop>> loops_;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_FIBERS_SOURCEORDER_H
