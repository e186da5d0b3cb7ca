// Analysis and joining of lanes' paths through a function
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_GPU_WARPS_LANEPATHS_H
#define XCC_BACKEND_GPU_WARPS_LANEPATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/PassManager.h"

namespace xcc::gpu {

struct BarrierOps;
class UniformResults;

/// The blocks whose branches may diverge within a warp.
llvm::SmallVector<const llvm::BasicBlock *>
divergentBranches(llvm::Function &function,
                  llvm::FunctionAnalysisManager &analyses,
                  const BarrierOps &ops, UniformResults &results);

/// Whether a thread that reaches the block does nothing but end.
bool onlyEnds(const llvm::BasicBlock *block);

/// Calls \p visit for every cycle, nested ones too.
void eachCycle(const llvm::CycleInfo &cycles,
               llvm::function_ref<void(const llvm::Cycle *)> visit);

struct Edge {
  llvm::BasicBlock *from, *to;
};

/// Joins edges in one new block. From there, lanes continue to their targets,
/// to `first` before the others. Call restoreValues afterwards, because some
/// values are then defined on some paths only. Returns the new blocks, the
/// joining block first; none if all edges lead to the same block.
llvm::SmallVector<llvm::BasicBlock *> joinEdges(llvm::ArrayRef<Edge> edges,
                                                llvm::BasicBlock *first);
void restoreValues(llvm::Function &function);

/// The function whose calls mark loops (Iterations.cpp). It has no effect. Its
/// argument is true where all lanes of an iteration reconverge.
llvm::FunctionCallee iterationMark(llvm::Module &module);

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_LANEPATHS_H
