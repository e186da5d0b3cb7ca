// One grid-stride loop
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StridedLoops.h explains the change. It has three parts: matching a loop
// (StridedMatch.cpp), loops over rows (StridedRows.cpp), and the change itself
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

/// A loop that may be a grid-stride loop.
class StridedLoop {
public:
  /// \p uniform is null for a loop outside other loops. \p mask says which of
  /// the threads that come to the loop together take it; null: all.
  StridedLoop(llvm::Loop &l, llvm::Function &kernel, Scope scope,
              const llvm::DominatorTree &dt, const Uniformity *uniform,
              llvm::Value *mask = nullptr)
      : l(l), scope(scope), prologue(&kernel.getEntryBlock()), dt(dt),
        uniform(uniform), mask(mask) {}

  bool matches();
  /// Whether this is a loop around another grid-stride loop and has no other
  /// effect, such as a loop over the rows of an image.
  bool matchesRows(const Uniformity &ofKernel);
  /// For a loop around another: whether a thread has an iteration.
  llvm::Value *taken() const { return iteration; }
  /// If the loop's guard was hoisted out of the loop around it, puts the guard
  /// back. \returns whether it did.
  bool restoreGuard();
  /// \returns the block that repeats the loop. \p others receives the headers
  /// of unchanged copies.
  llvm::BasicBlock *align(llvm::LoopInfo &loops, llvm::DominatorTree &dt,
                          llvm::SmallPtrSetImpl<llvm::BasicBlock *> &others);

private:
  /// Whether all threads have \p v before the loop. If the loop is in others,
  /// these include uniform values that the outer loops compute.
  bool isAvailable(const llvm::Value *v) const {
    auto *i = llvm::dyn_cast<llvm::Instruction>(v);
    return !i || i->getParent() == prologue ||
           (uniform && uniform->isUniform(*i) &&
            dt.dominates(i, preheader->getTerminator()));
  }
  /// Where values that all threads have are computed.
  llvm::Instruction *place() const {
    return uniform ? static_cast<llvm::Instruction *>(guard)
                   : prologue->getTerminator();
  }
  /// False unless the loop has one exit and is left only from its one latch.
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

  /// Whether \p in is the index in which the threads that share the loop
  /// differ.
  bool isOwn(Intrinsic in) const {
    return scope == Scope::Warp
               ? in.kind == IntrinsicKind::Lane && dim == 0
               : in.kind == IntrinsicKind::ThreadIdx && in.dim == dim;
  }

  llvm::Loop &l;
  Scope scope;
  llvm::BasicBlock *prologue;
  const llvm::DominatorTree &dt;
  const Uniformity *uniform; ///< null for a loop outside others
  llvm::Value *mask;
  unsigned dim = 0;         ///< of the threads that share the iterations
  bool isRows = false;      ///< a loop around another
  bool isInclusive = false; ///< the iteration at the bound runs too
  llvm::Value *iteration = nullptr;
  llvm::BasicBlock *header, *latch, *exit, *preheader;
  llvm::BasicBlock *merge; ///< where threads without iterations arrive
  llvm::SmallVector<llvm::PHINode *, 2>
      differing; ///< phis of merge with other values for these
  llvm::PHINode *counter;
  llvm::Value *start, *step, *bound;
  llvm::CmpInst::Predicate
      predicate; ///< the loop goes on while counter ? bound
  /// If a 32-bit counter is compared with a 64-bit bound: the extension of the
  /// counter, which has no other use.
  llvm::CastInst *wide = nullptr;
  llvm::Instruction *sum; ///< block's first index + thread_idx.x
  llvm::Value *first, *thread;
  bool isSignExtended;
  llvm::BranchInst *guard;
  /// The 32-bit bound if it may be negative but the loop compares its zero
  /// extension.
  llvm::Value *signedBound = nullptr;
  /// Whether no flag says that numbers do not wrap, so that a check is needed
  /// at run time. The index of the block's first thread is then a sum.
  bool isChecked = false;
  llvm::SmallVector<llvm::Value *, 4> firstTerms;
  /// For a linear thread index in blocks of several dimensions: thread_idx.y
  /// (`row`) and thread_idx.z * block_dim.y (`plane`) times `rowLength`.
  llvm::Value *row = nullptr, *plane = nullptr, *rowLength = nullptr;
  llvm::SmallVector<llvm::Value *, 2> firstRows; ///< also times `rowLength`
  llvm::Type *firstType = nullptr;               ///< of the sum

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

/// \p v without its zero or sign extension.
inline llvm::Value *stripExtension(llvm::Value *v) {
  return llvm::isa<llvm::ZExtInst, llvm::SExtInst>(v)
             ? llvm::cast<llvm::CastInst>(v)->getOperand(0)
             : v;
}

/// The query that \p v calls, with either extension. No query is negative.
inline Intrinsic extendedQuery(llvm::Value *v) {
  return queryOf(stripExtension(v));
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_STRIDEDLOOP_H
