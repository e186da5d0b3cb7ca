// Cutting a kernel into regions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Regions.h"
#include "Uniformity.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

SmallVector<BasicBlock *, 2> RegionPlan::successors(const Region &r) const {
  if (r.decider)
    return SmallVector<BasicBlock *, 2>(llvm::successors(r.decider));
  if (r.next)
    return {r.next};
  return {};
}

bool RegionPlan::isRepeated(unsigned r) const {
  SmallPtrSet<const BasicBlock *, 8> seen;
  SmallVector<BasicBlock *, 8> work = successors(regions[r]);
  while (!work.empty()) {
    BasicBlock *start = work.pop_back_val();
    if (!seen.insert(start).second)
      continue;
    unsigned next = regionIndex.lookup(start);
    if (next == r)
      return true;
    append_range(work, successors(regions[next]));
  }
  return false;
}

namespace {

/// Refines a set of region starts and deciding branches until each region has
/// one exit.
class Planner {
public:
  Planner(Function &kernel, const Uniformity &uniform)
      : kernel(kernel), uniform(uniform), order(&kernel) {}

  std::optional<RegionPlan> plan(ArrayRef<BasicBlock *> decided,
                                 ArrayRef<BasicBlock *> moreStarts,
                                 std::string &whyNot);

private:
  /// The exits that are reachable from a block: starts of other regions,
  /// deciding blocks, and null for the end of the kernel. The set is empty if
  /// all paths trap.
  using Paths = SmallSetVector<BasicBlock *, 2>;

  bool isStart(BasicBlock *bb) const { return starts.contains(bb); }
  bool decides(BasicBlock *bb) const { return deciders.contains(bb); }

  void findFirstStarts();
  /// Assigns blocks to regions; a block that two regions reach starts one.
  void assignBlocks();
  void findExits();
  /// Makes deciders of the branches whose sides have different exits. False if
  /// threads may diverge at one of them.
  bool addDeciders(bool &changed, std::string &whyNot);
  bool isUniformBranch(BasicBlock &bb) const;
  void decideAt(BasicBlock *bb);
  RegionPlan result() const;

  Function &kernel;
  const Uniformity &uniform;
  ReversePostOrderTraversal<Function *> order;
  BasicBlock *prologue = nullptr;
  SetVector<BasicBlock *> starts;
  SetVector<BasicBlock *> deciders;
  DenseMap<BasicBlock *, BasicBlock *> startOf;
  DenseMap<BasicBlock *, Paths> pathsOf;
};

} // namespace

void Planner::findFirstStarts() {
  prologue = &kernel.getEntryBlock();
  starts.insert(prologue->getSingleSuccessor());
  for (BasicBlock *bb : order) {
    Instruction *last = bb->getTerminator()->getPrevNode();
    if (last && intrinsicCalledBy(*last).isBarrier())
      starts.insert(bb->getSingleSuccessor());
  }
}

void Planner::assignBlocks() {
  for (bool changed = true; changed;) {
    changed = false;
    startOf.clear();
    for (BasicBlock *bb : order) {
      if (bb == prologue)
        continue;
      if (isStart(bb)) {
        startOf[bb] = bb;
        continue;
      }
      // In reverse post-order, some predecessor was visited before. An
      // unvisited one closes a loop within this region, or the loop below makes
      // the header a start.
      BasicBlock *mine = nullptr;
      bool conflict = false;
      for (BasicBlock *pred : predecessors(bb))
        if (BasicBlock *s = startOf.lookup(pred)) {
          conflict |= mine && mine != s;
          mine = s;
        }
      if (conflict) {
        starts.insert(bb);
        startOf[bb] = bb;
        changed = true;
      } else {
        startOf[bb] = mine;
      }
    }
    for (BasicBlock *bb : order)
      for (BasicBlock *pred : predecessors(bb))
        if (pred != prologue && !isStart(bb) &&
            startOf.lookup(pred) != startOf.lookup(bb) &&
            startOf.lookup(pred)) {
          starts.insert(bb);
          changed = true;
        }
  }
}

void Planner::findExits() {
  pathsOf.clear();
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *bb : reverse(order)) {
      if (bb == prologue)
        continue;
      Paths &w = pathsOf[bb];
      size_t old = w.size();
      if (decides(bb)) {
        w.insert(bb);
      } else if (isa<ReturnInst>(bb->getTerminator())) {
        w.insert(nullptr);
      } else {
        for (BasicBlock *succ : successors(bb)) {
          if (isStart(succ)) {
            w.insert(succ);
          } else {
            Paths next = pathsOf.lookup(succ);
            w.insert(next.begin(), next.end());
          }
        }
      }
      changed |= w.size() != old;
    }
  }
}

bool Planner::isUniformBranch(BasicBlock &bb) const {
  Instruction *term = bb.getTerminator();
  if (!isa<BranchInst, SwitchInst>(term))
    return false;
  return uniform.isUniformUse(term->getOperandUse(0)); // the condition
}

void Planner::decideAt(BasicBlock *bb) {
  deciders.insert(bb);
  for (BasicBlock *succ : successors(bb))
    starts.insert(succ);
}

bool Planner::addDeciders(bool &changed, std::string &whyNot) {
  for (BasicBlock *bb : order) {
    if (bb == prologue || decides(bb) || succ_size(bb) < 2)
      continue;
    // The exits of each side; sides that trap do not count.
    std::optional<Paths> first;
    bool differ = false;
    for (BasicBlock *succ : successors(bb)) {
      Paths w;
      if (isStart(succ))
        w.insert(succ);
      else
        w = pathsOf.lookup(succ);
      if (w.empty())
        continue;
      if (!first)
        first = w;
      else
        differ |= w.size() != first->size() ||
                  any_of(w, [&](BasicBlock *x) { return !first->contains(x); });
    }
    if (!differ)
      continue;
    if (!isUniformBranch(*bb)) {
      whyNot = "threads part before a barrier";
      if (const DebugLoc &loc = bb->getTerminator()->getDebugLoc())
        whyNot += " at line " + std::to_string(loc.getLine());
      return false;
    }
    decideAt(bb);
    changed = true;
  }
  return true;
}

RegionPlan Planner::result() const {
  RegionPlan plan;
  plan.prologue = prologue;
  DenseMap<BasicBlock *, unsigned> number;
  for (BasicBlock *bb : order) // the kernel's first region comes first
    if (isStart(bb)) {
      number[bb] = plan.regions.size();
      plan.regions.emplace_back();
      plan.regions.back().start = bb;
    }
  for (BasicBlock *bb : order) {
    if (bb == prologue)
      continue;
    unsigned n = number.lookup(startOf.lookup(bb));
    plan.regionIndex[bb] = n;
    plan.regions[n].blocks.push_back(bb);
  }
  for (Region &r : plan.regions) {
    const Paths &w = pathsOf.find(r.start)->second;
    if (w.empty())
      continue;
    if (BasicBlock *path = w.front();
        path && decides(path) && startOf.lookup(path) == r.start)
      r.decider = path;
    else
      r.next = path;
  }
  return plan;
}

std::optional<RegionPlan> Planner::plan(ArrayRef<BasicBlock *> decided,
                                        ArrayRef<BasicBlock *> moreStarts,
                                        std::string &whyNot) {
  findFirstStarts();
  for (BasicBlock *bb : decided)
    decideAt(bb);
  starts.insert_range(moreStarts);
  for (bool changed = true; changed;) {
    changed = false;
    assignBlocks();
    findExits();
    if (!addDeciders(changed, whyNot))
      return std::nullopt;
  }
  for (BasicBlock *s : starts)
    if (pathsOf.lookup(s).size() > 1) {
      whyNot = "control flow that cannot be cut at its barriers";
      return std::nullopt;
    }
  return result();
}

std::optional<RegionPlan> planRegions(Function &kernel,
                                      const Uniformity &uniform,
                                      ArrayRef<BasicBlock *> decided,
                                      ArrayRef<BasicBlock *> starts,
                                      std::string &whyNot) {
  return Planner(kernel, uniform).plan(decided, starts, whyNot);
}

} // namespace xcc::block
