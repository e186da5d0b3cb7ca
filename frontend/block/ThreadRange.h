//===-- block/ThreadRange.h - Threads that have nothing to do ---*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most kernels begin with "is there work for this thread?", and the answer is
// yes for a range of threads. Where a region begins so, its innermost loop runs
// over that range only, and its body is free of the test: a loop that LLVM
// vectorizes without masks.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_BLOCK_THREADRANGE_H
#define XCC_FRONTEND_BLOCK_THREADRANGE_H

#include "Regions.h"
#include "ThreadLoops.h"

#include "llvm/IR/Instructions.h"

namespace xcc::block {

/// What the first tests of a region say.
class ThreadRange {
public:
  /// Finds the tests at the start of \p R after which a thread leaves the
  /// region without having done anything. A value that the loops' set-up may
  /// use must be in the prologue or loaded from one of \p UniformLocals.
  ThreadRange(const Region &R, const RegionPlan &Plan,
              const llvm::DenseMap<const llvm::AllocaInst *,
                                   llvm::AllocaInst *> &UniformLocals);

  /// Restricts the innermost of \p Loops to the threads that stay, and removes
  /// the tests from the region. \p BlockIdx and alike were replaced before;
  /// queries of the thread were not.
  void apply(ThreadLoops &Loops, const LaunchShape &Shape);

private:
  /// A thread leaves when it holds.
  struct Test {
    llvm::ICmpInst *Compare;
    bool LeavesIf; ///< ... this is the result
    bool IsAffine; ///< operand 0 counts up with thread_idx.x by one
    llvm::CmpPredicate Predicate; ///< with that operand on the left
    llvm::Value *Index, *Bound;
  };

  void addTests(llvm::Value *Condition, bool LeavesIf);
  void addTest(llvm::ICmpInst &Compare, bool LeavesIf);
  bool isComputable(const llvm::Value *V, unsigned &Budget) const;
  bool dependsOnX(const llvm::Value *V) const;
  bool countsUp(const llvm::Value *V, bool Signed) const;
  llvm::Value *compute(llvm::IRBuilderBase &B, llvm::Value *V,
                       const ThreadLoops &Loops);

  const RegionPlan &Plan;
  const llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *>
      &UniformLocals;
  unsigned Number; ///< of the region
  llvm::SmallVector<Test, 4> Tests;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Computed;
};

} // namespace xcc::block

#endif // XCC_FRONTEND_BLOCK_THREADRANGE_H
