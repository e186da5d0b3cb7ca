// Lanes that come on several ways to an operation
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes are together in a warp operation when they come to it in the same turn
// of each loop around it. GPUs let lanes that a branch took apart meet where all
// its ways come together, its immediate post-dominator. So all lanes of a turn
// that come to a block are together there if one branch decides about it, by one
// of its ways, and those that come to that branch are together; for all of them
// have taken that way, and whatever parts them from there on brings them
// together in front of the block. The same holds for a loop as a whole, and for
// its next turn, as if both were blocks.
//
// Where several branches decide, as with a `case` that is fallen into, either
// side of `||`, or what is behind an `if` with a `break` or `return` in it, lanes
// would come one after the other:
//
//        d ------+                    d ------+
//       / \      |                   / \      |
//      a   b     |                  a   b     |
//     / \ /      |                   \  |     |
//    e   block   |                    meet ---+
//         \      |                   /   | \
//          +---- f                  e    |  f
//                                      block
//
// There, all ways from the block `d` that is before all of those branches meet
// in front of the block, and one branch decides who goes into it. NVIDIA GPUs
// are told, by bar.warp.sync, to make the lanes meet that were at `d`.
//
// This is for the control flow that is left when all other passes have run.

#include "WarpCalls.h"
#include "Ways.h"
#include "gpu/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

using Blocks = DenseSet<const BasicBlock *>;

/// A block, or a loop seen from outside as one thing.
struct Node {
  const Cycle *cycle = nullptr; ///< null for a block
  SmallVector<BasicBlock *, 1> blocks;
  SmallVector<unsigned, 2> to; ///< nodes, each once
  /// Ways on to one node of which a GPU may make several branches.
  SmallVector<unsigned, 1> often;
  bool parts = false;   ///< takes lanes apart
  bool matters = false; ///< has an operation
};

/// What a function tells about its lanes.
struct Facts {
  Blocks operations, divergent;
  bool endsThreads; ///< a return is a thread's end
  const CycleInfo &cycles;

  /// Whether lanes that take this edge have ended for all others.
  bool isEnd(const BasicBlock *from, const BasicBlock *to) const {
    return isa<UnreachableInst>(to->getTerminator()) ||
           (endsThreads && onlyEnds(to));
  }
};

/// Lanes that come in parts to a place, and how to bring them together.
struct Meeting {
  BasicBlock *before;            ///< those that are to meet leave from here
  const Cycle *around = nullptr; ///< or this loop
  SmallVector<Edge> edges;       ///< what they come by
  BasicBlock *place;             ///< the first to go to from there
};

/// A function, or one turn of a loop, as a graph without cycles. Its last two
/// nodes stand for the next turn and for all that is outside.
class Level {
public:
  Level(const Cycle *cycle, Function &function, const Facts &facts);
  std::optional<Meeting> find();
  /// Whether every lane of a turn comes to the block.
  bool always(const BasicBlock *block) const {
    auto found = numberOf.find(block);
    return found != numberOf.end() && postDominators[0].test(found->second);
  }

private:
  const Cycle *cycle;
  const Facts &facts;
  std::vector<Node> nodes; ///< each before those it leads to
  DenseMap<const BasicBlock *, unsigned> numberOf;
  std::vector<BitVector> reached, dominators, postDominators;

  unsigned nextTurn() const { return nodes.size(); }
  unsigned outside() const { return nodes.size() + 1; }

  void collect(Function &function);
  void connect();
  void sort(unsigned first);
  void analyse();

  enum class Come { All, Part, Apart };
  std::vector<std::optional<Come>> known;
  unsigned wrong = 0; ///< the node that lanes come to in parts
  SmallVector<unsigned, 4> deciding(unsigned node, unsigned &ways) const;
  Come come(unsigned node);
  Meeting meetingAt(unsigned node) const;
};

Level::Level(const Cycle *cycle, Function &function, const Facts &facts)
    : cycle(cycle), facts(facts) {
  collect(function);
  connect();
  sort(numberOf.lookup(cycle ? cycle->getHeader() : &function.getEntryBlock()));
  analyse();
}

void Level::collect(Function &function) {
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

void Level::connect() {
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
          to = nextTurn();
        else if (auto found = numberOf.find(next); found != numberOf.end())
          to = found->second;
        if (to == number)
          continue;
        leaves = true;
        if (!is_contained(node.to, to))
          node.to.push_back(to);
        else if (choice)
          node.often.push_back(to);
        // The default is what is left between the others.
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

/// Puts nodes in an order in which every edge leads to a later one.
void Level::sort(unsigned first) {
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
  place[nextTurn()] = order.size();
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

void Level::analyse() {
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

/// The nodes that decide whether lanes come to a node, and by how many ways.
SmallVector<unsigned, 4> Level::deciding(unsigned node, unsigned &ways) const {
  SmallVector<unsigned, 4> found;
  ways = 0;
  for (unsigned i = 0; i != std::min<unsigned>(node, nodes.size()); ++i) {
    if (nodes[i].to.size() < 2 || postDominators[i].test(node))
      continue;
    unsigned some = 0;
    for (unsigned to : nodes[i].to)
      if (postDominators[to].test(node))
        some += 1 + is_contained(nodes[i].often, to);
    if (!some)
      continue;
    // Lanes leave a loop in different turns.
    if (nodes[i].cycle && nodes[i].parts)
      ++some;
    found.push_back(i);
    ways += some;
  }
  return found;
}

Level::Come Level::come(unsigned node) {
  if (known[node])
    return *known[node];
  unsigned ways;
  SmallVector<unsigned, 4> branches = deciding(node, ways);
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
  if (result == Come::Part && ways > 1) {
    result = Come::Apart;
    wrong = node;
  }
  known[node] = result;
  return result;
}

std::optional<Meeting> Level::find() {
  for (unsigned i = 0; i != nodes.size(); ++i)
    if (nodes[i].matters && come(i) == Come::Apart)
      return meetingAt(wrong);
  if (cycle && come(nextTurn()) == Come::Apart)
    return meetingAt(wrong);
  return std::nullopt;
}

Meeting Level::meetingAt(unsigned node) const {
  unsigned ways;
  BitVector common(nodes.size() + 2, true);
  for (unsigned branch : deciding(node, ways))
    common &= dominators[branch];
  unsigned before = common.find_last();
  Meeting meeting;
  if (nodes[before].cycle)
    meeting.around = nodes[before].cycle;
  else
    meeting.before = nodes[before].blocks.front();
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
        bool turns = cycle && next == cycle->getHeader();
        auto to = numberOf.find(next);
        if (!turns && to != numberOf.end() && between.test(to->second))
          continue;
        meeting.edges.push_back({block, next});
        if (turns ? node == nextTurn()
                  : to != numberOf.end() && to->second == node)
          meeting.place = next;
      }
  return meeting;
}

/// Brings the lanes of one function together.
class Meetings {
public:
  Meetings(Function &function, const WarpCalls &leads,
           const BarrierTarget &target, FunctionAnalysisManager &analyses)
      : function(function), target(target), analyses(analyses) {
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        if (leads(*call))
          operations.insert(inst.getParent());
        if (is_contained(target.barriers, call->getIntrinsicID()))
          barriers.insert(inst.getParent());
      }
    findDivergent();
  }

  bool run() {
    bool marked = removeMarks();
    if (divergent.empty() || !find())
      return marked;
    // What a switch becomes is to be seen.
    run(LowerSwitchPass());
    if (!reducible())
      run(FixIrreduciblePass());
    findDivergent();
    // Each finds its block with one way into it.
    for (unsigned left = 2 * function.size() + 64; left--;) {
      std::optional<Meeting> meeting = find();
      if (!meeting)
        break;
      make(*meeting);
    }
    restoreValues(function);
    return true;
  }

private:
  Function &function;
  const BarrierTarget &target;
  FunctionAnalysisManager &analyses;
  Blocks operations, divergent, barriers;
  CycleInfo cycles;

  template <class Pass> void run(Pass pass) {
    analyses.invalidate(function, pass.run(function, analyses));
  }
  void findDivergent() {
    SmallVector<const BasicBlock *> found =
        divergentBranches(function, analyses);
    divergent = Blocks(found.begin(), found.end());
  }
  void eachCycle(function_ref<void(const Cycle *)> visit) {
    SmallVector<const Cycle *> work(cycles.toplevel_cycles());
    while (!work.empty()) {
      const Cycle *cycle = work.pop_back_val();
      append_range(work, cycle->children());
      visit(cycle);
    }
  }
  bool reducible() {
    cycles.clear();
    cycles.compute(function);
    bool all = true;
    eachCycle([&](const Cycle *cycle) { all &= cycle->isReducible(); });
    return all;
  }

  Facts look() {
    cycles.clear();
    cycles.compute(function);
    return {operations, divergent, function.getCallingConv() == target.kernels,
            cycles};
  }

  /// Removes what Turns.cpp left, and makes lanes meet at the end of a turn.
  /// They need not if some may wait at a barrier of the loop (Barriers.cpp).
  bool removeMarks() {
    SmallVector<CallInst *> marks;
    const Function *mark = function.getParent()->getFunction("__xcc_turn");
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && mark && call->getCalledFunction() == mark)
        marks.push_back(call);
    Facts facts = look();
    for (CallInst *call : marks) {
      BasicBlock *place = call->getParent();
      const Cycle *cycle = cycles.getCycle(place);
      bool meets = cast<ConstantInt>(call->getArgOperand(0))->isOne();
      call->eraseFromParent();
      if (!meets || !cycle || !cycle->isReducible() ||
          any_of(cycle->blocks(),
                 [&](const BasicBlock *block) {
                   return barriers.contains(block);
                 }) ||
          !Level(cycle, function, facts).always(place))
        continue;
      BasicBlock *head = cycle->getHeader();
      IRBuilder<> builder(head, head->getFirstInsertionPt());
      Value *lanes = target.lanes(builder);
      builder.SetInsertPoint(place, place->getFirstInsertionPt());
      target.gather(builder, lanes);
    }
    return !marks.empty();
  }

  std::optional<Meeting> find() {
    Facts facts = look();
    std::optional<Meeting> found = Level(nullptr, function, facts).find();
    eachCycle([&](const Cycle *cycle) {
      if (!found && any_of(cycle->blocks(), [&](const BasicBlock *block) {
            return operations.contains(block);
          }))
        found = Level(cycle, function, facts).find();
    });
    return found;
  }

  void make(Meeting &meeting) {
    BasicBlock *before = meeting.before;
    if (meeting.around) {
      BasicBlock *head = meeting.around->getHeader();
      SmallVector<BasicBlock *> from;
      for (BasicBlock *block : predecessors(head))
        if (!meeting.around->contains(block))
          from.push_back(block);
      before = SplitBlockPredecessors(head, from, ".before");
    }
    IRBuilder<> builder(before->getTerminator());
    Value *lanes = target.lanes(builder);
    SmallVector<BasicBlock *> guards = joinEdges(meeting.edges, meeting.place);
    if (guards.empty())
      return;
    builder.SetInsertPoint(guards.front(),
                           guards.front()->getFirstInsertionPt());
    target.gather(builder, lanes);
    divergent.insert_range(guards);
  }
};

} // namespace

PreservedAnalyses MeetingsPass::run(Module &module,
                                    ModuleAnalysisManager &analyses) {
  bool changed = false;
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  WarpCalls leads(module, target);
  SmallVector<Function *> work;
  for (Function &function : module)
    if (leads.in(function))
      work.push_back(&function);
  for (Function *function : work) {
    functions.clear(*function, function->getName());
    changed |= Meetings(*function, leads, target, functions).run();
    functions.clear(*function, function->getName());
  }
  if (Function *mark = module.getFunction("__xcc_turn")) {
    // Where an optimiser saw that no operation is left.
    changed = true;
    for (User *user : make_early_inc_range(mark->users()))
      cast<CallInst>(user)->eraseFromParent();
    mark->eraseFromParent();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
