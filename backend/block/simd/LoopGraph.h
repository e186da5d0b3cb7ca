// One iteration of a loop as a graph
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a thread loop are vectorised one after the other. In the graph
// of a loop, an inner loop is a single node. The edge that repeats the loop is
// left out, so the graph has no cycles. docs/internals/simd.md explains how it
// is used.

#ifndef XCC_BACKEND_BLOCK_SIMD_LOOPGRAPH_H
#define XCC_BACKEND_BLOCK_SIMD_LOOPGRAPH_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"

#include <memory>
#include <vector>

namespace xcc::block::simd {

/// A block, or an inner loop with all of its blocks.
struct Node {
  llvm::BasicBlock *block;                       ///< of a loop, its header
  llvm::Loop *inner = nullptr;                   ///< null of a block
  llvm::SmallVector<unsigned, 2> next, previous; ///< in this graph
  bool exits = false;     ///< has an edge out of the graph's loop
  bool divergent = false; ///< lanes may leave it by different edges
  bool forced = false;    ///< its edges become masks, as if divergent
  bool linear = false;    ///< runs under a mask, for some of the loop's lanes

  bool splits() const { return divergent || forced; }
};

class LoopGraph {
public:
  /// A reconvergence point at the end of the iteration, or outside of the loop.
  static constexpr unsigned End = ~0u;

  /// Null if the control flow is irreducible.
  static std::unique_ptr<LoopGraph> create(llvm::Loop &loop,
                                           llvm::LoopInfo &loops);

  llvm::Loop &loop;
  std::vector<Node> nodes; ///< in topological order, the header first

  /// The node that \p block, of this loop or one in it, belongs to.
  unsigned indexOf(const llvm::BasicBlock *block) const {
    return indices.lookup(block);
  }
  bool contains(const llvm::BasicBlock *block) const {
    return indices.contains(block);
  }
  /// The first node that all paths from \p n go through.
  unsigned reconvergenceOf(unsigned n) const;
  /// The last node that all paths to \p n go through; \p n is not the header.
  unsigned dominatorOf(unsigned n) const;
  /// The nodes between \p n and its reconvergence point.
  llvm::BitVector regionOf(unsigned n) const;
  /// The nodes at which paths that left \p n by different edges first join.
  llvm::SmallVector<unsigned> joinsOf(unsigned n) const;
  /// Decides which nodes are linear, given those that are divergent. Each
  /// linear node has one head: a node before it that splits and is not linear
  /// itself. False if that is impossible.
  bool linearise();
  /// The linear nodes whose head is \p n, in topological order.
  llvm::SmallVector<unsigned> groupOf(unsigned n) const;

private:
  explicit LoopGraph(llvm::Loop &loop) : loop(loop) {}
  bool sort(llvm::LoopInfo &loops);
  bool visit(llvm::BasicBlock *block, llvm::LoopInfo &loops,
             llvm::DenseMap<llvm::BasicBlock *, bool> &done,
             std::vector<Node> &postorder);
  void connect();
  void findDominators();
  unsigned nodeToForce() const;

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> indices;
  std::vector<llvm::BitVector> dominators, postDominators;
};

} // namespace xcc::block::simd

#endif // XCC_BACKEND_BLOCK_SIMD_LOOPGRAPH_H
