// Threads that have nothing to do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most kernels begin with "is there work for this thread?", and the answer is
// yes for a range of threads. Where a region begins so, its innermost loop runs
// over that range only, and its body is free of the test: a loop that LLVM
// vectorizes without masks.

#ifndef XCC_BACKEND_BLOCK_THREADRANGE_H
#define XCC_BACKEND_BLOCK_THREADRANGE_H

#include "Regions.h"
#include "ThreadLoops.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <memory>

namespace xcc::block {

/// What the first tests of a region say.
class ThreadRange {
public:
  /// Finds the tests at the start of \p R after which a thread leaves the
  /// region without having done anything. A value that the loops' set-up may
  /// use must be in the prologue or loaded from one of \p UniformLocals.
  ThreadRange(const Region &R, const RegionPlan &Plan,
              const llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *>
                  &UniformLocals);

  /// Takes the tests at the start of a kernel out of it (hoistPrologue ran):
  /// the threads that leave there take part in nothing. Null if there are none.
  static std::unique_ptr<ThreadRange> takeFrom(llvm::Function &Kernel);

  /// Restricts the innermost of \p Loops to the threads that stay, and removes
  /// the tests from the region, if they are one region's. \p BlockIdx and alike
  /// were replaced before; queries of the thread were not.
  void apply(ThreadLoops &Loops, const LaunchShape &Shape);

  /// Removes what takeFrom left in the prologue.
  void eraseTests();

private:
  explicit ThreadRange(const RegionPlan &Plan);
  void findTests(const Region &R);
  void keepCopies(llvm::BasicBlock &Prologue);
  llvm::Value *keepCopy(llvm::Value *V, llvm::Instruction *Place);
  /// Whether \p I has to be computed for the loops.
  bool isLocal(const llvm::Instruction &I) const;

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

  const RegionPlan *Plan; ///< null once copies were made
  const llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *>
      &UniformLocals;
  unsigned Number = 0; ///< of the region
  /// Copies of a kernel's tests, in the prologue, and what they use.
  llvm::SetVector<llvm::Instruction *> Copies;
  llvm::SmallVector<Test, 4> Tests;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Computed;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_THREADRANGE_H
