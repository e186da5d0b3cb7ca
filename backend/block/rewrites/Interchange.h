// Loop interchange: loops that all threads run together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In each iteration of a loop, neighbouring threads usually access neighbouring
// memory, because GPUs need that. If a CPU ran one thread's loop to its end and
// then the next thread's, it would have the worst order of accesses, and
// nothing could be vectorized. If all threads do the same iterations, such a
// loop is cut like a loop with a barrier: the loop over threads becomes the
// inner one.

#ifndef XCC_BACKEND_BLOCK_REWRITES_INTERCHANGE_H
#define XCC_BACKEND_BLOCK_REWRITES_INTERCHANGE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace xcc::block {

class Uniformity;

/// The latches of loops in \p kernel that all threads should run together:
/// innermost loops in which each access has the same address for neighbouring
/// threads or neighbouring addresses.
llvm::SmallVector<llvm::BasicBlock *, 4>
findInterchangeable(llvm::Function &kernel, const Uniformity &uniform);

/// Divides the inductions of such loops. A counter or pointer of a thread, to
/// which all threads add the same, becomes its start plus a counter of all
/// threads. The thread then carries no value of its own, and neighbouring
/// addresses are recognised.
/// \returns whether anything changed; \p uniform is out of date then.
bool divideInductions(llvm::Function &kernel, const Uniformity &uniform);

/// Unrolls such loops if threads carry values between iterations. A thread then
/// runs several iterations before the next thread does and loads and stores the
/// values once for all of these. \p others are the latches of loops that stay
/// as they are.
/// \returns whether anything changed.
bool unrollInterchanged(llvm::Function &kernel, const Uniformity &uniform,
                        llvm::ArrayRef<llvm::BasicBlock *> others);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REWRITES_INTERCHANGE_H
