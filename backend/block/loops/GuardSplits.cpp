// Guarded code as loops of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GuardSplits.h"
#include "EachLoop.h"
#include "block/Intrinsics.h"
#include "block/simd/LoopGraph.h"
#include "block/simd/Pass.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

using simd::LoopGraph;

/// The most loops that one loop becomes.
static constexpr unsigned MostParts = 8;
/// The most cases of a switch that becomes branches.
static constexpr unsigned MostCases = 4;

namespace {

class GuardedParts {
public:
  GuardedParts(Loop &l, DominatorTree &dt, LoopInfo &loops, ScalarEvolution &se)
      : l(l), dt(dt), loops(loops), se(se) {}

  bool matches();
  void split();

private:
  bool isRare(Value *condition, bool passesIf) const;
  const BasicBlock *guardOf(unsigned node) const;
  void findGuards();
  bool findParts();
  bool isComputable(const Value *v) const;
  bool needsOnlyItself(const Instruction &user) const;
  bool isDivisible() const;
  void keepOnly(unsigned part, ArrayRef<BasicBlock *> blocks,
                const ValueToValueMapTy *copies);

  Loop &l;
  DominatorTree &dt;
  LoopInfo &loops;
  ScalarEvolution &se;
  std::unique_ptr<LoopGraph> graph;
  unsigned parts = 0;
  DenseMap<const BasicBlock *, unsigned> partOf;
  /// By node: the first block behind the rare guard around it, or null.
  SmallVector<const BasicBlock *> guards;
  /// Branches that depend on loaded values, with their reconvergence points.
  /// The code between these is one part.
  MapVector<BasicBlock *, BasicBlock *> branches;
};

} // namespace

/// Whether \p condition differs between rows of threads, not within one.
static bool dependsOnRow(Value *condition, const Loop &l) {
  const Loop *rows = l.getParentLoop();
  return rows && findOptionMDForLoop(rows, "llvm.loop.parallel_accesses") &&
         !rows->isLoopInvariant(condition);
}

/// Whether few threads pass: the condition compares a thread's index for
/// equality, or is the same for all threads of a row.
bool GuardedParts::isRare(Value *condition, bool passesIf) const {
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return isRare(left, !passesIf);
  if (passesIf ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
               : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return isRare(left, passesIf) || isRare(right, passesIf);
  if (l.isLoopInvariant(condition))
    return dependsOnRow(condition, l);
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy() ||
      !compare->isEquality() ||
      (compare->getPredicate() == CmpInst::ICMP_EQ) != passesIf)
    return false;
  const SCEV *a = se.getSCEV(compare->getOperand(0)),
             *b = se.getSCEV(compare->getOperand(1));
  if (se.isLoopInvariant(a, &l))
    std::swap(a, b);
  auto *index = dyn_cast<SCEVAddRecExpr>(a);
  return index && index->getLoop() == &l && index->isAffine() &&
         index->getStepRecurrence(se)->isOne() && se.isLoopInvariant(b, &l);
}

/// The guard that all paths to \p node have passed.
const BasicBlock *GuardedParts::guardOf(unsigned node) const {
  const BasicBlock *block = graph->nodes[node].block;
  std::optional<const BasicBlock *> common;
  for (unsigned p : graph->nodes[node].previous) {
    const BasicBlock *guard = guards[p];
    auto *branch = cast<BranchInst>(graph->nodes[p].block->getTerminator());
    if (branch->isConditional() &&
        branch->getSuccessor(0) != branch->getSuccessor(1) &&
        isRare(branch->getCondition(), branch->getSuccessor(0) == block))
      guard = block;
    if (common && *common != guard)
      return nullptr;
    common = guard;
  }
  return common.value_or(nullptr);
}

void GuardedParts::findGuards() {
  BitVector together(graph->nodes.size());
  for (unsigned n = 0; n != graph->nodes.size(); ++n) {
    guards.push_back(guardOf(n));
    BasicBlock *block = graph->nodes[n].block;
    auto *branch = cast<BranchInst>(block->getTerminator());
    if (!branch->isConditional() || block == l.getLoopLatch() ||
        isComputable(branch->getCondition()))
      continue;
    if (!together.test(n))
      branches[block] = graph->nodes[graph->reconvergenceOf(n)].block;
    together |= graph->regionOf(n);
  }
  for (unsigned n : together.set_bits())
    guards[n] = guards[graph->dominatorOf(n)];
}

/// Numbers the parts in program order. False if there is only one, or if there
/// are too many.
bool GuardedParts::findParts() {
  const BasicBlock *guard = nullptr;
  for (unsigned n = 0; n != graph->nodes.size(); ++n) {
    BasicBlock *block = graph->nodes[n].block;
    const bool accesses = any_of(*block, [](const Instruction &i) {
      return i.mayReadOrWriteMemory() &&
             !i.hasMetadata(LLVMContext::MD_invariant_load);
    });
    if (accesses && (parts == 0 || guards[n] != guard)) {
      guard = guards[n];
      ++parts;
    }
    partOf[block] = parts;
  }
  return parts > 1 && parts <= MostParts;
}

/// Whether all values from which \p user is computed are computed in its part
/// or can be computed in any.
bool GuardedParts::needsOnlyItself(const Instruction &user) const {
  const unsigned part = partOf.lookup(user.getParent());
  SmallVector<const Value *> work(user.operands());
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty()) {
    auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !l.contains(i) || !seen.insert(i).second)
      continue;
    if (i->mayReadOrWriteMemory() &&
        !i->hasMetadata(LLVMContext::MD_invariant_load) &&
        partOf.lookup(i->getParent()) != part)
      return false;
    if (isa<PHINode>(i) && i->getParent() != l.getHeader()) {
      // A phi depends on branches too.
      if (partOf.lookup(i->getParent()) != part)
        return false;
      for (const BasicBlock *from : cast<PHINode>(i)->blocks())
        work.push_back(from->getTerminator()->getOperand(0));
    }
    append_range(work, i->operands());
  }
  return true;
}

/// Whether \p v is computed only from the thread's index and uniform values.
bool GuardedParts::isComputable(const Value *v) const {
  SmallVector<const Value *> work = {v};
  SmallPtrSet<const Value *, 16> seen;
  while (!work.empty()) {
    auto *i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !l.contains(i) || !seen.insert(i).second)
      continue;
    if (i->mayReadFromMemory() ||
        (isa<PHINode>(i) && i->getParent() != l.getHeader()))
      return false;
    append_range(work, i->operands());
  }
  return true;
}

bool GuardedParts::isDivisible() const {
  if (hasUsersOutside(l))
    return false;
  for (BasicBlock *block : l.blocks())
    for (Instruction &i : *block) {
      if (hasEffect(i) && !isa<StoreInst>(i))
        return false;
      if (isa<LoadInst, StoreInst>(i) && !isParallel(i, l))
        return false;
      if ((isa<StoreInst>(i) || i.isTerminator()) && !needsOnlyItself(i))
        return false;
    }
  return all_of(branches, [&](const auto &branch) {
    auto &[block, join] = branch;
    const unsigned part = partOf.lookup(block);
    return (join->phis().empty() || partOf.lookup(join) == part) &&
           all_of(graph->regionOf(graph->indexOf(block)).set_bits(),
                  [&](unsigned m) {
                    return partOf.lookup(graph->nodes[m].block) == part;
                  });
  });
}

bool GuardedParts::matches() {
  if (!findOptionMDForLoop(&l, ThreadLoopMark) ||
      findOptionMDForLoop(&l, "llvm.loop.isvectorized") || !l.isInnermost() ||
      !l.isLoopSimplifyForm() || l.getExitingBlock() != l.getLoopLatch() ||
      !l.getUniqueExitBlock() || !l.getUniqueExitBlock()->phis().empty() ||
      !hasSingleElement(l.getHeader()->phis()))
    return false;
  for (BasicBlock *block : l.blocks())
    if (!isa<BranchInst>(block->getTerminator()))
      return false;
  graph = LoopGraph::create(l, loops);
  if (!graph)
    return false;
  findGuards();
  return findParts() && isDivisible();
}

/// Leaves only the code of \p part in a copy of the loop.
void GuardedParts::keepOnly(unsigned part, ArrayRef<BasicBlock *> blocks,
                            const ValueToValueMapTy *copies) {
  auto here = [&](BasicBlock *block) {
    return copies ? cast<BasicBlock>(copies->lookup(block)) : block;
  };
  for (BasicBlock *block : blocks) {
    if (partOf.lookup(block) == part)
      continue;
    for (Instruction &i : make_early_inc_range(*here(block)))
      if (isa<StoreInst>(i)) {
        i.eraseFromParent();
      } else if (isa<PHINode>(i) && block != l.getHeader()) {
        i.replaceAllUsesWith(PoisonValue::get(i.getType()));
        i.eraseFromParent();
      }
  }
  for (auto &[block, join] : branches)
    if (partOf.lookup(block) != part)
      ReplaceInstWithInst(here(block)->getTerminator(),
                          BranchInst::Create(here(join)));
}

void GuardedParts::split() {
  BasicBlock *before = l.getLoopPreheader(), *exit = l.getUniqueExitBlock();
  SmallVector<BasicBlock *> blocks(l.blocks());
  BasicBlock *top = SplitBlock(before, before->getTerminator(), &dt, &loops);
  BasicBlock *next = top;
  std::vector<std::unique_ptr<ValueToValueMapTy>> maps;
  for (unsigned part = parts; --part != 0;) {
    maps.push_back(std::make_unique<ValueToValueMapTy>());
    ValueToValueMapTy &copies = *maps.back();
    SmallVector<BasicBlock *> cloned;
    Loop *copy = cloneLoopWithPreheader(next, before, &l, copies, ".part",
                                        &loops, &dt, cloned);
    copies[exit] = next;
    remapInstructionsInBlocks(cloned, copies);
    next = copy->getLoopPreheader();
    before->getTerminator()->setSuccessor(0, next);
    MDNode *id = l.getLoopID();
    SmallVector<Metadata *, 4> properties(id->operands());
    MDNode *own = MDNode::getDistinct(id->getContext(), properties);
    own->replaceOperandWith(0, own);
    copy->setLoopID(own);
    keepOnly(part, blocks, &copies);
  }
  keepOnly(parts, blocks, nullptr);
}

/// Replaces a switch with few cases by branches. LLVM makes such a switch of
/// `if (x == 0)` and `if (x == 31)`.
static void lowerSwitch(SwitchInst &choice) {
  BasicBlock *block = choice.getParent(), *from = block;
  auto moveEdge = [&](BasicBlock *to) {
    if (from != block)
      for (PHINode &phi : to->phis())
        phi.setIncomingBlock(phi.getBasicBlockIndex(block), from);
  };
  IRBuilder<> b(&choice);
  for (auto &c : choice.cases()) {
    BasicBlock *to = c.getCaseSuccessor();
    BasicBlock *next =
        BasicBlock::Create(b.getContext(), "case.next", block->getParent(), to);
    b.CreateCondBr(b.CreateICmpEQ(choice.getCondition(), c.getCaseValue()), to,
                   next);
    moveEdge(to);
    from = next;
    b.SetInsertPoint(next);
  }
  b.CreateBr(choice.getDefaultDest());
  moveEdge(choice.getDefaultDest());
  choice.eraseFromParent();
}

/// Lowers the switches of the thread loops of \p f. Whether there were any.
static bool lowerSwitches(Function &f, LoopInfo &loops) {
  SmallVector<SwitchInst *> found;
  for (BasicBlock &block : f)
    if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
      if (Loop *l = loops.getLoopFor(&block);
          l && l->isInnermost() && findOptionMDForLoop(l, ThreadLoopMark) &&
          choice->getNumCases() <= MostCases)
        found.push_back(choice);
  for (SwitchInst *choice : found)
    lowerSwitch(*choice);
  return !found.empty();
}

PreservedAnalyses SplitGuardedThreadsPass::run(Function &f,
                                               FunctionAnalysisManager &fam) {
  const bool lowered = lowerSwitches(f, fam.getResult<LoopAnalysis>(f));
  if (lowered)
    fam.invalidate(f, PreservedAnalyses::none());
  const bool split = changeEachLoop(f, fam, [&](Loop &l) {
    GuardedParts guarded(l, fam.getResult<DominatorTreeAnalysis>(f),
                         fam.getResult<LoopAnalysis>(f),
                         fam.getResult<ScalarEvolutionAnalysis>(f));
    if (!guarded.matches())
      return false;
    guarded.split();
    fam.invalidate(f, PreservedAnalyses::none());
    // Values that a part does not need prevent simpler control flow.
    for (BasicBlock &block : f)
      SimplifyInstructionsInBlock(&block);
    SimplifyCFGPass().run(f, fam);
    return true;
  });
  return lowered || split ? PreservedAnalyses::none()
                          : PreservedAnalyses::all();
}

} // namespace xcc::block
