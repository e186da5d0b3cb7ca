// Telling LLVM that threads are independent
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_LOOPS_PARALLELLOOPS_H
#define XCC_BACKEND_BLOCK_LOOPS_PARALLELLOOPS_H

#include "ThreadLoops.h"
#include "block/regions/Regions.h"

namespace xcc::block {

/// Marks the memory accesses of each region, and the thread loops around it, as
/// parallel: between two barriers, no thread may depend on what another one
/// writes. Atomics are not marked, nor are accesses to stack memory that the
/// threads use one after the other. \p loopsOf is indexed by region. The
/// allocas \p ofThreads have an item for each thread, so accesses to them are
/// marked.
void markParallel(llvm::Function &f, const RegionPlan &plan,
                  llvm::ArrayRef<ThreadLoops> loopsOf,
                  llvm::ArrayRef<const llvm::AllocaInst *> ofThreads = {});

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_PARALLELLOOPS_H
