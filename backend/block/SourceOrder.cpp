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

/// A block, or a loop seen from outside as one thing. Places are those of
/// Clang's layout, which follows the source.
struct Node {
  const Cycle *C = nullptr; ///< null for a block
  SmallVector<BasicBlock *, 8> Blocks;
  unsigned First = ~0u, Last = 0; ///< places
  /// A loop: other nodes that belong to it in the source.
  SmallVector<Node *, 4> Inside;
  unsigned PointCount = 0; ///< with those of Inside
};

/// The nodes of a function or of a loop's body, and the edges among them. An
/// edge to the loop's own header begins another turn and is none of them.
struct Level {
  SmallVector<Node *, 16> Nodes;
  const BasicBlock *Header = nullptr;
  DenseMap<const BasicBlock *, Node *> NodeOf;
  DenseMap<Node *, SmallVector<Node *, 4>> Before, After;

  void connect();
  /// The nodes such that every edge leads from an earlier to a later one, as
  /// near to the source's order as that allows.
  SmallVector<Node *, 16> inOrder() const;
};

class Builder {
public:
  Builder(Function &F, function_ref<bool(const CallBase &)> IsPoint,
          std::vector<SourceOrder::Point> &Points,
          std::vector<std::unique_ptr<SourceOrder::Loop>> &Loops);
  void build();

private:
  using Row = SmallVector<SourceOrder::Word, 4>;

  Node *makeNode(const Cycle *C, ArrayRef<BasicBlock *> Blocks);
  /// The nodes of \p Blocks, those of cycle \p Parent (null: the function).
  SmallVector<Node *, 16> nodesOf(const Cycle *Parent,
                                  ArrayRef<BasicBlock *> Blocks);
  unsigned placeOfEnd(const Node &N) const;
  void takeIn(Level &L);
  void number(Level &L, const Row &Prefix);
  void numberLoop(Node &N, Row Prefix);

  Function &F;
  std::vector<SourceOrder::Point> &Points;
  std::vector<std::unique_ptr<SourceOrder::Loop>> &Loops;
  CycleInfo Cycles;
  DenseMap<const BasicBlock *, unsigned> PlaceOf;
  DenseMap<const BasicBlock *, SmallVector<CallBase *, 2>> PointsOf;
  std::vector<std::unique_ptr<Node>> Made;
};

} // namespace

void Level::connect() {
  for (Node *N : Nodes)
    for (BasicBlock *BB : N->Blocks)
      NodeOf[BB] = N;
  for (Node *N : Nodes)
    for (BasicBlock *BB : N->Blocks)
      for (BasicBlock *Next : successors(BB))
        if (Node *To = Next == Header ? nullptr : NodeOf.lookup(Next);
            To && To != N && !is_contained(After[N], To)) {
          After[N].push_back(To);
          Before[To].push_back(N);
        }
}

SmallVector<Node *, 16> Level::inOrder() const {
  auto Later = [](Node *A, Node *B) { return A->First > B->First; };
  std::priority_queue<Node *, std::vector<Node *>, decltype(Later)> Ready(
      Later);
  DenseMap<Node *, unsigned> Missing;
  for (Node *N : Nodes)
    if (unsigned Count = Before.lookup(N).size())
      Missing[N] = Count;
    else
      Ready.push(N);
  SmallVector<Node *, 16> Order;
  while (!Ready.empty()) {
    Node *N = Ready.top();
    Ready.pop();
    Order.push_back(N);
    for (Node *To : After.lookup(N))
      if (--Missing[To] == 0)
        Ready.push(To);
  }
  assert(Order.size() == Nodes.size() && "a level has no cycle");
  return Order;
}

Builder::Builder(Function &F, function_ref<bool(const CallBase &)> IsPoint,
                 std::vector<SourceOrder::Point> &Points,
                 std::vector<std::unique_ptr<SourceOrder::Loop>> &Loops)
    : F(F), Points(Points), Loops(Loops) {
  for (BasicBlock &BB : F) {
    PlaceOf[&BB] = PlaceOf.size();
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I); Call && IsPoint(*Call))
        PointsOf[&BB].push_back(Call);
  }
}

Node *Builder::makeNode(const Cycle *C, ArrayRef<BasicBlock *> Blocks) {
  Made.push_back(std::make_unique<Node>());
  Node *N = Made.back().get();
  N->C = C;
  N->Blocks.assign(Blocks.begin(), Blocks.end());
  for (BasicBlock *BB : Blocks) {
    N->First = std::min(N->First, PlaceOf.lookup(BB));
    N->Last = std::max(N->Last, PlaceOf.lookup(BB));
    if (auto It = PointsOf.find(BB); It != PointsOf.end())
      N->PointCount += It->second.size();
  }
  return N;
}

SmallVector<Node *, 16> Builder::nodesOf(const Cycle *Parent,
                                         ArrayRef<BasicBlock *> Blocks) {
  SmallVector<Node *, 16> Nodes;
  DenseSet<const Cycle *> Seen;
  for (BasicBlock *BB : Blocks) {
    const Cycle *C = Cycles.getCycle(BB);
    if (C == Parent) {
      Nodes.push_back(makeNode(nullptr, BB));
      continue;
    }
    while (C->getParentCycle() != Parent)
      C = C->getParentCycle();
    if (Seen.insert(C).second)
      Nodes.push_back(makeNode(
          C, SmallVector<BasicBlock *, 8>(C->block_begin(), C->block_end())));
  }
  return Nodes;
}

/// One past the last place that is within the loop \p N in the source: behind
/// its last block, or where it goes when its condition fails.
unsigned Builder::placeOfEnd(const Node &N) const {
  unsigned End = N.Last + 1;
  for (const BasicBlock *Next : successors(N.C->getHeader()))
    if (!N.C->contains(Next))
      End = std::max(End, PlaceOf.lookup(Next));
  return End;
}

/// What a lane does between leaving a loop's cycle and the loop's end, such as
/// a block that ends in `break` or `return`, is within the loop in the source,
/// and in its turn. The graph alone shows no difference to what comes behind
/// the loop; the layout does.
void Builder::takeIn(Level &L) {
  SmallVector<Node *, 16> Order = L.inOrder();
  DenseMap<Node *, Node *> Within;
  for (auto [I, N] : enumerate(Order)) {
    if (!N->C || Within.contains(N))
      continue;
    unsigned End = placeOfEnd(*N);
    for (Node *Next : ArrayRef(Order).drop_front(I + 1)) {
      if (Within.contains(Next) || Next->First < N->First || Next->Last >= End)
        continue;
      if (!all_of(L.Before.lookup(Next), [&](Node *From) {
            return From == N || Within.lookup(From) == N;
          }))
        continue;
      Within[Next] = N;
      N->Inside.push_back(Next);
      N->PointCount += Next->PointCount;
    }
  }
  erase_if(L.Nodes, [&](Node *N) { return Within.contains(N); });
  for (Node *N : L.Nodes)
    for (Node *In : N->Inside)
      append_range(N->Blocks, In->Blocks);
}

void Builder::numberLoop(Node &N, Row Prefix) {
  auto Loop = std::make_unique<SourceOrder::Loop>();
  Loop->Header = N.C->getHeader();
  for (BasicBlock *Entry : N.C->entries())
    for (BasicBlock *From : predecessors(Entry))
      if (!N.C->contains(From) && !is_contained(Loop->Before, From))
        Loop->Before.push_back(From);
  Loop->Blocks.assign(N.Blocks.begin(), N.Blocks.end());
  Loop->TakesIn =
      any_of(N.Inside, [](const Node *In) { return In->PointCount != 0; });
  Prefix.push_back({0, Loop.get()});
  Loops.push_back(std::move(Loop));

  Level Body;
  Body.Header = N.C->getHeader();
  Body.Nodes = nodesOf(
      N.C, SmallVector<BasicBlock *, 8>(N.C->block_begin(), N.C->block_end()));
  append_range(Body.Nodes, N.Inside);
  number(Body, Prefix);
}

void Builder::number(Level &L, const Row &Prefix) {
  L.connect();
  takeIn(L);
  Level Joined;
  Joined.Header = L.Header;
  Joined.Nodes = L.Nodes;
  Joined.connect();
  SmallVector<Node *, 16> Order = Joined.inOrder();

  unsigned Count = 0;
  for (Node *N : Order)
    Count += N->C ? N->PointCount != 0 : N->PointCount;
  unsigned Next = 0;
  auto NextRow = [&] {
    Row R = Prefix;
    if (Count > 1)
      R.push_back({Next++, nullptr});
    return R;
  };
  for (Node *N : Order) {
    if (!N->PointCount)
      continue;
    if (N->C)
      numberLoop(*N, NextRow());
    else
      for (CallBase *Call : PointsOf[N->Blocks.front()])
        Points.push_back({Call, NextRow()});
  }
}

void Builder::build() {
  if (PointsOf.empty())
    return;
  Cycles.compute(F);
  Level Whole;
  Whole.Nodes =
      nodesOf(nullptr, SmallVector<BasicBlock *, 16>(make_pointer_range(F)));
  number(Whole, {});
}

SourceOrder::SourceOrder(Function &F,
                         function_ref<bool(const CallBase &)> IsPoint) {
  Builder(F, IsPoint, Points, Loops).build();
}

} // namespace xcc::block
