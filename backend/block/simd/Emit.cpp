// The vector form of a thread loop
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniform control flow stays as it is. Between a divergent branch and its
// reconvergence point, blocks follow each other in topological order, each
// under the mask of the lanes that reach it. A jump skips code that must not
// run without a lane. A loop that lanes leave at different times repeats while
// any lane is in it.

#include "Emit.h"
#include "Instructions.h"
#include "Masks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block::simd {

/// Threads run alone once lanes have waited for as long as this many iterations
/// of a vector take.
static constexpr unsigned MaxWaitIterations = 128;
/// The most instructions of iterations that follow each other (takesSquares).
static constexpr unsigned LongestSquare = 512;
/// Blocks of fewer instructions run without a test for active lanes.
static constexpr unsigned SmallBlock = 12;

namespace {

/// A loop that is being emitted.
struct OpenLoop {
  LoopGraph &graph;
  OpenLoop *outer = nullptr;
  AllocaInst *mask = nullptr; ///< of the lanes in it; null for all
  bool byMask = false;        ///< repeats while any lane is in it
  bool linear = false;        ///< is a linear node of the outer graph
  BasicBlock *header = nullptr;
  BasicBlock *again = nullptr; ///< begins the next iteration
  bool hasNextCopy = false;    ///< another one follows without a test
  BasicBlock *end = nullptr;   ///< of an iteration, if by mask
  BasicBlock *after = nullptr; ///< if by mask or linear
  AllocaInst *next = nullptr;  ///< the mask of the next iteration
  /// Counts of iterations, and of iterations times lanes; if by mask.
  AllocaInst *iterations = nullptr, *laneIterations = nullptr;
  /// Where control enters nodes that are not linear.
  SmallVector<BasicBlock *> entries = {};
};

class Emitter {
public:
  using Costs = DenseMap<const Loop *, IterationCost>;

  Emitter(Loop &threads, Width width, const Shapes &shapes, const Rows &rows,
          const Costs &costs, const TargetTransformInfo &target,
          const Original *original)
      : threads(threads), original(original), costs(costs),
        f(*threads.getHeader()->getParent()), lanes(width.lanes),
        shapes(shapes), b(f.getContext()), values(f, threads, shapes, lanes, b),
        masks(width, target, b), rowLoads(f, rows, values, lanes, target, b),
        instructions(f, shapes, values, rowLoads, lanes, target, b) {}

  void emit(Value *trips);

private:
  struct Edge {
    BasicBlock *target;
    Value *condition; ///< of the first of two edges; else null
    SmallVector<std::pair<PHINode *, Value *>, 4> phis = {};
  };

  BasicBlock *block(const Twine &name) {
    return BasicBlock::Create(f.getContext(), name, &f, threads.getHeader());
  }
  void countThreads(OpenLoop &l, Value *trips);
  void leave(CallInst &leaving);
  void runAlone(BasicBlock *after);
  void runRest(BasicBlock *before);
  void emitGraph();
  void resetGraph();
  void emitNode(unsigned n);
  void emitBody(BasicBlock &code);
  void emitInner(unsigned n, bool linear);
  bool takesSquares(const OpenLoop &l) const;
  void emitSquare(OpenLoop &l, BasicBlock *square);
  void emitGroup(unsigned head);
  void emitLinearBlock(BasicBlock &code);
  bool needsGuard(const BasicBlock &code) const;
  bool runsByMask(const LoopGraph &outer, const Node &node, bool linear) const;

  SmallVector<Edge, 2> edgesOf(BasicBlock &code);
  void takeUniformly(BasicBlock &code);
  void takeByMask(BasicBlock &code);
  Value *where(Value *lanesOf, Value *condition);
  BasicBlock *follow(BasicBlock *target, const Edge &edge);
  void reach(BasicBlock *target, Value *with);
  void enter(const Edge &edge, Value *with, bool blend);
  void storePhi(PHINode *phi, Value *v, Value *with, bool blend);
  void add(AllocaInst *sum, Value *v);
  void countIteration(OpenLoop &l, Value *next);
  void balance(OpenLoop &l);
  AllocaInst *maskOf(const BasicBlock *code);
  void useMask(AllocaInst *slot);

  Loop &threads;
  const Original *original;    ///< of a copy without cold paths; else null
  BasicBlock *alone = nullptr; ///< runs a vector's threads one by one
  const Costs &costs;
  Function &f;
  unsigned lanes;
  const Shapes &shapes;
  IRBuilder<> b;
  Values values;
  Masks masks;
  RowLoads rowLoads;
  Instructions instructions;
  OpenLoop *open = nullptr;
  Value *mask = nullptr; ///< of the code that is being emitted; null for all
  /// How much faster vectors were so far than threads alone; null if no loop
  /// makes lanes wait.
  AllocaInst *gain = nullptr;
  DenseMap<const BasicBlock *, AllocaInst *> maskSlots;
  SmallPtrSet<const PHINode *, 16> stored;
};

} // namespace

/// Keeps LLVM's vectorizer from trying the loop that \p branch repeats.
static void markVectorised(BranchInst *branch) {
  LLVMContext &c = branch->getContext();
  Metadata *done[] = {
      MDString::get(c, "llvm.loop.isvectorized"),
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), 1))};
  MDNode *id = MDNode::getDistinct(c, {nullptr, MDNode::get(c, done)});
  id->replaceOperandWith(0, id);
  branch->setMetadata(LLVMContext::MD_loop, id);
}

AllocaInst *Emitter::maskOf(const BasicBlock *code) {
  AllocaInst *&slot = maskSlots[code];
  if (!slot)
    slot = values.makeSlot(masks.type(), "mask." + code->getName());
  return slot;
}

void Emitter::useMask(AllocaInst *slot) {
  values.forget();
  mask = slot ? b.CreateLoad(slot->getAllocatedType(), slot, "mask") : nullptr;
}

/// Clears values of an earlier iteration, so that they cannot look like values
/// of this one.
void Emitter::resetGraph() {
  for (Node &node : open->graph.nodes) {
    if (node.linear)
      b.CreateStore(masks.none(), maskOf(node.block));
    if (node.inner || node.block == open->graph.loop.getHeader())
      continue;
    for (Instruction &i : *node.block)
      if (isa<PHINode>(i) || (node.linear && !i.getType()->isVoidTy()))
        values.reset(&i);
  }
}

void Emitter::emitGraph() {
  LoopGraph &graph = open->graph;
  open->entries.resize(graph.nodes.size());
  for (auto [n, node] : enumerate(graph.nodes))
    if (!node.linear)
      open->entries[n] =
          n == 0 ? open->header : block("simd." + node.block->getName());
  b.SetInsertPoint(open->header);
  if (open->next)
    b.CreateStore(masks.none(), open->next);
  resetGraph();
  rowLoads.repeat(graph.loop);
  for (unsigned n = 0; n != graph.nodes.size(); ++n)
    if (!graph.nodes[n].linear)
      emitNode(n);
}

/// Emits a node that either all lanes in the loop reach, or none.
void Emitter::emitNode(unsigned n) {
  LoopGraph &graph = open->graph;
  Node &node = graph.nodes[n];
  b.SetInsertPoint(open->entries[n]);
  useMask(open->mask);
  if (node.inner) {
    bool byMask = runsByMask(graph, node, /*linear=*/false);
    emitInner(n, /*linear=*/false);
    if (!byMask)
      return;
    if (!node.splits()) {
      b.CreateBr(node.next.empty() ? open->end
                                   : open->entries[node.next.front()]);
      return;
    }
  } else {
    emitBody(*node.block);
    if (node.block == threads.getLoopLatch())
      return;
    if (!node.splits())
      return takeUniformly(*node.block);
    takeByMask(*node.block);
  }
  emitGroup(n);
  unsigned join = graph.reconvergenceOf(n);
  b.CreateBr(join == LoopGraph::End ? open->end : open->entries[join]);
}

void Emitter::emitBody(BasicBlock &code) {
  Value *active = masks.asBools(mask);
  for (Instruction &i : code)
    if (!isa<PHINode>(i) && !i.isTerminator()) {
      b.SetCurrentDebugLocation(i.getDebugLoc());
      if (isLeaving(i))
        leave(cast<CallInst>(i));
      else
        instructions.emit(i, active);
    }
}

bool Emitter::needsGuard(const BasicBlock &code) const {
  return code.size() >= SmallBlock || any_of(code, [&](const Instruction &i) {
           return needsActiveLane(i, shapes);
         });
}

void Emitter::emitLinearBlock(BasicBlock &code) {
  useMask(maskOf(&code));
  BasicBlock *behind = nullptr;
  if (needsGuard(code)) {
    BasicBlock *body = block("simd." + code.getName());
    behind = block("simd.behind");
    b.CreateCondBr(masks.any(mask), body, behind);
    b.SetInsertPoint(body);
  }
  emitBody(code);
  takeByMask(code);
  if (behind) {
    b.CreateBr(behind);
    b.SetInsertPoint(behind);
  }
}

void Emitter::emitGroup(unsigned head) {
  for (unsigned n : open->graph.groupOf(head)) {
    Node &node = open->graph.nodes[n];
    if (!node.inner) {
      emitLinearBlock(*node.block);
      continue;
    }
    useMask(maskOf(node.block));
    BasicBlock *body = block("simd.loop"), *behind = block("simd.behind");
    b.CreateCondBr(masks.any(mask), body, behind);
    b.SetInsertPoint(body);
    emitInner(n, /*linear=*/true);
    b.CreateBr(behind);
    b.SetInsertPoint(behind);
  }
}

/// Whether a mask, not a branch for all, decides which lanes stay in the loop.
bool Emitter::runsByMask(const LoopGraph &outer, const Node &node,
                         bool linear) const {
  if (shapes.isDivergent(*node.inner))
    return true;
  if ((linear || node.splits()) && !node.inner->getUniqueExitBlock())
    return true;
  const LoopGraph &graph = shapes.graphOf(*node.inner);
  for (unsigned n = 0; n != graph.nodes.size(); ++n)
    if (graph.nodes[n].splits() && !graph.nodes[n].linear &&
        graph.reconvergenceOf(n) == LoopGraph::End)
      return true;
  return false;
}

void Emitter::add(AllocaInst *sum, Value *v) {
  b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), sum), v), sum);
}

/// Counts an iteration, with the lanes \p next. Null starts the count.
void Emitter::countIteration(OpenLoop &l, Value *next) {
  if (!next) {
    l.iterations = values.makeSlot(b.getInt64Ty(), "simd.iterations");
    l.laneIterations = values.makeSlot(b.getInt64Ty(), "simd.lane.iterations");
    b.CreateStore(b.getInt64(0), l.iterations);
    Value *entering = mask ? masks.count(mask) : b.getInt64(lanes);
    b.CreateStore(entering, l.laneIterations);
    IterationCost cost = costs.lookup(&l.graph.loop);
    add(gain, b.CreateSub(b.CreateMul(entering, b.getInt64(cost.threadLeaves)),
                          b.getInt64(cost.vectorLeaves)));
    return;
  }
  add(l.iterations, b.getInt64(1));
  add(l.laneIterations, masks.count(next));
}

/// Adds to `gain` what the loop's iterations would have cost threads alone,
/// less what they did cost.
void Emitter::balance(OpenLoop &l) {
  IterationCost cost = costs.lookup(&l.graph.loop);
  auto times = [&](AllocaInst *count, int64_t each) {
    return b.CreateMul(b.CreateLoad(b.getInt64Ty(), count), b.getInt64(each));
  };
  add(gain, times(l.laneIterations, cost.thread));
  add(gain, times(l.iterations, -int64_t(cost.vector)));
}

/// Whether the iterations that take the columns of a square of rows follow each
/// other without a branch (Rows.h).
bool Emitter::takesSquares(const OpenLoop &l) const {
  const Loop &loop = l.graph.loop;
  if (l.byMask || !rowLoads.areIn(loop))
    return false;
  const Node &last = l.graph.nodes[l.graph.indexOf(loop.getLoopLatch())];
  unsigned size = 0;
  for (const BasicBlock *code : loop.blocks())
    size += code->size();
  return !last.linear && !last.splits() && size * lanes <= LongestSquare;
}

/// Emits the iterations of \p l again, for a whole square and all lanes. Values
/// of the iteration that jumps here are not used.
void Emitter::emitSquare(OpenLoop &l, BasicBlock *square) {
  l.mask = nullptr;
  BasicBlock *loop = l.header;
  auto storedBefore = stored;
  b.SetInsertPoint(square);
  rowLoads.beginSquare(l.graph.loop);
  for (unsigned n = 0; n != lanes; ++n) {
    l.hasNextCopy = n + 1 != lanes;
    l.header = square;
    square = l.again = l.hasNextCopy ? block("simd.next.column") : loop;
    l.entries.clear();
    stored = storedBefore;
    rowLoads.takeColumn(n);
    emitGraph();
  }
  rowLoads.endSquare();
}

void Emitter::emitInner(unsigned n, bool linear) {
  Node &node = open->graph.nodes[n];
  OpenLoop l{shapes.graphOf(*node.inner), open};
  l.linear = linear;
  l.byMask = runsByMask(open->graph, node, linear);
  l.header = block("simd." + node.block->getName());
  l.mask = linear ? maskOf(node.block) : open->mask;
  if (l.byMask || linear)
    l.after = block("simd.after");
  if (l.byMask) {
    Type *t = masks.type();
    l.mask = values.makeSlot(t, "mask.in." + node.block->getName());
    l.next = values.makeSlot(t, "mask.next." + node.block->getName());
    l.end = block("simd.end");
    b.CreateStore(masks.orAll(mask), l.mask);
    countIteration(l, nullptr);
  }
  l.again = l.header;
  Value *entered = mask;
  BasicBlock *square = takesSquares(l) ? block("simd.rows") : nullptr;
  rowLoads.enter(l.graph.loop, square);
  b.CreateBr(l.header);
  open = &l;
  auto storedBefore = stored;
  emitGraph();
  if (square) {
    stored = std::move(storedBefore);
    emitSquare(l, square);
  }
  open = l.outer;
  if (l.byMask) {
    b.SetInsertPoint(l.end);
    Value *next = b.CreateLoad(l.next->getAllocatedType(), l.next, "mask.next");
    b.CreateStore(next, l.mask);
    countIteration(l, next);
    markVectorised(b.CreateCondBr(masks.any(next), l.header, l.after));
  }
  if (l.after)
    b.SetInsertPoint(l.after);
  if (l.byMask)
    balance(l);
  // All lanes that were in the loop leave by its one exit.
  if (linear && !l.byMask)
    reach(node.inner->getUniqueExitBlock(), entered);
}

SmallVector<Emitter::Edge, 2> Emitter::edgesOf(BasicBlock &code) {
  SmallVector<Edge, 2> edges;
  auto *branch = cast<BranchInst>(code.getTerminator());
  if (!branch->isConditional() ||
      branch->getSuccessor(0) == branch->getSuccessor(1)) {
    edges.push_back({branch->getSuccessor(0), nullptr});
  } else {
    edges.push_back({branch->getSuccessor(0), branch->getCondition()});
    edges.push_back({branch->getSuccessor(1), nullptr});
  }
  // Phis take their values at once, so all are read before one is written.
  for (Edge &edge : edges)
    for (PHINode &phi : edge.target->phis()) {
      Value *v = phi.getIncomingValueForBlock(&code);
      edge.phis.push_back({&phi, shapes.of(&phi).isVarying()
                                     ? values.vector(v)
                                     : values.scalar(v)});
    }
  return edges;
}

/// Adds the lanes \p with to the mask of \p target, if it has a mask.
void Emitter::reach(BasicBlock *target, Value *with) {
  const OpenLoop *home = open;
  while (!home->graph.contains(target))
    home = home->outer;
  if (!home->graph.nodes[home->graph.indexOf(target)].linear)
    return;
  AllocaInst *slot = maskOf(target);
  Value *before = b.CreateLoad(slot->getAllocatedType(), slot);
  b.CreateStore(b.CreateOr(before, masks.orAll(with)), slot);
}

void Emitter::storePhi(PHINode *phi, Value *v, Value *with, bool blend) {
  AllocaInst *slot = values.slotOf(phi);
  if (blend && with) {
    Value *before = b.CreateLoad(slot->getAllocatedType(), slot);
    v = b.CreateSelect(shapes.of(phi).isVarying() ? masks.asBools(with)
                                                  : masks.any(with),
                       v, before);
  }
  b.CreateStore(v, slot);
}

/// Stores the values of phis on \p edge, which the lanes \p with take.
void Emitter::enter(const Edge &edge, Value *with, bool blend) {
  for (auto [phi, v] : edge.phis) {
    bool first = stored.insert(phi).second;
    storePhi(phi, v, with, blend && !first);
  }
}

/// The block to which \p edge leads from here if all lanes take it.
BasicBlock *Emitter::follow(BasicBlock *target, const Edge &edge) {
  OpenLoop *l = open;
  if (target == l->graph.loop.getHeader()) {
    enter(edge, nullptr, false);
    if (!l->byMask)
      return l->again;
    b.CreateStore(masks.orAll(mask), l->next);
    return l->end;
  }
  for (; !l->graph.loop.contains(target); l = l->outer) {
    if (l->byMask) {
      for (auto [phi, v] : edge.phis)
        storePhi(phi, v, mask, /*blend=*/true);
      reach(target, mask);
      return l->end;
    }
    if (l->linear) {
      // Lanes that left the outer loops before keep their values.
      if (l->outer->graph.loop.contains(target))
        enter(edge, nullptr, false);
      else
        for (auto [phi, v] : edge.phis)
          storePhi(phi, v, mask, /*blend=*/true);
      return l->after;
    }
  }
  enter(edge, nullptr, false);
  return l->entries[l->graph.indexOf(target)];
}

void Emitter::takeUniformly(BasicBlock &code) {
  SmallVector<Edge, 2> edges = edgesOf(code);
  auto take = [&](const Edge &edge) {
    BasicBlock *repeated = open->again;
    BasicBlock *target = follow(edge.target, edge);
    BranchInst *branch = b.CreateBr(target);
    if (target == repeated && !open->hasNextCopy)
      markVectorised(branch);
  };
  if (edges.size() == 1)
    return take(edges[0]);
  if (open->hasNextCopy && &code == open->graph.loop.getLoopLatch())
    return take(edges[edges[1].target == open->graph.loop.getHeader()]);
  BasicBlock *edgeBlocks[2] = {block("simd.edge"), block("simd.edge")};
  b.CreateCondBr(values.scalar(edges[0].condition), edgeBlocks[0],
                 edgeBlocks[1]);
  for (unsigned n = 0; n != 2; ++n) {
    b.SetInsertPoint(edgeBlocks[n]);
    take(edges[n]);
  }
}

/// The lanes of \p lanesOf for which \p condition holds. Splits logical
/// operations, because their uniform parts are not vectors.
Value *Emitter::where(Value *lanesOf, Value *condition) {
  Value *left, *right;
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))))
    return where(where(lanesOf, left), right);
  if (match(condition, m_Not(m_Value(left))))
    return masks.without(lanesOf, where(lanesOf, left));
  if (match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    Value *first = where(lanesOf, left);
    return b.CreateOr(first, where(masks.without(lanesOf, first), right));
  }
  return masks.where(lanesOf, shapes.of(condition).isUniform()
                                  ? values.scalar(condition)
                                  : values.vector(condition));
}

void Emitter::takeByMask(BasicBlock &code) {
  SmallVector<Edge, 2> edges = edgesOf(code);
  SmallVector<Value *, 2> with;
  if (edges.size() == 1) {
    with.push_back(mask);
  } else {
    Value *taken = where(mask, edges[0].condition);
    with = {taken, masks.without(mask, taken)};
  }
  LoopGraph &graph = open->graph;
  for (auto [edge, lanesOf] : zip_equal(edges, with)) {
    if (edge.target == graph.loop.getHeader()) {
      enter(edge, nullptr, false);
      b.CreateStore(masks.orAll(lanesOf), open->next);
    } else if (graph.loop.contains(edge.target)) {
      enter(edge, lanesOf, /*blend=*/true);
      reach(edge.target, lanesOf);
    } else {
      for (auto [phi, v] : edge.phis)
        storePhi(phi, v, lanesOf, /*blend=*/true);
      reach(edge.target, lanesOf);
    }
  }
}

/// Emits the loop over vectors of threads, with its set-up and exit.
void Emitter::countThreads(OpenLoop &l, Value *trips) {
  BasicBlock *before = threads.getLoopPreheader();
  BasicBlock *first = threads.getHeader();
  BasicBlock *setUp = block("simd.setup"), *done = block("simd.done"),
             *rest = block("simd.rest");
  Instruction *jump = before->getTerminator();
  b.SetInsertPoint(jump);
  Type *t = trips->getType();
  Value *whole = b.CreateAnd(trips, ConstantInt::get(t, -int64_t(lanes), true),
                             "simd.threads");
  for (PHINode &phi : first->phis()) {
    AllocaInst *slot = values.slotOf(&phi);
    b.CreateStore(phi.getIncomingValueForBlock(before), slot);
  }
  b.CreateCondBr(b.CreateICmpEQ(whole, ConstantInt::get(t, 0)), rest, setUp);
  jump->eraseFromParent();

  AllocaInst *count = values.makeSlot(t, "simd.count");
  b.SetInsertPoint(setUp);
  b.CreateStore(ConstantInt::get(t, 0), count);
  gain = values.makeSlot(b.getInt64Ty(), "simd.gain");
  uint64_t mostCost = 0;
  for (auto &[loop, cost] : costs)
    mostCost = std::max<uint64_t>(mostCost, cost.vector);
  b.CreateStore(b.getInt64(mostCost * MaxWaitIterations), gain);
  b.CreateBr(l.header);

  if (original)
    alone = block("simd.alone");
  open = &l;
  emitGraph(); // and goes on behind the code of the latch
  if (original) {
    BasicBlock *next = block("simd.next");
    b.CreateBr(next);
    runAlone(next);
    b.SetInsertPoint(next);
  }
  for (PHINode &phi : first->phis()) {
    AllocaInst *slot = values.slotOf(&phi);
    Value *now = b.CreateLoad(phi.getType(), slot);
    int64_t step = shapes.of(&phi).stride * int64_t(lanes);
    b.CreateStore(phi.getType()->isPointerTy()
                      ? b.CreatePtrAdd(now, b.getInt64(step))
                      : b.CreateAdd(now, ConstantInt::get(phi.getType(), step,
                                                          /*IsSigned=*/true)),
                  slot);
  }
  Value *next =
      b.CreateNUWAdd(b.CreateLoad(t, count), ConstantInt::get(t, lanes));
  b.CreateStore(next, count);
  Value *ends = b.CreateICmpEQ(next, whole);
  if (!costs.empty())
    ends = b.CreateOr(ends, b.CreateICmpSLT(b.CreateLoad(b.getInt64Ty(), gain),
                                            b.getInt64(0)));
  markVectorised(b.CreateCondBr(ends, done, l.header));

  b.SetInsertPoint(done);
  b.CreateCondBr(b.CreateICmpEQ(next, trips), threads.getUniqueExitBlock(),
                 rest);
  b.SetInsertPoint(rest);
  runRest(before);
}

/// Continues with the threads that do not fill a vector.
void Emitter::runRest(BasicBlock *before) {
  BasicBlock *rest = b.GetInsertBlock();
  BasicBlock *first =
      original ? original->loop.getHeader() : threads.getHeader();
  for (PHINode &phi : first->phis()) {
    const PHINode *counted = original ? original->copy.copyOf(phi) : &phi;
    Value *start = b.CreateLoad(phi.getType(), values.slotOf(counted));
    if (original) {
      phi.addIncoming(start, rest);
      continue;
    }
    int n = phi.getBasicBlockIndex(before);
    phi.setIncomingBlock(n, rest);
    phi.setIncomingValue(n, start);
  }
  b.CreateBr(first);
}

/// If a thread would take a cold path, all threads of its vector start again
/// one by one.
void Emitter::leave(CallInst &leaving) {
  BasicBlock *stay = block("simd.stay");
  b.CreateCondBr(masks.any(where(mask, leaving.getArgOperand(0))), alone, stay);
  b.SetInsertPoint(stay);
}

/// Emits a copy of the loop with cold paths, for the threads of one vector.
void Emitter::runAlone(BasicBlock *after) {
  Loop &l = original->loop;
  ValueToValueMapTy map;
  SmallVector<BasicBlock *> copies;
  for (BasicBlock *code : l.blocks()) {
    BasicBlock *copy = CloneBasicBlock(code, map, ".alone", &f);
    map[code] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  auto copyOf = [&](Value *v) {
    auto known = map.find(v);
    return known == map.end() ? v : static_cast<Value *>(known->second);
  };
  BasicBlock *latch = cast<BasicBlock>(map[l.getLoopLatch()]);
  BasicBlock *header = cast<BasicBlock>(map[l.getHeader()]);
  for (BasicBlock *code : l.blocks())
    if (code != l.getLoopLatch())
      for (BasicBlock *next : successors(code))
        if (!l.contains(next))
          for (PHINode &phi : next->phis())
            phi.addIncoming(copyOf(phi.getIncomingValueForBlock(code)),
                            cast<BasicBlock>(map[code]));
  b.SetInsertPoint(alone);
  for (PHINode &phi : l.getHeader()->phis()) {
    auto *copy = cast<PHINode>(map[&phi]);
    AllocaInst *slot = values.slotOf(original->copy.copyOf(phi));
    int n = copy->getBasicBlockIndex(l.getLoopPreheader());
    copy->setIncomingBlock(n, alone);
    copy->setIncomingValue(n, b.CreateLoad(phi.getType(), slot));
  }
  b.CreateBr(header);
  b.SetInsertPoint(header, header->begin());
  PHINode *done = b.CreatePHI(b.getInt32Ty(), 2, "alone");
  done->addIncoming(b.getInt32(0), alone);
  b.SetInsertPoint(latch->getTerminator());
  Value *next = b.CreateNUWAdd(done, b.getInt32(1));
  done->addIncoming(next, latch);
  markVectorised(
      b.CreateCondBr(b.CreateICmpEQ(next, b.getInt32(lanes)), after, header));
  latch->getTerminator()->eraseFromParent();
}

void Emitter::emit(Value *trips) {
  OpenLoop l{shapes.graphOf(threads)};
  l.header = block("simd.threads");
  countThreads(l, trips);
  values.promoteSlots();
}

void emitVectorLoop(Loop &threads, Value *trips, Width width,
                    const Shapes &shapes, const Rows &rows,
                    const DenseMap<const Loop *, IterationCost> &costs,
                    const TargetTransformInfo &target,
                    const Original *original) {
  Emitter(threads, width, shapes, rows, costs, target, original).emit(trips);
}

} // namespace xcc::block::simd
