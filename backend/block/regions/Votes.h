// Questions to all threads of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For kernels that become loops over threads, in which all threads run the same
// code from barrier to barrier.

#ifndef XCC_BACKEND_BLOCK_REGIONS_VOTES_H
#define XCC_BACKEND_BLOCK_REGIONS_VOTES_H

#include "llvm/IR/IRBuilder.h"

namespace xcc::block {

/// Calls one of the queries of Intrinsics.h that return an i32.
llvm::Value *query(llvm::IRBuilderBase &b, llvm::StringRef name);

/// Where each thread of the block writes one number.
struct Vote {
  llvm::Value *slots;
  llvm::Value *self; ///< the thread's linear index
  llvm::Value *here; ///< the lanes of its warp that wrote
};

/// Each thread writes its lane's bit if \p active, otherwise 0, and waits. The
/// caller puts what follows into another block.
Vote vote(llvm::IRBuilderBase &b, llvm::Value *active);

/// Whether a thread of the block wrote more than 0. The code at \p b becomes a
/// block of its own, in which \p b goes on.
llvm::Value *anyOf(llvm::IRBuilderBase &b, llvm::Value *slots);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_REGIONS_VOTES_H
