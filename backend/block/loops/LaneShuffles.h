// Lanes that read each other's values, as vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp operation reads values that other lanes have left in the exchange
// area. If it is known which lane reads which slot, as in
//
//     for lane in 0..31:  v = slots[first + (lane ^ 16)]
//
// all reads become one load of the warp's slots and a shuffle, before the loop.
// LLVM's vectorizer would gather the slots one by one.

#ifndef XCC_BACKEND_BLOCK_LOOPS_LANESHUFFLES_H
#define XCC_BACKEND_BLOCK_LOOPS_LANESHUFFLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/BasicBlock.h"

namespace xcc::block {

/// Moves reads of the exchange area out of a loop over lanes, to the end of
/// \p preheader. The loop consists of \p blocks, and \p lane counts from 0 to
/// at most 31.
void shuffleByVectors(llvm::BasicBlock *preheader,
                      llvm::ArrayRef<llvm::BasicBlock *> blocks,
                      llvm::Value *lane);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_LANESHUFFLES_H
