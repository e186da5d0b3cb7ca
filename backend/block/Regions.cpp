// Cutting a kernel into regions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Regions.h"
#include "Intrinsics.h"
#include "Uniformity.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

SmallVector<BasicBlock *, 2> RegionPlan::successors(const Region &R) const {
  if (R.Decider)
    return SmallVector<BasicBlock *, 2>(llvm::successors(R.Decider));
  if (R.Next)
    return {R.Next};
  return {};
}

bool RegionPlan::isRepeated(unsigned R) const {
  SmallPtrSet<const BasicBlock *, 8> Seen;
  SmallVector<BasicBlock *, 8> Work = successors(Regions[R]);
  while (!Work.empty()) {
    BasicBlock *Start = Work.pop_back_val();
    if (!Seen.insert(Start).second)
      continue;
    unsigned Next = RegionOf.lookup(Start);
    if (Next == R)
      return true;
    append_range(Work, successors(Regions[Next]));
  }
  return false;
}

namespace {

/// Refines a set of region starts and deciding branches until every region has
/// one way on.
class Planner {
public:
  Planner(Function &Kernel, const Uniformity &Uniform)
      : Kernel(Kernel), Uniform(Uniform), Order(&Kernel) {}

  std::optional<RegionPlan> plan(ArrayRef<BasicBlock *> Decided,
                                 ArrayRef<BasicBlock *> MoreStarts,
                                 std::string &WhyNot);

private:
  /// The ways on from a block: starts of other regions, deciding blocks, and
  /// null for the end of the kernel. A block from which there is no way on
  /// (it traps) has none.
  using Ways = SmallSetVector<BasicBlock *, 2>;

  bool isStart(BasicBlock *BB) const { return Starts.contains(BB); }
  bool decides(BasicBlock *BB) const { return Deciders.contains(BB); }

  void findFirstStarts();
  /// Assigns blocks to regions; a block that two regions reach starts one.
  void assignBlocks();
  void findWays();
  /// Makes deciders of the branches that choose between two ways. False if
  /// threads may choose differently at one.
  bool addDeciders(bool &Changed, std::string &WhyNot);
  bool isUniformBranch(BasicBlock &BB) const;
  void decideAt(BasicBlock *BB);
  RegionPlan result() const;

  Function &Kernel;
  const Uniformity &Uniform;
  ReversePostOrderTraversal<Function *> Order;
  BasicBlock *Prologue = nullptr;
  SetVector<BasicBlock *> Starts;
  SetVector<BasicBlock *> Deciders;
  DenseMap<BasicBlock *, BasicBlock *> StartOf;
  DenseMap<BasicBlock *, Ways> WaysOf;
};

} // namespace

void Planner::findFirstStarts() {
  Prologue = &Kernel.getEntryBlock();
  Starts.insert(Prologue->getSingleSuccessor());
  for (BasicBlock *BB : Order) {
    Instruction *Last = BB->getTerminator()->getPrevNode();
    if (Last && intrinsicCalledBy(*Last).isBarrier())
      Starts.insert(BB->getSingleSuccessor());
  }
}

void Planner::assignBlocks() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    StartOf.clear();
    for (BasicBlock *BB : Order) {
      if (BB == Prologue)
        continue;
      if (isStart(BB)) {
        StartOf[BB] = BB;
        continue;
      }
      // In reverse post-order some predecessor was visited; one that was not
      // closes a loop within a region, or else the header becomes a start when
      // it is seen below.
      BasicBlock *Mine = nullptr;
      bool Conflict = false;
      for (BasicBlock *Pred : predecessors(BB))
        if (BasicBlock *S = StartOf.lookup(Pred)) {
          Conflict |= Mine && Mine != S;
          Mine = S;
        }
      if (Conflict) {
        Starts.insert(BB);
        StartOf[BB] = BB;
        Changed = true;
      } else {
        StartOf[BB] = Mine;
      }
    }
    for (BasicBlock *BB : Order)
      for (BasicBlock *Pred : predecessors(BB))
        if (Pred != Prologue && !isStart(BB) &&
            StartOf.lookup(Pred) != StartOf.lookup(BB) &&
            StartOf.lookup(Pred)) {
          Starts.insert(BB);
          Changed = true;
        }
  }
}

void Planner::findWays() {
  WaysOf.clear();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : reverse(Order)) {
      if (BB == Prologue)
        continue;
      Ways &W = WaysOf[BB];
      size_t Old = W.size();
      if (decides(BB)) {
        W.insert(BB);
      } else if (isa<ReturnInst>(BB->getTerminator())) {
        W.insert(nullptr);
      } else {
        for (BasicBlock *Succ : successors(BB)) {
          if (isStart(Succ)) {
            W.insert(Succ);
          } else {
            Ways Next = WaysOf.lookup(Succ);
            W.insert(Next.begin(), Next.end());
          }
        }
      }
      Changed |= W.size() != Old;
    }
  }
}

bool Planner::isUniformBranch(BasicBlock &BB) const {
  Instruction *Term = BB.getTerminator();
  if (!isa<BranchInst, SwitchInst>(Term))
    return false;
  return Uniform.isUniformUse(Term->getOperandUse(0)); // the condition
}

void Planner::decideAt(BasicBlock *BB) {
  Deciders.insert(BB);
  for (BasicBlock *Succ : successors(BB))
    Starts.insert(Succ);
}

bool Planner::addDeciders(bool &Changed, std::string &WhyNot) {
  for (BasicBlock *BB : Order) {
    if (BB == Prologue || decides(BB) || succ_size(BB) < 2)
      continue;
    // Ways on from each side; sides that trap do not count.
    std::optional<Ways> First;
    bool Differ = false;
    for (BasicBlock *Succ : successors(BB)) {
      Ways W;
      if (isStart(Succ))
        W.insert(Succ);
      else
        W = WaysOf.lookup(Succ);
      if (W.empty())
        continue;
      if (!First)
        First = W;
      else
        Differ |= W.size() != First->size() ||
                  any_of(W, [&](BasicBlock *X) { return !First->contains(X); });
    }
    if (!Differ)
      continue;
    if (!isUniformBranch(*BB)) {
      WhyNot = "threads part before a barrier";
      if (const DebugLoc &Loc = BB->getTerminator()->getDebugLoc())
        WhyNot += " at line " + std::to_string(Loc.getLine());
      return false;
    }
    decideAt(BB);
    Changed = true;
  }
  return true;
}

RegionPlan Planner::result() const {
  RegionPlan Plan;
  Plan.Prologue = Prologue;
  DenseMap<BasicBlock *, unsigned> Number;
  for (BasicBlock *BB : Order) // the kernel's first region comes first
    if (isStart(BB)) {
      Number[BB] = Plan.Regions.size();
      Plan.Regions.emplace_back();
      Plan.Regions.back().Start = BB;
    }
  for (BasicBlock *BB : Order) {
    if (BB == Prologue)
      continue;
    unsigned N = Number.lookup(StartOf.lookup(BB));
    Plan.RegionOf[BB] = N;
    Plan.Regions[N].Blocks.push_back(BB);
  }
  for (Region &R : Plan.Regions) {
    const Ways &W = WaysOf.find(R.Start)->second;
    if (W.empty())
      continue;
    if (BasicBlock *Way = W.front();
        Way && decides(Way) && StartOf.lookup(Way) == R.Start)
      R.Decider = Way;
    else
      R.Next = Way;
  }
  return Plan;
}

std::optional<RegionPlan> Planner::plan(ArrayRef<BasicBlock *> Decided,
                                        ArrayRef<BasicBlock *> MoreStarts,
                                        std::string &WhyNot) {
  findFirstStarts();
  for (BasicBlock *BB : Decided)
    decideAt(BB);
  Starts.insert_range(MoreStarts);
  for (bool Changed = true; Changed;) {
    Changed = false;
    assignBlocks();
    findWays();
    if (!addDeciders(Changed, WhyNot))
      return std::nullopt;
  }
  for (BasicBlock *S : Starts)
    if (WaysOf.lookup(S).size() > 1) {
      WhyNot = "control flow that cannot be cut at its barriers";
      return std::nullopt;
    }
  return result();
}

std::optional<RegionPlan> planRegions(Function &Kernel,
                                      const Uniformity &Uniform,
                                      ArrayRef<BasicBlock *> Decided,
                                      ArrayRef<BasicBlock *> Starts,
                                      std::string &WhyNot) {
  return Planner(Kernel, Uniform).plan(Decided, Starts, WhyNot);
}

} // namespace xcc::block
