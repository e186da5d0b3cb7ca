// Lanes that read each other's values, as vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp operation reads what other lanes have left in the exchange area. Where
// it is known which lane reads which, as in
//
//     for lane in 0..31:  v = slots[first + (lane ^ 16)]
//
// that is one load of all the warp's slots and a shuffle of it, before the loop;
// LLVM's vectorizer would gather the slots one by one.

#ifndef XCC_BACKEND_BLOCK_LOOPS_LANESHUFFLES_H
#define XCC_BACKEND_BLOCK_LOOPS_LANESHUFFLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/BasicBlock.h"

namespace xcc::block {

/// Of the loop over lanes that consists of \p blocks, in which \p lane counts from
/// 0 to at most 31, moves reads of the exchange area to the end of \p preheader.
void shuffleByVectors(llvm::BasicBlock *preheader,
                      llvm::ArrayRef<llvm::BasicBlock *> blocks,
                      llvm::Value *lane);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_LANESHUFFLES_H
