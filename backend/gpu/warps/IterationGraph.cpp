// Finds blocks that lanes of one iteration reach by several paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterationGraph.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace xcc::gpu {

IterationGraph::IterationGraph(const Cycle *cycle, Function &function,
                               const LaneFacts &facts)
    : cycle(cycle), facts(facts) {
  collect(function);
  connect();
  sort(numberOf.lookup(cycle ? cycle->getHeader() : &function.getEntryBlock()));
  analyse();
}

void IterationGraph::collect(Function &function) {
  DenseMap<const Cycle *, unsigned> numberOfCycle;
  auto add = [&](BasicBlock &block) {
    const Cycle *inner = facts.cycles.getCycle(&block);
    while (inner != cycle && inner->getParentCycle() != cycle)
      inner = inner->getParentCycle();
    unsigned number = nodes.size();
    if (inner != cycle)
      number = numberOfCycle.try_emplace(inner, number).first->second;
    if (number == nodes.size())
      nodes.emplace_back().cycle = inner != cycle ? inner : nullptr;
    nodes[number].blocks.push_back(&block);
    nodes[number].matters |= facts.operations.contains(&block);
    numberOf[&block] = number;
  };
  if (cycle) {
    for (BasicBlock *block : cycle->blocks())
      add(*block);
    return;
  }
  for (BasicBlock *block : depth_first(&function.getEntryBlock()))
    add(*block);
}

void IterationGraph::connect() {
  for (unsigned number = 0; number != nodes.size(); ++number) {
    Node &node = nodes[number];
    for (BasicBlock *block : node.blocks) {
      Instruction *end = block->getTerminator();
      auto *choice = dyn_cast<SwitchInst>(end);
      bool leaves = false;
      for (unsigned i = 0; i != end->getNumSuccessors(); ++i) {
        BasicBlock *next = end->getSuccessor(i);
        if (facts.isEnd(block, next))
          continue;
        unsigned to = outside();
        if (cycle && next == cycle->getHeader())
          to = nextIteration();
        else if (auto found = numberOf.find(next); found != numberOf.end())
          to = found->second;
        if (to == number)
          continue;
        leaves = true;
        if (!is_contained(node.to, to))
          node.to.push_back(to);
        else if (choice)
          node.often.push_back(to);
        // The default covers the ranges between the other cases.
        if (choice && i == 0)
          node.often.push_back(to);
      }
      node.parts |= leaves && facts.divergent.contains(block);
    }
    if (node.to.empty())
      node.to.push_back(outside());
    node.parts &= node.to.size() > 1;
  }
}

/// Sorts the nodes topologically.
void IterationGraph::sort(unsigned first) {
  std::vector<unsigned> order;
  std::vector<bool> seen(nodes.size());
  SmallVector<std::pair<unsigned, unsigned>> stack = {{first, 0}};
  seen[first] = true;
  while (!stack.empty()) {
    auto &[at, next] = stack.back();
    if (next == nodes[at].to.size()) {
      order.push_back(at);
      stack.pop_back();
      continue;
    }
    unsigned to = nodes[at].to[next++];
    if (to < nodes.size() && !seen[to]) {
      seen[to] = true;
      stack.push_back({to, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  std::vector<unsigned> place(nodes.size() + 2, ~0u);
  for (unsigned i = 0; i != order.size(); ++i)
    place[order[i]] = i;
  place[nextIteration()] = order.size();
  place[outside()] = order.size() + 1;
  std::vector<Node> sorted;
  for (unsigned old : order) {
    sorted.push_back(std::move(nodes[old]));
    for (unsigned &to : sorted.back().to)
      to = place[to];
    for (unsigned &to : sorted.back().often)
      to = place[to];
  }
  nodes = std::move(sorted);
  numberOf.clear();
  for (unsigned i = 0; i != nodes.size(); ++i)
    for (const BasicBlock *block : nodes[i].blocks)
      numberOf[block] = i;
}

void IterationGraph::analyse() {
  unsigned count = nodes.size() + 2;
  reached.assign(count, BitVector(count));
  postDominators.assign(count, BitVector(count));
  dominators.assign(count, BitVector(count));
  known.resize(count);
  std::vector<SmallVector<unsigned, 2>> from(count);
  for (unsigned i = count; i--;) {
    reached[i].set(i);
    if (i < nodes.size()) {
      postDominators[i].set();
      for (unsigned to : nodes[i].to) {
        reached[i] |= reached[to];
        postDominators[i] &= postDominators[to];
        from[to].push_back(i);
      }
    }
    postDominators[i].set(i);
  }
  for (unsigned i = 0; i != count; ++i) {
    if (!from[i].empty()) {
      dominators[i].set();
      for (unsigned before : from[i])
        dominators[i] &= dominators[before];
    }
    dominators[i].set(i);
  }
}

/// The nodes that decide whether lanes reach a node, and the number of paths.
SmallVector<unsigned, 4> IterationGraph::deciding(unsigned node,
                                                  unsigned &paths) const {
  SmallVector<unsigned, 4> found;
  paths = 0;
  for (unsigned i = 0; i != std::min<unsigned>(node, nodes.size()); ++i) {
    if (nodes[i].to.size() < 2 || postDominators[i].test(node))
      continue;
    unsigned some = 0;
    for (unsigned to : nodes[i].to)
      if (postDominators[to].test(node))
        some += 1 + is_contained(nodes[i].often, to);
    if (!some)
      continue;
    // Lanes may leave a loop in different iterations.
    if (nodes[i].cycle && nodes[i].parts)
      ++some;
    found.push_back(i);
    paths += some;
  }
  return found;
}

IterationGraph::Come IterationGraph::come(unsigned node) {
  if (known[node])
    return *known[node];
  unsigned paths;
  SmallVector<unsigned, 4> branches = deciding(node, paths);
  Come result = Come::All;
  for (unsigned branch : branches) {
    Come before = come(branch);
    if (before == Come::Apart) {
      known[node] = before;
      return before;
    }
    if (before == Come::Part || nodes[branch].parts)
      result = Come::Part;
  }
  if (result == Come::Part && paths > 1) {
    result = Come::Apart;
    wrong = node;
  }
  known[node] = result;
  return result;
}

std::optional<ReconvergencePoint> IterationGraph::find() {
  for (unsigned i = 0; i != nodes.size(); ++i)
    if (nodes[i].matters && come(i) == Come::Apart)
      return pointAt(wrong);
  if (cycle && come(nextIteration()) == Come::Apart)
    return pointAt(wrong);
  return std::nullopt;
}

ReconvergencePoint IterationGraph::pointAt(unsigned node) const {
  unsigned paths;
  BitVector common(nodes.size() + 2, true);
  for (unsigned branch : deciding(node, paths))
    common &= dominators[branch];
  unsigned before = common.find_last();
  ReconvergencePoint point;
  if (nodes[before].cycle)
    point.around = nodes[before].cycle;
  else
    point.before = nodes[before].blocks.front();
  BitVector between(nodes.size() + 2);
  for (unsigned i = before; i != std::min<unsigned>(node, nodes.size()); ++i)
    if (reached[before].test(i) && reached[i].test(node))
      between.set(i);
  for (unsigned i : between.set_bits())
    for (BasicBlock *block : nodes[i].blocks)
      for (BasicBlock *next : SmallSetVector<BasicBlock *, 4>(
               succ_begin(block), succ_end(block))) {
        if (facts.isEnd(block, next))
          continue;
        bool repeats = cycle && next == cycle->getHeader();
        auto to = numberOf.find(next);
        if (!repeats && to != numberOf.end() && between.test(to->second))
          continue;
        point.edges.push_back({block, next});
        if (repeats ? node == nextIteration()
                    : to != numberOf.end() && to->second == node)
          point.place = next;
      }
  return point;
}

} // namespace xcc::gpu
