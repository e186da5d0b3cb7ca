// Rows of words from control flow
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceOrder.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"

#include <queue>

using namespace llvm;

namespace xcc::block {

namespace {

/// A basic block, or a loop seen from outside as one node. Places are positions
/// in Clang's block layout, which follows the source.
struct Node {
  const Cycle *c = nullptr; ///< null for a block
  SmallVector<BasicBlock *, 8> blocks;
  unsigned first = ~0u, last = 0; ///< places
  /// For a loop: nodes outside the cycle that belong to it in the source.
  SmallVector<Node *, 4> inside;
  unsigned pointCount = 0; ///< with those of inside
};

/// The nodes of a function or of a loop's body, and the edges among them. An
/// edge to the loop's own header is left out, because it begins another
/// iteration.
struct BodyGraph {
  SmallVector<Node *, 16> nodes;
  const BasicBlock *header = nullptr;
  DenseMap<const BasicBlock *, Node *> nodeOf;
  DenseMap<Node *, SmallVector<Node *, 4>> before, after;

  void connect();
  /// A topological order of the nodes, as near to the source's order as
  /// possible.
  SmallVector<Node *, 16> inOrder() const;
};

class Builder {
public:
  Builder(Function &f, function_ref<bool(const Instruction &)> isPoint,
          std::vector<SourceOrder::Point> &points,
          std::vector<std::unique_ptr<SourceOrder::Loop>> &loops);
  void build();

private:
  using Row = SmallVector<SourceOrder::Word, 4>;

  Node *makeNode(const Cycle *c, ArrayRef<BasicBlock *> blocks);
  /// The nodes of \p blocks, the blocks of cycle \p parent (null: the
  /// function).
  SmallVector<Node *, 16> nodesOf(const Cycle *parent,
                                  ArrayRef<BasicBlock *> blocks);
  unsigned placeOfEnd(const Node &n) const;
  void takeIn(BodyGraph &l);
  void number(BodyGraph &l, const Row &prefix);
  void numberLoop(Node &n, Row prefix);

  Function &f;
  std::vector<SourceOrder::Point> &points;
  std::vector<std::unique_ptr<SourceOrder::Loop>> &loops;
  CycleInfo cycles;
  DenseMap<const BasicBlock *, unsigned> placeOf;
  DenseMap<const BasicBlock *, SmallVector<Instruction *, 2>> pointsOf;
  std::vector<std::unique_ptr<Node>> made;
};

} // namespace

void BodyGraph::connect() {
  for (Node *n : nodes)
    for (BasicBlock *bb : n->blocks)
      nodeOf[bb] = n;
  for (Node *n : nodes)
    for (BasicBlock *bb : n->blocks)
      for (BasicBlock *next : successors(bb))
        if (Node *to = next == header ? nullptr : nodeOf.lookup(next);
            to && to != n && !is_contained(after[n], to)) {
          after[n].push_back(to);
          before[to].push_back(n);
        }
}

SmallVector<Node *, 16> BodyGraph::inOrder() const {
  auto later = [](Node *a, Node *b) { return a->first > b->first; };
  std::priority_queue<Node *, std::vector<Node *>, decltype(later)> ready(
      later);
  DenseMap<Node *, unsigned> missing;
  for (Node *n : nodes)
    if (unsigned count = before.lookup(n).size())
      missing[n] = count;
    else
      ready.push(n);
  SmallVector<Node *, 16> order;
  while (!ready.empty()) {
    Node *n = ready.top();
    ready.pop();
    order.push_back(n);
    for (Node *to : after.lookup(n))
      if (--missing[to] == 0)
        ready.push(to);
  }
  assert(order.size() == nodes.size() && "a level has no cycle");
  return order;
}

Builder::Builder(Function &f, function_ref<bool(const Instruction &)> isPoint,
                 std::vector<SourceOrder::Point> &points,
                 std::vector<std::unique_ptr<SourceOrder::Loop>> &loops)
    : f(f), points(points), loops(loops) {
  for (BasicBlock &bb : f) {
    placeOf[&bb] = placeOf.size();
    for (Instruction &i : bb)
      if (isPoint(i))
        pointsOf[&bb].push_back(&i);
  }
}

Node *Builder::makeNode(const Cycle *c, ArrayRef<BasicBlock *> blocks) {
  made.push_back(std::make_unique<Node>());
  Node *n = made.back().get();
  n->c = c;
  n->blocks.assign(blocks.begin(), blocks.end());
  for (BasicBlock *bb : blocks) {
    n->first = std::min(n->first, placeOf.lookup(bb));
    n->last = std::max(n->last, placeOf.lookup(bb));
    if (auto it = pointsOf.find(bb); it != pointsOf.end())
      n->pointCount += it->second.size();
  }
  return n;
}

SmallVector<Node *, 16> Builder::nodesOf(const Cycle *parent,
                                         ArrayRef<BasicBlock *> blocks) {
  SmallVector<Node *, 16> nodes;
  DenseSet<const Cycle *> seen;
  for (BasicBlock *bb : blocks) {
    const Cycle *c = cycles.getCycle(bb);
    if (c == parent) {
      nodes.push_back(makeNode(nullptr, bb));
      continue;
    }
    while (c->getParentCycle() != parent)
      c = c->getParentCycle();
    if (seen.insert(c).second)
      nodes.push_back(makeNode(
          c, SmallVector<BasicBlock *, 8>(c->block_begin(), c->block_end())));
  }
  return nodes;
}

/// One past the last place that is within the loop \p n in the source: behind
/// the last block that begins another iteration, or the exit of the header.
/// Other blocks of the loop may have later places: Clang writes the end of a
/// try block behind all of the loop if each of its handlers throws.
unsigned Builder::placeOfEnd(const Node &n) const {
  unsigned end = 0;
  for (const BasicBlock *from : predecessors(n.c->getHeader()))
    if (n.c->contains(from))
      end = std::max(end, placeOf.lookup(from) + 1);
  for (const BasicBlock *next : successors(n.c->getHeader()))
    if (!n.c->contains(next))
      end = std::max(end, placeOf.lookup(next));
  return end;
}

/// Moves nodes into the loop to which they belong in the source. A block that
/// ends in `break` or `return` is outside the loop's cycle, but in the source
/// it is part of an iteration. The graph does not distinguish it from code
/// behind the loop; the layout does.
void Builder::takeIn(BodyGraph &l) {
  SmallVector<Node *, 16> order = l.inOrder();
  DenseMap<Node *, Node *> within;
  for (auto [i, n] : enumerate(order)) {
    if (!n->c || within.contains(n))
      continue;
    unsigned end = placeOfEnd(*n);
    for (Node *next : ArrayRef(order).drop_front(i + 1)) {
      if (within.contains(next) || next->first < n->first || next->last >= end)
        continue;
      if (!all_of(l.before.lookup(next), [&](Node *from) {
            return from == n || within.lookup(from) == n;
          }))
        continue;
      within[next] = n;
      n->inside.push_back(next);
      n->pointCount += next->pointCount;
    }
  }
  erase_if(l.nodes, [&](Node *n) { return within.contains(n); });
  for (Node *n : l.nodes)
    for (Node *in : n->inside)
      append_range(n->blocks, in->blocks);
}

void Builder::numberLoop(Node &n, Row prefix) {
  auto loop = std::make_unique<SourceOrder::Loop>();
  loop->header = n.c->getHeader();
  for (BasicBlock *entry : n.c->entries())
    for (BasicBlock *from : predecessors(entry))
      if (!n.c->contains(from) && !is_contained(loop->before, from))
        loop->before.push_back(from);
  loop->blocks.assign(n.blocks.begin(), n.blocks.end());
  loop->takesIn =
      any_of(n.inside, [](const Node *in) { return in->pointCount != 0; });
  prefix.push_back({0, loop.get()});
  loops.push_back(std::move(loop));

  BodyGraph body;
  body.header = n.c->getHeader();
  body.nodes = nodesOf(
      n.c, SmallVector<BasicBlock *, 8>(n.c->block_begin(), n.c->block_end()));
  append_range(body.nodes, n.inside);
  number(body, prefix);
}

void Builder::number(BodyGraph &l, const Row &prefix) {
  l.connect();
  takeIn(l);
  BodyGraph joined;
  joined.header = l.header;
  joined.nodes = l.nodes;
  joined.connect();
  SmallVector<Node *, 16> order = joined.inOrder();

  unsigned count = 0;
  for (Node *n : order)
    count += n->c ? n->pointCount != 0 : n->pointCount;
  unsigned next = 0;
  auto nextRow = [&] {
    Row r = prefix;
    if (count > 1)
      r.push_back({next++, nullptr});
    return r;
  };
  for (Node *n : order) {
    if (!n->pointCount)
      continue;
    if (n->c)
      numberLoop(*n, nextRow());
    else
      for (Instruction *at : pointsOf[n->blocks.front()])
        points.push_back({at, nextRow()});
  }
}

void Builder::build() {
  if (pointsOf.empty())
    return;
  cycles.compute(f);
  BodyGraph whole;
  whole.nodes =
      nodesOf(nullptr, SmallVector<BasicBlock *, 16>(make_pointer_range(f)));
  number(whole, {});
}

SourceOrder::SourceOrder(Function &f,
                         function_ref<bool(const Instruction &)> isPoint) {
  Builder(f, isPoint, points_, loops_).build();
}

} // namespace xcc::block
