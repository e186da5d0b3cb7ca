// Finds blocks that lanes of one iteration reach by several paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reconvergence.cpp explains the problem. This class finds such blocks in one
// iteration of a loop, or in a function. An inner loop counts as one node.

#ifndef XCC_BACKEND_GPU_WARPS_ITERATIONGRAPH_H
#define XCC_BACKEND_GPU_WARPS_ITERATIONGRAPH_H

#include "LanePaths.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Instructions.h"
#include <optional>
#include <vector>

namespace xcc::gpu {

/// Facts about a function's lanes.
struct LaneFacts {
  using Blocks = llvm::DenseSet<const llvm::BasicBlock *>;
  Blocks operations, divergent;
  bool endsThreads; ///< a return ends the thread
  const llvm::CycleInfo &cycles;

  /// Whether lanes that take this edge only end.
  bool isEnd(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const {
    return llvm::isa<llvm::UnreachableInst>(to->getTerminator()) ||
           (endsThreads && onlyEnds(to));
  }
};

/// A place where lanes that took several paths must reconverge.
struct ReconvergencePoint {
  llvm::BasicBlock *before;            ///< the block where the lanes were
                                       ///< together
  const llvm::Cycle *around = nullptr; ///< or this loop
  llvm::SmallVector<Edge> edges;       ///< the edges that they take to the
                                       ///< place
  llvm::BasicBlock *place;             ///< the block that they enter first from
                                       ///< there
};

/// A function, or one iteration of a loop, as an acyclic graph. Its last two
/// nodes stand for the next iteration and for all blocks outside.
class IterationGraph {
public:
  IterationGraph(const llvm::Cycle *cycle, llvm::Function &function,
                 const LaneFacts &facts);
  std::optional<ReconvergencePoint> find();
  /// Whether every lane of an iteration reaches the block.
  bool always(const llvm::BasicBlock *block) const {
    auto found = numberOf.find(block);
    return found != numberOf.end() && postDominators[0].test(found->second);
  }

private:
  /// A block, or an inner loop.
  struct Node {
    const llvm::Cycle *cycle = nullptr; ///< null for a block
    llvm::SmallVector<llvm::BasicBlock *, 1> blocks;
    llvm::SmallVector<unsigned, 2> to; ///< nodes, each once
    /// Successors for which a GPU may generate several branches.
    llvm::SmallVector<unsigned, 1> often;
    bool parts = false;   ///< its branch is divergent
    bool matters = false; ///< it contains an operation
  };

  const llvm::Cycle *cycle;
  const LaneFacts &facts;
  std::vector<Node> nodes; ///< in topological order
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> numberOf;
  std::vector<llvm::BitVector> reached, dominators, postDominators;

  unsigned nextIteration() const { return nodes.size(); }
  unsigned outside() const { return nodes.size() + 1; }

  void collect(llvm::Function &function);
  void connect();
  void sort(unsigned first);
  void analyse();

  enum class Come { All, Part, Apart };
  std::vector<std::optional<Come>> known;
  unsigned wrong = 0; ///< the node that lanes reach separately
  llvm::SmallVector<unsigned, 4> deciding(unsigned node, unsigned &paths) const;
  Come come(unsigned node);
  ReconvergencePoint pointAt(unsigned node) const;
};

} // namespace xcc::gpu

#endif // XCC_BACKEND_GPU_WARPS_ITERATIONGRAPH_H
