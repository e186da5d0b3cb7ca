// One iteration of a loop as a graph
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace xcc::block::simd {

/// The loop directly in \p outer that contains \p block, or null.
static Loop *childWith(BasicBlock *block, Loop &outer, LoopInfo &loops) {
  Loop *l = loops.getLoopFor(block);
  if (l == &outer)
    return nullptr;
  while (l && l->getParentLoop() != &outer)
    l = l->getParentLoop();
  return l;
}

static SmallVector<BasicBlock *, 4> targetsOf(const Node &node) {
  SmallVector<BasicBlock *, 4> targets;
  if (node.inner)
    node.inner->getExitBlocks(targets);
  else
    append_range(targets, successors(node.block));
  return targets;
}

bool LoopGraph::visit(BasicBlock *block, LoopInfo &loops,
                      DenseMap<BasicBlock *, bool> &done,
                      std::vector<Node> &postorder) {
  Node node;
  node.block = block;
  node.inner = childWith(block, loop, loops);
  // A loop that is not entered at its header is irreducible.
  if (node.inner && node.inner->getHeader() != block)
    return false;
  done[block] = false;
  for (BasicBlock *target : targetsOf(node)) {
    if (target == loop.getHeader() || !loop.contains(target))
      continue;
    auto known = done.find(target);
    if (known == done.end() ? !visit(target, loops, done, postorder)
                            : !known->second)
      return false;
  }
  done[block] = true;
  postorder.push_back(std::move(node));
  return true;
}

std::unique_ptr<LoopGraph> LoopGraph::create(Loop &loop, LoopInfo &loops) {
  std::unique_ptr<LoopGraph> graph(new LoopGraph(loop));
  DenseMap<BasicBlock *, bool> done;
  if (!graph->visit(loop.getHeader(), loops, done, graph->nodes))
    return nullptr;
  std::reverse(graph->nodes.begin(), graph->nodes.end());
  graph->connect();
  graph->findDominators();
  return graph;
}

void LoopGraph::connect() {
  for (auto [n, node] : enumerate(nodes))
    if (node.inner)
      for (BasicBlock *block : node.inner->blocks())
        indices[block] = n;
    else
      indices[node.block] = n;
  for (auto [n, node] : enumerate(nodes))
    for (BasicBlock *target : targetsOf(node)) {
      if (!loop.contains(target)) {
        node.exits = true;
      } else if (target != loop.getHeader()) {
        unsigned t = indexOf(target);
        if (is_contained(node.next, t))
          continue;
        node.next.push_back(t);
        nodes[t].previous.push_back(n);
      }
    }
}

void LoopGraph::findDominators() {
  unsigned size = nodes.size();
  dominators.resize(size);
  postDominators.resize(size);
  for (unsigned n = 0; n != size; ++n) {
    BitVector &set = dominators[n];
    set.resize(size, !nodes[n].previous.empty());
    for (unsigned p : nodes[n].previous)
      set &= dominators[p];
    set.set(n);
  }
  for (unsigned n = size; n-- != 0;) {
    BitVector &set = postDominators[n];
    set.resize(size, !nodes[n].next.empty() && !nodes[n].exits);
    if (set.any())
      for (unsigned s : nodes[n].next)
        set &= postDominators[s];
    set.set(n);
  }
}

unsigned LoopGraph::reconvergenceOf(unsigned n) const {
  int next = postDominators[n].find_next(n);
  return next < 0 ? End : next;
}

unsigned LoopGraph::dominatorOf(unsigned n) const {
  return dominators[n].find_prev(n);
}

BitVector LoopGraph::regionOf(unsigned n) const {
  unsigned end = std::min<unsigned>(reconvergenceOf(n), nodes.size());
  BitVector region(nodes.size());
  auto add = [&](unsigned m) {
    for (unsigned s : nodes[m].next)
      if (s < end)
        region.set(s);
  };
  add(n);
  for (unsigned m = n + 1; m < end; ++m)
    if (region.test(m))
      add(m);
  return region;
}

SmallVector<unsigned> LoopGraph::joinsOf(unsigned n) const {
  unsigned end = std::min<unsigned>(reconvergenceOf(n), nodes.size() - 1);
  SmallVector<unsigned> joins;
  // The path by which each node is reached, named by its first node.
  std::vector<unsigned> path(nodes.size(), End);
  auto reach = [&](unsigned m, unsigned by) {
    if (path[m] == End) {
      path[m] = by;
    } else if (path[m] != by && path[m] != m) {
      path[m] = m;
      joins.push_back(m);
    } else if (path[m] == m && by != m && !is_contained(joins, m)) {
      joins.push_back(m);
    }
  };
  for (unsigned s : nodes[n].next)
    reach(s, s);
  for (unsigned m = n + 1; m <= end; ++m)
    if (path[m] != End && m != reconvergenceOf(n))
      for (unsigned s : nodes[m].next)
        reach(s, path[m]);
  return joins;
}

SmallVector<unsigned> LoopGraph::groupOf(unsigned n) const {
  BitVector region = regionOf(n);
  return SmallVector<unsigned>(region.set_bits());
}

/// A node that has to split so that each linear node has one head; End if none.
unsigned LoopGraph::nodeToForce() const {
  std::vector<unsigned> head(nodes.size(), End);
  for (unsigned n = 0; n != nodes.size(); ++n) {
    if (!nodes[n].splits() || nodes[n].linear)
      continue;
    for (unsigned m : groupOf(n)) {
      if (head[m] != End)
        return dominatorOf(m);
      head[m] = n;
    }
  }
  for (unsigned n = 0; n != nodes.size(); ++n)
    if (nodes[n].linear)
      for (unsigned p : nodes[n].previous)
        if ((nodes[p].linear ? head[p] : p) != head[n])
          return dominatorOf(n);
  return End;
}

bool LoopGraph::linearise() {
  while (true) {
    for (unsigned n = 0; n != nodes.size(); ++n)
      if (nodes[n].splits())
        for (unsigned m : groupOf(n))
          nodes[m].linear = true;
    unsigned n = nodeToForce();
    if (n == End)
      return true;
    if (nodes[n].splits())
      return false;
    nodes[n].forced = true;
  }
}

} // namespace xcc::block::simd
