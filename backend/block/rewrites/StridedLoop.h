// One loop over data by the size of the grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What StridedLoops.h explains, in three parts: whether a loop has the form
// (StridedMatch.cpp), loops over rows (StridedRows.cpp), and the change
// (StridedAlign.cpp).

#ifndef XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOP_H
#define XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOP_H

#include "block/Intrinsics.h"
#include "block/regions/Uniformity.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace xcc::block {

/// One loop, if it has the form.
class StridedLoop {
public:
  /// \p uniform is null for a loop that is in no other. \p mask says of the
  /// threads that come to the loop together which of them take it at all.
  StridedLoop(llvm::Loop &l, llvm::Function &kernel, Scope scope,
              const llvm::DominatorTree &dt, const Uniformity *uniform,
              llvm::Value *mask = nullptr)
      : l(l), scope(scope), prologue(&kernel.getEntryBlock()), dt(dt),
        uniform(uniform), mask(mask) {}

  bool matches();
  /// Whether it is a loop around another, which has the form as well, and does
  /// nothing else that could be seen: rows of a grid.
  bool matchesRows(const Uniformity &ofKernel);
  /// Of a loop around another, which threads have an iteration.
  llvm::Value *taken() const { return iteration; }
  /// The loop has no guard because the test was taken out of the loop around
  /// it: puts it back, if it can be.
  bool takeBackGuard();
  /// Returns the block that repeats the loop. \p others are headers of copies
  /// that stay as they were.
  llvm::BasicBlock *align(llvm::LoopInfo &loops, llvm::DominatorTree &dt,
                          llvm::SmallPtrSetImpl<llvm::BasicBlock *> &others);

private:
  /// Whether all threads have it before the loop: of a loop in others, also
  /// what these compute that is the same for all.
  bool isAvailable(const llvm::Value *v) const {
    auto *i = llvm::dyn_cast<llvm::Instruction>(v);
    return !i || i->getParent() == prologue ||
           (uniform && uniform->isUniform(*i) &&
            dt.dominates(i, preheader->getTerminator()));
  }
  /// Where what all threads have is computed.
  llvm::Instruction *place() const {
    return uniform ? static_cast<llvm::Instruction *>(guard)
                   : prologue->getTerminator();
  }
  /// False if the loop has not one latch, by which it is left, and one exit.
  bool findBlocks();
  bool matchesCounter();
  bool matchesStart();
  bool matchesCheckedStart();
  bool addTerms(llvm::Value *v, unsigned bits, unsigned depth);
  bool addRows(llvm::Value *v, unsigned depth);
  bool matchesGuard();
  bool isGuard(llvm::ICmpInst &compare, bool entersIf);
  bool isSignedGuard(llvm::CmpInst::Predicate p, llvm::Value *x,
                     llvm::Value *y);
  bool matchesResults();
  void selectResults(llvm::BasicBlock *last, llvm::Value *worked);

  /// Whether it is what the threads differ in that take the loop together.
  bool isOwn(Intrinsic in) const {
    return scope == Scope::Warp
               ? in.kind == IntrinsicKind::Lane && dim == 0
               : in.kind == IntrinsicKind::ThreadIdx && in.dim == dim;
  }

  llvm::Loop &l;
  Scope scope;
  llvm::BasicBlock *prologue;
  const llvm::DominatorTree &dt;
  const Uniformity *uniform; ///< null for a loop that is in no other
  llvm::Value *mask;
  unsigned dim = 0;         ///< of the threads that share the iterations
  bool isRows = false;      ///< a loop around another
  bool isInclusive = false; ///< it goes on at the bound
  llvm::Value *iteration = nullptr;
  llvm::BasicBlock *header, *latch, *exit, *preheader;
  llvm::BasicBlock *merge; ///< where those that do nothing arrive
  llvm::SmallVector<llvm::PHINode *, 2>
      differing; ///< of which these have something else
  llvm::PHINode *counter;
  llvm::Value *start, *step, *bound;
  llvm::CmpInst::Predicate
      predicate; ///< the loop goes on while counter ? bound
  /// Where a counter of 32 bits is compared with a bound of 64: what makes 64
  /// of them, for which there is nothing else.
  llvm::CastInst *wide = nullptr;
  llvm::Instruction *sum; ///< block's first index + thread_idx.x
  llvm::Value *first, *thread;
  bool isSignExtended;
  llvm::BranchInst *guard;
  /// The bound, where the loop takes a number that may be negative for one that
  /// is not.
  llvm::Value *signedBound = nullptr;
  /// Whether nothing says that numbers do not wrap: it is looked at when the
  /// kernel runs. The index of the block's first thread is then a sum.
  bool isChecked = false;
  llvm::SmallVector<llvm::Value *, 4> firstTerms;
  /// Where blocks have several dimensions and threads are counted through:
  /// thread_idx.y, or that and thread_idx.z * block_dim.y, times `rowLength`.
  llvm::Value *row = nullptr, *plane = nullptr, *rowLength = nullptr;
  llvm::SmallVector<llvm::Value *, 2>
      firstRows;                   ///< what `rowLength` multiplies as well
  llvm::Type *firstType = nullptr; ///< in which the sum is formed

  /// Whether the counter is a signed number.
  bool countsSigned() const {
    return wide ? llvm::isa<llvm::SExtInst>(wide)
                : llvm::CmpInst::isSigned(predicate);
  }
  bool entersIfTrue() const {
    const llvm::BasicBlock *bb = guard->getSuccessor(0);
    for (; bb && bb != preheader && bb != header; bb = bb->getSingleSuccessor())
      if (!bb->getSinglePredecessor())
        return false;
    return bb == preheader;
  }
  llvm::Value *check(llvm::IRBuilder<> &b);
  void keepForWrapping(llvm::Value *fits, llvm::LoopInfo &loops,
                       llvm::DominatorTree &dt,
                       llvm::SmallPtrSetImpl<llvm::BasicBlock *> &others);
};

/// What was widened, whichever way.
inline llvm::Value *stripExtension(llvm::Value *v) {
  return llvm::isa<llvm::ZExtInst, llvm::SExtInst>(v)
             ? llvm::cast<llvm::CastInst>(v)->getOperand(0)
             : v;
}

/// The query, whichever way it was widened: none is negative.
inline Intrinsic extendedQuery(llvm::Value *v) {
  return queryOf(stripExtension(v));
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOP_H
