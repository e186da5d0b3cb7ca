// Threads that have nothing to do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most kernels begin with "is there work for this thread?", and the answer is
// yes for a range of threads. Where a region begins so, its innermost loop runs
// over that range only, and its body is free of the test: a loop that LLVM
// vectorizes without masks.

#ifndef XCC_BACKEND_BLOCK_LOOPS_THREADRANGE_H
#define XCC_BACKEND_BLOCK_LOOPS_THREADRANGE_H

#include "ThreadLoops.h"
#include "block/regions/Regions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <memory>

namespace xcc::block {

/// What the first tests of a region say.
class ThreadRange {
public:
  /// Finds the tests at the start of \p r after which a thread leaves the
  /// region without having done anything. A value that the loops' set-up may
  /// use must be in the prologue or loaded from one of \p uniformLocals.
  ThreadRange(const Region &r, const RegionPlan &plan,
              const llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *>
                  &uniformLocals);

  /// Takes the tests at the start of a kernel out of it (hoistPrologue ran):
  /// the threads that leave there take part in nothing. Null if there are none.
  static std::unique_ptr<ThreadRange> takeFrom(llvm::Function &kernel);

  /// Restricts the innermost of \p loops to the threads that stay, and removes
  /// the tests from the region, if they are one region's. \p blockIdx and alike
  /// were replaced before; queries of the thread were not.
  void apply(ThreadLoops &loops, const LaunchShape &shape);

  /// Of takeFrom: the range, computed at \p b, in the prologue, from all
  /// [0, width) threads of the innermost loop; empty if high is not above low.
  std::pair<llvm::Value *, llvm::Value *> bounds(llvm::IRBuilderBase &b,
                                                 llvm::Value *width);

  /// How many tests it is.
  unsigned size() const { return tests.size(); }

  /// Removes what takeFrom left in the prologue.
  void eraseTests();

private:
  explicit ThreadRange(const RegionPlan &plan);
  void findTests(const Region &r);
  void keepCopies(llvm::BasicBlock &prologue);
  llvm::Value *keepCopy(llvm::Value *v, llvm::Instruction *place);
  /// Whether \p i has to be computed for the loops.
  bool isLocal(const llvm::Instruction &i) const;

  /// A thread leaves when it holds.
  struct Test {
    llvm::ICmpInst *compare;
    bool leavesIf; ///< ... this is the result
    bool isAffine; ///< operand 0 counts up with thread_idx.x by one
    llvm::CmpPredicate predicate; ///< with that operand on the left
    llvm::Value *index, *bound;
    unsigned shift = 0; ///< ... or by one for each 2^shift threads
  };

  /// \p forAll: all threads come to the test, so what is said of its operands holds for
  /// all of them. Else it holds for those that passed the tests before it.
  void addTests(llvm::Value *condition, bool leavesIf, bool forAll);
  void addTest(llvm::ICmpInst &compare, bool leavesIf, bool forAll);
  bool isComputable(const llvm::Value *v, unsigned &budget) const;
  bool dependsOnX(const llvm::Value *v) const;
  unsigned shiftOf(const llvm::Value *index) const;
  bool beginsNonNegative(const llvm::Value *v) const;
  bool countsUp(const llvm::Value *v, bool isSigned, bool forAll) const;
  llvm::Value *compute(llvm::IRBuilderBase &b, llvm::Value *v,
                       const ThreadLoops &loops);
  void narrow(llvm::IRBuilderBase &b, const Test &t, const ThreadLoops &loops,
              llvm::Value *width, llvm::Value *&low, llvm::Value *&high);

  const RegionPlan *plan; ///< null once copies were made
  const llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *>
      &uniformLocals;
  unsigned number = 0; ///< of the region
  /// Copies of a kernel's tests, in the prologue, and what they use.
  llvm::SetVector<llvm::Instruction *> copies;
  llvm::SmallVector<Test, 4> tests;
  llvm::DenseMap<llvm::Value *, llvm::Value *> computed;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_THREADRANGE_H
