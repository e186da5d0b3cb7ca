// Threads side by side in vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pass.h"
#include "Cost.h"
#include "Emit.h"
#include "block/Options.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

using namespace simd;

namespace {

enum class Choice { Off, ByCost, Always };

auto *givenChoice = makeOption<cl::opt<Choice>>(
    "xcc-simd", "Which thread loops with loops in them are vectorised",
    cl::init(Choice::ByCost),
    cl::values(clEnumValN(Choice::Off, "off", "none"),
               clEnumValN(Choice::ByCost, "cost", "where it is faster"),
               clEnumValN(Choice::Always, "always", "all that can be")));

Choice choice() { return givenChoice ? *givenChoice : Choice::ByCost; }

/// What is larger takes long to compile and has no loop that matters most.
constexpr unsigned MostBlocks = 300, MostInstructions = 3000;

/// Cycles to leave a loop: often predicted for one thread, never for a vector.
constexpr unsigned ThreadLeaves = 3, VectorLeaves = 12;

class ThreadLoop {
public:
  ThreadLoop(Loop &l, Function &f, FunctionAnalysisManager &fam)
      : l(l), loops(fam.getResult<LoopAnalysis>(f)),
        dt(fam.getResult<DominatorTreeAnalysis>(f)),
        se(fam.getResult<ScalarEvolutionAnalysis>(f)),
        target(fam.getResult<TargetIRAnalysis>(f)),
        remarks(fam.getResult<OptimizationRemarkEmitterAnalysis>(f)),
        shapes(l, loops, se), rows(l, shapes, se, dt) {}

  /// Whether it was vectorised.
  bool vectorize();

private:
  std::string reasonAgainst();
  bool hasRareAccess() const;
  bool hasSwappedAccess() const;
  std::string reasonAgainst(const Instruction &i) const;
  void missed(const Twine &why);
  void done(const Estimate &e, unsigned lanes);
  DenseMap<const Loop *, IterationCost> costsOf(const Estimate &e) const;
  bool canExpand(const SCEV *value, SCEVExpander &expander) const;
  Value *threadsToTake(const SCEV *trips, SCEVExpander &expander);

  Loop &l;
  LoopInfo &loops;
  DominatorTree &dt;
  ScalarEvolution &se;
  const TargetTransformInfo &target;
  OptimizationRemarkEmitter &remarks;
  Shapes shapes;
  Rows rows;
};

} // namespace

static bool isThreadLoop(const Loop &l) {
  return findOptionMDForLoop(&l, ThreadLoopMark);
}

/// Whether \p condition can hold for one lane only: an index is a given number.
static bool selectsOneLane(Value *condition, const Shapes &shapes) {
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return selectsOneLane(left, shapes);
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
      match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return selectsOneLane(left, shapes) || selectsOneLane(right, shapes);
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->isEquality())
    return false;
  Shape a = shapes.of(compare->getOperand(0)),
        b = shapes.of(compare->getOperand(1));
  return !a.isVarying() && !b.isVarying() && a.stride != b.stride;
}

/// Whether one of few threads, as at the border of a tile, accesses memory by
/// itself. LLVM would gather and scatter for all of them; here there is a jump
/// around it.
bool ThreadLoop::hasRareAccess() const {
  bool rare = false, apart = false;
  for (const Node &node : shapes.levelOf(l).nodes) {
    auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
    rare |= node.divergent && branch && branch->isConditional() &&
            selectsOneLane(branch->getCondition(), shapes);
    if (node.linear)
      for (const Instruction &i : *node.block)
        if (isa<LoadInst, StoreInst>(i)) {
          AccessKind kind = accessKindOf(i, shapes);
          apart |= kind == AccessKind::Apart ||
                   (kind == AccessKind::Uniform && isa<StoreInst>(i));
        }
  }
  return rare && apart;
}

/// Whether threads access what another thread's index with some bits flipped
/// selects, as in a sorting network. LLVM would gather that.
bool ThreadLoop::hasSwappedAccess() const {
  return any_of(l.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &i) {
      return isa<LoadInst, StoreInst>(i) &&
             accessKindOf(i, shapes) == AccessKind::Swapped;
    });
  });
}

/// Whether threads do not depend on each other through \p access.
static bool isParallel(const Instruction &access, const Loop &l) {
  if (access.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  MDNode *group = access.getMetadata(LLVMContext::MD_access_group);
  MDNode *marked = findOptionMDForLoop(&l, "llvm.loop.parallel_accesses");
  if (!group || !marked)
    return false;
  auto listed = [&](const Metadata *g) {
    return any_of(drop_begin(marked->operands()),
                  [&](const MDOperand &o) { return o.get() == g; });
  };
  return group->getNumOperands() == 0
             ? listed(group)
             : any_of(group->operands(),
                      [&](const MDOperand &o) { return listed(o.get()); });
}

/// Empty if there is none.
std::string ThreadLoop::reasonAgainst(const Instruction &i) const {
  if (isa<LoadInst, StoreInst>(i) && !isParallel(i, l))
    return "threads use memory of their own, or in order";
  if (isSupported(i, shapes))
    return "";
  if (i.isAtomic())
    return "it has atomic operations";
  if (auto *call = dyn_cast<CallBase>(&i)) {
    const Function *callee = call->getCalledFunction();
    return "it calls " +
           (callee ? "'" + callee->getName().str() + "', which does"
                   : "what does") +
           " more than compute";
  }
  if (i.isTerminator())
    return "its control flow is more than branches";
  return "it has values that no vector can hold";
}

std::string ThreadLoop::reasonAgainst() {
  if (!l.getLoopLatch() || l.getExitingBlock() != l.getLoopLatch() ||
      !l.getUniqueExitBlock() || !l.getLoopPreheader())
    return "threads leave it in several ways";
  unsigned size = 0;
  for (BasicBlock *block : l.blocks())
    size += block->size();
  if (l.getNumBlocks() > MostBlocks || size > MostInstructions)
    return "it is large";
  if (!l.getUniqueExitBlock()->phis().empty())
    return "a thread's value is used behind it";
  for (BasicBlock *block : l.blocks())
    if (!isa<BranchInst>(block->getTerminator()))
      return "its control flow is more than branches";
  for (Loop *inner : l.getLoopsInPreorder())
    if (!inner->isLoopSimplifyForm())
      return "its control flow is not structured";
  if (const char *why = shapes.analyse())
    return why;
  for (BasicBlock *block : l.blocks())
    for (Instruction &i : *block)
      if (std::string why = reasonAgainst(i); !why.empty())
        return why;
  if (isa<SCEVCouldNotCompute>(se.getBackedgeTakenCount(&l)))
    return "the number of its threads is not known before it";
  return "";
}

void ThreadLoop::missed(const Twine &why) {
  remarks.emit([&] {
    return OptimizationRemarkMissed("xcc-simd", "NotVectorised",
                                    l.getStartLoc(), l.getHeader())
           << "threads are not vectorised: " << why.str();
  });
}

void ThreadLoop::done(const Estimate &e, unsigned lanes) {
  remarks.emit([&] {
    OptimizationRemark r("xcc-simd", "Vectorised", l.getStartLoc(),
                         l.getHeader());
    r << "threads are vectorised (" << ore::NV("Lanes", lanes) << " lanes";
    auto add = [&](unsigned count, StringRef what) {
      if (count)
        r << ", " << ore::NV("Count", count) << " " << what;
    };
    add(e.masked, "masked");
    add(e.rows, "transposed");
    add(e.gathered, "gathered");
    add(e.scattered, "scattered");
    add(e.calledByLane, "called lane by lane");
    if (e.diverges)
      r << ", loops until the last lane leaves";
    return r << ")";
  });
}

/// Where lanes wait for others, if the estimate is what decides.
DenseMap<const Loop *, IterationCost>
ThreadLoop::costsOf(const Estimate &e) const {
  DenseMap<const Loop *, IterationCost> costs;
  if (choice() != Choice::ByCost)
    return costs;
  for (auto &[loop, both] : e.iterations)
    if (shapes.isDivergent(*loop))
      costs[loop] = {unsigned(both.first * 4), unsigned(both.second * 4),
                     ThreadLeaves * 4, VectorLeaves * 4};
  return costs;
}

bool ThreadLoop::canExpand(const SCEV *value, SCEVExpander &expander) const {
  return expander.isSafeToExpandAt(value,
                                   l.getLoopPreheader()->getTerminator());
}

/// How many threads there are for vectors: none if one's index would wrap.
Value *ThreadLoop::threadsToTake(const SCEV *trips, SCEVExpander &expander) {
  Instruction *place = l.getLoopPreheader()->getTerminator();
  Value *count = expander.expandCodeFor(trips, trips->getType(), place);
  for (const SCEVPredicate *p : shapes.assumptions()) {
    Value *wraps = expander.expandCodeForPredicate(p, place);
    IRBuilder<> b(place);
    count = b.CreateSelect(b.CreateFreeze(wraps),
                           ConstantInt::get(count->getType(), 0), count);
  }
  return count;
}

bool ThreadLoop::vectorize() {
  // What has no loops is for LLVM.
  std::string why = reasonAgainst();
  if (l.isInnermost() &&
      (!why.empty() || (!hasRareAccess() && !hasSwappedAccess())))
    return false;
  if (!why.empty()) {
    missed(why);
    return false;
  }
  rows.find();
  unsigned lanes = lanesOf(l, shapes, target);
  Estimate e = estimate(l, loops, shapes, rows, se, lanes, target);
  if (choice() != Choice::Always && !isWorthIt(e, lanes)) {
    if (e.walksOwnMemory)
      missed("each thread's loop walks through memory of its own");
    else if (e.followsPointers)
      missed("each thread follows addresses that it loads");
    else
      missed("one by one they are expected to be as fast (" + Twine(lanes) +
             " would cost " + Twine(unsigned(e.vector)) + ", one " +
             Twine(unsigned(e.scalar)) + ")");
    return false;
  }
  if (lanes < 2)
    return false;
  const SCEV *repeats = se.getBackedgeTakenCount(&l);
  Type *t = repeats->getType();
  if (t->getIntegerBitWidth() > 64)
    return false;
  SCEVExpander expander(se, "simd");
  const SCEV *trips = se.getTripCountFromExitCount(
      repeats, Type::getInt64Ty(t->getContext()), &l);
  if (!canExpand(repeats, expander) || !canExpand(trips, expander))
    return false;
  done(e, lanes);
  Value *count = threadsToTake(trips, expander);
  rows.expandTrips(expander);
  emitVectorLoop(l, count, lanes, shapes, rows, costsOf(e), target);
  // What is left are a few threads.
  for (Loop *rest : l.getLoopsInPreorder())
    addStringMetadataToLoop(rest, "llvm.loop.isvectorized", 1);
  addStringMetadataToLoop(&l, "llvm.loop.unroll.disable", 1);
  return true;
}

/// A loop of \p f, in the form that is needed, that was not tried before.
static Loop *nextLoop(Function &f, FunctionAnalysisManager &fam,
                      SmallPtrSetImpl<BasicBlock *> &tried) {
  LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
  for (Loop *l : loops.getLoopsInPreorder()) {
    if (!isThreadLoop(*l) || !tried.insert(l->getHeader()).second)
      continue;
    DominatorTree &dt = fam.getResult<DominatorTreeAnalysis>(f);
    ScalarEvolution &se = fam.getResult<ScalarEvolutionAnalysis>(f);
    simplifyLoop(l, &dt, &loops, &se, &fam.getResult<AssumptionAnalysis>(f),
                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*l, dt, &loops, &se);
    return l;
  }
  return nullptr;
}

PreservedAnalyses VectorizeThreadsPass::run(Function &f,
                                            FunctionAnalysisManager &fam) {
  if (choice() == Choice::Off)
    return PreservedAnalyses::all();
  SmallPtrSet<BasicBlock *, 8> tried;
  bool changed = false;
  while (Loop *l = nextLoop(f, fam, tried)) {
    changed = true;
    if (ThreadLoop(*l, f, fam).vectorize())
      fam.invalidate(f, PreservedAnalyses::none());
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
