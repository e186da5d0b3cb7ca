// The code behind a guard, in pieces that have the guard each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_REGIONS_GUARDEDSIDE_H
#define XCC_BACKEND_BLOCK_REGIONS_GUARDEDSIDE_H

#include "Uniformity.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Function.h"

namespace xcc::block {

using Blocks = llvm::SetVector<llvm::BasicBlock *>;

/// The blocks that \p from reaches before \p end.
Blocks reachedBefore(llvm::BasicBlock *from, llvm::BasicBlock *end);
bool endsAtBarrier(const llvm::BasicBlock &bb);

/// What threads do that pass a guard: blocks with one entry, after which all threads
/// meet at \p end. The steps are what each thread of the side comes to, in any case
/// or by branches that all take alike: a barrier, such a branch, or a piece of code
/// without barriers.
class GuardedSide {
public:
  GuardedSide(llvm::Function &kernel, llvm::BasicBlock *entry,
              llvm::BasicBlock *end)
      : kernel(kernel), entry(entry), end(end),
        blocks(reachedBefore(entry, end)) {}

  /// Finds the steps and what decides between them. False if that cannot be done.
  bool findSteps(const Uniformity &uniform);
  /// Whether a decision depends on what is known only as the program runs: it
  /// means nothing where no thread passes the guard then.
  bool decidesByValues() const { return byValues; }
  /// The barriers that all threads of the side come to, where their mask is used.
  llvm::SmallVector<llvm::Instruction *, 8> usedBarriers() const;
  /// Has all threads go from step to step, and those with \p active do them.
  void guard(llvm::Value *active);

private:
  enum class Kind { Piece, Barrier, Decision, InnerGuard };
  struct Step {
    Kind kind;
    llvm::BasicBlock *next;
    Blocks between; ///< blocks of a piece besides the first
  };

  bool addStep(llvm::BasicBlock *bb, const llvm::PostDominatorTree &pdt,
               const Uniformity &uniform,
               llvm::SmallVectorImpl<llvm::BasicBlock *> &work);
  bool addDecision(llvm::Value *condition);
  void guardStep(llvm::BasicBlock *bb, const Step &step, llvm::Value *active);
  void joinGuards(llvm::BasicBlock *bb);
  void demotePhis();
  void demoteValues();
  bool isRepeatable(const llvm::Value *v, unsigned depth) const;
  llvm::Value *repeated(llvm::Value *v, llvm::BasicBlock::iterator at) const;
  void repeat(llvm::Instruction &i);

  llvm::Function &kernel;
  llvm::BasicBlock *entry, *end;
  Blocks blocks;
  llvm::MapVector<llvm::BasicBlock *, Step> steps;
  llvm::SetVector<llvm::Instruction *> ofAll;      ///< computed by all threads
  llvm::SmallVector<llvm::AllocaInst *, 16> slots; ///< of the side's threads
  bool byValues = false;
  /// By the first block of a step, where its guard ends.
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> tails;
  llvm::DenseSet<llvm::BasicBlock *> joined;
};

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_GUARDEDSIDE_H
