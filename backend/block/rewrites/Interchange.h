// Loops of a thread, taken by all threads together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that loops over data usually uses, in each iteration, what its
// neighbours use beside it: that is how GPUs want it. Running one thread's loop
// to its end and then the next one's is the worst order for a CPU, and nothing
// can be vectorized. Such loops, when all threads do the same iterations, are
// cut like loops with a barrier: the threads' loop becomes the inner one.

#ifndef XCC_BACKEND_BLOCK_REWRITES_INTERCHANGE_H
#define XCC_BACKEND_BLOCK_REWRITES_INTERCHANGE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace xcc::block {

class Uniformity;

/// The blocks whose branches repeat loops of \p kernel that are better run by
/// all threads together: innermost loops, all of whose accesses are either the
/// same for neighbouring threads or beside each other.
llvm::SmallVector<llvm::BasicBlock *, 4>
findInterchangeable(llvm::Function &kernel, const Uniformity &uniform);

/// In such loops, a thread's own counter or pointer to which all threads add the
/// same becomes what it begins with and a counter of all threads: nothing that
/// a thread carries, and neighbours' are seen to be beside each other. Whether
/// anything changed; \p uniform is out of date then.
bool divideInductions(llvm::Function &kernel, const Uniformity &uniform);

/// Has such loops, where threads carry something of their own between
/// iterations, do several iterations before the next thread does: what they
/// carry is then loaded and stored once for these. \p others are the branches
/// that repeat loops which stay as they are. Whether anything changed.
bool iterateTogether(llvm::Function &kernel, const Uniformity &uniform,
                     llvm::ArrayRef<llvm::BasicBlock *> others);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_INTERCHANGE_H
