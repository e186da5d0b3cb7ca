// Threads that leave at the start
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most kernels begin with a test whether there is work for the thread, and a
// range of threads passes it. If a region begins with such a test, its
// innermost loop runs over that range only, and its body is free of the test:
// LLVM vectorizes such a loop without masks.

#ifndef XCC_BACKEND_BLOCK_LOOPS_THREADRANGE_H
#define XCC_BACKEND_BLOCK_LOOPS_THREADRANGE_H

#include "ThreadLoops.h"
#include "block/regions/Regions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <memory>

namespace xcc::block {

/// The tests at the start of a region or of a kernel.
class ThreadRange {
public:
  /// Finds the tests at the start of \p r after which a thread leaves the
  /// region without an effect. Values that the loops' set-up uses must be in
  /// the prologue or loaded from one of \p uniformLocals.
  ThreadRange(const Region &r, const RegionPlan &plan,
              const llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *>
                  &uniformLocals);

  /// Takes the tests at the start of a kernel out of it, after hoistPrologue.
  /// Threads that leave there then run nothing of the kernel. Null if there are
  /// none.
  static std::unique_ptr<ThreadRange> takeFrom(llvm::Function &kernel);

  /// Restricts the innermost of \p loops to the threads that stay. Tests of a
  /// single region are removed from it. Queries of the block were replaced
  /// before; queries of the thread were not.
  void apply(ThreadLoops &loops, const LaunchShape &shape);

  /// For takeFrom: the range [low, high) of the [0, width) threads of the
  /// innermost loop, computed at \p b in the prologue. It is empty unless low <
  /// high.
  std::pair<llvm::Value *, llvm::Value *> bounds(llvm::IRBuilderBase &b,
                                                 llvm::Value *width);

  /// The number of tests.
  unsigned size() const { return tests.size(); }

  /// Removes the copies that takeFrom left in the prologue.
  void eraseTests();

private:
  explicit ThreadRange(const RegionPlan &plan);
  void findTests(const Region &r);
  void keepCopies(llvm::BasicBlock &prologue);
  llvm::Value *keepCopy(llvm::Value *v, llvm::Instruction *place);
  /// Whether the loops' set-up has to compute \p i.
  bool isLocal(const llvm::Instruction &i) const;

  /// A comparison after which threads leave.
  struct Test {
    llvm::ICmpInst *compare;
    bool leavesIf; ///< the result with which they leave
    bool isAffine; ///< operand 0 counts up with thread_idx.x by one
    llvm::CmpPredicate predicate; ///< with that operand on the left
    llvm::Value *index, *bound;
    unsigned shift = 0; ///< ... or by one for each 2^shift threads
  };

  /// \p forAll says that all threads reach the test, so flags of its operands
  /// hold for all. Otherwise they hold for threads that passed the tests
  /// before.
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
  /// Copies of a kernel's tests and their operands, in the prologue.
  llvm::SetVector<llvm::Instruction *> copies;
  llvm::SmallVector<Test, 4> tests;
  llvm::DenseMap<llvm::Value *, llvm::Value *> computed;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_THREADRANGE_H
