// Ways of lanes through a function
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_WAYS_H
#define XCC_BACKEND_GPU_WARPS_WAYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

struct BarrierOps;

/// The blocks whose branch may take lanes of a warp apart.
llvm::SmallVector<const llvm::BasicBlock *>
divergentBranches(llvm::Function &function,
                  llvm::FunctionAnalysisManager &analyses,
                  const BarrierOps &ops);

/// Whether a thread that comes to the block ends, and does nothing before.
bool onlyEnds(const llvm::BasicBlock *block);

/// Calls \p visit for every cycle, those within others too.
void eachCycle(const llvm::CycleInfo &cycles,
               llvm::function_ref<void(const llvm::Cycle *)> visit);

struct Edge {
  llvm::BasicBlock *from, *to;
};

/// Leads edges through one block, from where lanes go on as they would have,
/// those to `first` before others. Values that are then defined on some paths
/// alone are repaired by restoreValues. Returns the new blocks, that block
/// before the others; none when all edges lead to one place.
llvm::SmallVector<llvm::BasicBlock *> joinEdges(llvm::ArrayRef<Edge> edges,
                                                llvm::BasicBlock *first);
void restoreValues(llvm::Function &function);

/// A function that does nothing; calls of it keep blocks apart. Its argument is
/// true where all lanes of a loop's turn meet.
llvm::FunctionCallee turnMark(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_WAYS_H
