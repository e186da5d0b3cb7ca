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
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ProfDataUtils.h"
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

/// The lanes of a vector of 512 bits.
constexpr unsigned MostLanes = 16;

/// Larger loops take long to compile, and seldom does one inner loop dominate.
constexpr unsigned MostBlocks = 300, MostInstructions = 3000;

/// With at most this many other instructions for a scatter, or for a load of
/// each lane's byte, vectors do not pay.
constexpr unsigned MostComputed = 6, MostComputedOfBytes = 3;

/// The largest stride, in elements, that LLVM accesses by whole vectors.
constexpr unsigned MostInterleaved = 8;

/// Cycles to leave a loop: often predicted for one thread, never for a vector.
constexpr unsigned ThreadLeaves = 3, VectorLeaves = 12;

class ThreadLoop {
public:
  /// \p original is the loop of which \p l is a copy without cold paths, or
  /// null.
  ThreadLoop(Loop &l, Function &f, FunctionAnalysisManager &fam,
             const Original *original = nullptr)
      : l(l), original(original), loops(fam.getResult<LoopAnalysis>(f)),
        dt(fam.getResult<DominatorTreeAnalysis>(f)),
        se(fam.getResult<ScalarEvolutionAnalysis>(f)),
        target(fam.getResult<TargetIRAnalysis>(f)),
        aliases(fam.getResult<AAManager>(f)),
        remarks(fam.getResult<OptimizationRemarkEmitterAnalysis>(f)) {}

  /// Whether the loop was vectorised. Sets \p again if it takes two vectors at
  /// once, because one vector may take the rest of the threads.
  bool vectorize(bool &again);

private:
  std::string analyse(unsigned lanes);
  std::string reasonAgainst();
  Estimate estimated(Width width);
  bool takesTwo(Width &width, Estimate &e);
  bool hasRareAccess() const;
  bool hasSwappedAccess() const;
  bool hasSmallStride(Instruction &access) const;
  bool isMemoryBound() const;
  std::string reasonAgainst(const Instruction &i) const;
  void missed(const Twine &why);
  void done(const Estimate &e, Width width);
  DenseMap<const Loop *, IterationCost> costsOf(const Estimate &e) const;
  bool canExpand(const SCEV *value, SCEVExpander &expander) const;
  Value *threadsToTake(const SCEV *trips, SCEVExpander &expander);

  Loop &l;
  const Original *original;
  LoopInfo &loops;
  DominatorTree &dt;
  ScalarEvolution &se;
  const TargetTransformInfo &target;
  AAResults &aliases;
  OptimizationRemarkEmitter &remarks;
  std::optional<Shapes> shapes;
  std::optional<Rows> rows;
  SmallVector<Overlap> overlaps; ///< if one overlaps at run time, no thread
                                 ///< runs in vectors
};

} // namespace

static bool isThreadLoop(const Loop &l) {
  return findOptionMDForLoop(&l, ThreadLoopMark) ||
         findOptionMDForLoop(&l, HotThreadLoopMark);
}

/// Whether \p condition can hold for one lane only: it compares an index with a
/// given number.
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

/// Whether the program expects one side of \p branch only.
static bool isOneSided(const BranchInst &branch) {
  uint64_t first, second;
  return extractBranchWeights(branch, first, second) &&
         std::max(first, second) > 100 * std::min(first, second);
}

/// Whether one of few threads, as at the border of a tile, accesses memory by
/// itself, or calls a function. LLVM would gather, scatter and call for all of
/// them; here there is a jump around it.
bool ThreadLoop::hasRareAccess() const {
  bool rare = false, apart = false, unlikely = false, calls = false;
  for (const Node &node : shapes->graphOf(l).nodes) {
    auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
    if (node.divergent && branch && branch->isConditional()) {
      rare |= selectsOneLane(branch->getCondition(), *shapes);
      unlikely |= isOneSided(*branch);
    }
    if (!node.linear)
      continue;
    for (const Instruction &i : *node.block)
      if (isa<LoadInst, StoreInst>(i)) {
        AccessKind kind = accessKindOf(i, *shapes);
        apart |= kind == AccessKind::Apart ||
                 (kind == AccessKind::Uniform && isa<StoreInst>(i));
      } else if (auto *call = dyn_cast<CallInst>(&i)) {
        calls |= !isa<IntrinsicInst>(call);
      }
  }
  return (rare && apart) || (unlikely && calls);
}

/// Whether threads access elements at another thread's index with some bits
/// flipped, as in a sorting network. LLVM would gather these.
bool ThreadLoop::hasSwappedAccess() const {
  return any_of(l.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &i) {
      return isa<LoadInst, StoreInst>(i) &&
             accessKindOf(i, *shapes) == AccessKind::Swapped;
    });
  });
}

/// Whether LLVM can access whole vectors, with the elements between, and
/// shuffle these. LLVM has a check before the loop for an index that may wrap.
bool ThreadLoop::hasSmallStride(Instruction &access) const {
  PredicatedScalarEvolution checked(se, l);
  const SCEVAddRecExpr *address =
      checked.getAsAddRec(getLoadStorePointerOperand(&access));
  if (!address || address->getLoop() != &l)
    return false;
  auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(se));
  return step && step->getAPInt().abs().ule(
                     MostInterleaved * access.getDataLayout().getTypeStoreSize(
                                           getLoadStoreType(&access)));
}

/// Whether \p i belongs to the computation of addresses or to control flow.
static bool isAddressOrControl(const Instruction &i) {
  return isa<PHINode, GetElementPtrInst, CastInst>(i) || i.isTerminator() ||
         isDropped(i);
}

/// Whether threads access distant addresses and compute little else. LLVM would
/// scatter, which takes longer than a store for each thread, or put vectors of
/// bytes or words together from a load for each thread.
bool ThreadLoop::isMemoryBound() const {
  unsigned scattered = 0, bytes = 0, others = 0;
  for (BasicBlock *block : l.blocks())
    for (Instruction &i : *block) {
      if (isa<LoadInst, StoreInst>(i)) {
        if (accessKindOf(i, *shapes) != AccessKind::Apart || hasSmallStride(i))
          continue;
        if (isa<StoreInst>(i))
          ++scattered;
        else if (i.getType()->getScalarSizeInBits() < 32)
          ++bytes;
      } else if (!isAddressOrControl(i) && shapes->of(&i).isVarying()) {
        ++others;
      }
    }
  return (scattered != 0 || bytes != 0) &&
         others <= scattered * MostComputed + bytes * MostComputedOfBytes;
}

bool isParallel(const Instruction &access, const Loop &l, bool hot) {
  if (access.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  MDNode *group = access.getMetadata(LLVMContext::MD_access_group);
  MDNode *marked = findOptionMDForLoop(&l, "llvm.loop.parallel_accesses");
  if (!marked && hot)
    marked = findOptionMDForLoop(&l, HotAccesses);
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

/// Why \p i prevents vectors; empty if it does not.
std::string ThreadLoop::reasonAgainst(const Instruction &i) const {
  if (isa<LoadInst, StoreInst>(i) && !isParallel(i, l, original))
    return "threads use memory of their own, or in order";
  if (isSupported(i, *shapes))
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
  if (const char *why = shapes->analyse())
    return why;
  for (BasicBlock *block : l.blocks())
    for (Instruction &i : *block)
      if (std::string why = reasonAgainst(i); !why.empty())
        return why;
  if (isa<SCEVCouldNotCompute>(se.getBackedgeTakenCount(&l)))
    return "the number of its threads is not known before it";
  if (original)
    if (const char *why =
            original->copy.reasonAgainst(l, *shapes, aliases, se, overlaps))
      return why;
  return "";
}

void ThreadLoop::missed(const Twine &why) {
  remarks.emit([&] {
    return OptimizationRemarkMissed("xcc-simd", "NotVectorised",
                                    l.getStartLoc(), l.getHeader())
           << "threads are not vectorised: " << why.str();
  });
}

void ThreadLoop::done(const Estimate &e, Width width) {
  remarks.emit([&] {
    OptimizationRemark r("xcc-simd", "Vectorised", l.getStartLoc(),
                         l.getHeader());
    r << "threads are vectorised (" << ore::NV("Lanes", width.lanes)
      << " lanes";
    if (width.vectors > 1)
      r << " in " << ore::NV("Vectors", width.vectors) << " vectors";
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
    if (original)
      r << ", one by one where a thread throws";
    return r << ")";
  });
}

/// The costs of loops in which lanes wait for others, if the estimate decides.
DenseMap<const Loop *, IterationCost>
ThreadLoop::costsOf(const Estimate &e) const {
  DenseMap<const Loop *, IterationCost> costs;
  if (choice() != Choice::ByCost)
    return costs;
  for (auto &[loop, both] : e.iterations)
    if (shapes->isDivergent(*loop))
      costs[loop] = {unsigned(both.first * 4), unsigned(both.second * 4),
                     ThreadLeaves * 4, VectorLeaves * 4};
  return costs;
}

bool ThreadLoop::canExpand(const SCEV *value, SCEVExpander &expander) const {
  return expander.isSafeToExpandAt(value,
                                   l.getLoopPreheader()->getTerminator());
}

/// The number of threads that vectors take: none if an index would wrap, or if
/// memory that a thread has written when it throws overlaps what it reads.
Value *ThreadLoop::threadsToTake(const SCEV *trips, SCEVExpander &expander) {
  Instruction *place = l.getLoopPreheader()->getTerminator();
  Value *count = expander.expandCodeFor(trips, trips->getType(), place);
  for (const SCEVPredicate *p : shapes->assumptions()) {
    Value *wraps = expander.expandCodeForPredicate(p, place);
    IRBuilder<> b(place);
    count = b.CreateSelect(b.CreateFreeze(wraps),
                           ConstantInt::get(count->getType(), 0), count);
  }
  for (const Overlap &o : overlaps) {
    Value *overlap = expand(o, expander, place);
    count = IRBuilder<>(place).CreateSelect(
        overlap, ConstantInt::get(count->getType(), 0), count);
  }
  return count;
}

/// Analyses the loop for vectors of \p lanes threads. \returns why it cannot be
/// vectorised, or an empty text.
std::string ThreadLoop::analyse(unsigned lanes) {
  shapes.emplace(l, loops, se, lanes);
  rows.emplace(l, *shapes, se, dt);
  overlaps.clear();
  std::string why = reasonAgainst();
  if (why.empty())
    rows->find();
  return why;
}

Estimate ThreadLoop::estimated(Width width) {
  return estimate(l, loops, *shapes, *rows, se, width.lanes, target);
}

/// Whether rows of a block may have no more threads than one vector.
static bool isShort(const Loop &l) {
  std::optional<int> count =
      getOptionalIntLoopAttribute(&l, "llvm.loop.interleave.count");
  return count == 1;
}

/// Takes two vectors at once if that is worth it.
bool ThreadLoop::takesTwo(Width &width, Estimate &e) {
  if (choice() != Choice::ByCost || !e.waits || isShort(l))
    return false;
  Width both = {width.lanes * 2, 2};
  if (analyse(both.lanes).empty()) {
    Estimate two = estimated(both);
    if (isWorthTwo(e, two, target)) {
      width = both;
      e = two;
      return true;
    }
  }
  analyse(width.lanes);
  return false;
}

bool ThreadLoop::vectorize(bool &again) {
  // Loops without inner loops are LLVM's, but for a few kinds of access.
  std::string why = analyse(MostLanes);
  Width width = why.empty() ? widthOf(l, *shapes, target) : Width();
  if (why.empty() && width.lanes != MostLanes)
    why = analyse(width.lanes);
  if (l.isInnermost() && !original &&
      (!why.empty() || (!hasRareAccess() && !hasSwappedAccess()))) {
    if (why.empty() && isMemoryBound()) {
      addStringMetadataToLoop(&l, "llvm.loop.vectorize.width", 1);
      // More copies need a register for each address, and such loops are short.
      addStringMetadataToLoop(&l, "llvm.loop.unroll.count", 2);
    }
    return false;
  }
  if (!why.empty()) {
    missed(why);
    return false;
  }
  Estimate e = estimated(width);
  if (choice() != Choice::Always && !isWorthIt(e, width.lanes)) {
    if (e.walksOwnMemory)
      missed("each thread's loop walks through memory of its own");
    else if (e.followsPointers)
      missed("each thread follows addresses that it loads");
    else
      missed("one by one they are expected to be as fast (" +
             Twine(width.lanes) + " would cost " + Twine(unsigned(e.vector)) +
             ", one " + Twine(unsigned(e.scalar)) + ")");
    return false;
  }
  if (width.lanes < 2)
    return false;
  again = !original && !again && takesTwo(width, e);
  const SCEV *repeats = se.getBackedgeTakenCount(&l);
  Type *t = repeats->getType();
  if (t->getIntegerBitWidth() > 64)
    return false;
  SCEVExpander expander(se, "simd");
  const SCEV *trips = se.getTripCountFromExitCount(
      repeats, Type::getInt64Ty(t->getContext()), &l);
  auto expands = [&](const SCEV *value) { return canExpand(value, expander); };
  if (!expands(repeats) || !expands(trips) ||
      !all_of(overlaps, [&](const Overlap &o) {
        return expands(o.one.begin) && expands(o.one.end) &&
               expands(o.other.begin) && expands(o.other.end);
      }))
    return false;
  done(e, width);
  Value *count = threadsToTake(trips, expander);
  rows->expandTrips(expander);
  emitVectorLoop(l, count, width, *shapes, *rows, costsOf(e), target, original);
  Loop &left = original ? original->loop : l;
  addStringMetadataToLoop(&left, "llvm.loop.unroll.disable", 1);
  if (again)
    return true;
  // Only a few threads are left.
  for (Loop *rest : left.getLoopsInPreorder())
    addStringMetadataToLoop(rest, "llvm.loop.isvectorized", 1);
  return true;
}

/// The attempts left for each loop, by its header.
using Tries = DenseMap<BasicBlock *, unsigned>;

/// Brings \p l into loop-simplify and LCSSA form.
static void prepare(Loop *l, Function &f, FunctionAnalysisManager &fam) {
  LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
  DominatorTree &dt = fam.getResult<DominatorTreeAnalysis>(f);
  ScalarEvolution &se = fam.getResult<ScalarEvolutionAnalysis>(f);
  simplifyLoop(l, &dt, &loops, &se, &fam.getResult<AssumptionAnalysis>(f),
               /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(*l, dt, &loops, &se);
}

/// A thread loop of \p f with attempts left, or null.
static Loop *nextLoop(Function &f, FunctionAnalysisManager &fam, Tries &left) {
  for (Loop *l : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!isThreadLoop(*l) || !left.try_emplace(l->getHeader(), 2).first->second)
      continue;
    prepare(l, f, fam);
    return l;
  }
  return nullptr;
}

/// Vectorises the copy of a loop without cold paths, or removes the copy.
static void vectorizeHot(HotCopy &copy, Function &f,
                         FunctionAnalysisManager &fam) {
  auto loopOf = [&](BasicBlock *header) {
    return fam.getResult<LoopAnalysis>(f).getLoopFor(header);
  };
  fam.invalidate(f, PreservedAnalyses::none());
  prepare(loopOf(copy.header()), f, fam);
  prepare(loopOf(copy.originalHeader()), f, fam);
  const Original original = {*loopOf(copy.originalHeader()), copy};
  bool again = false;
  if (ThreadLoop(*loopOf(copy.header()), f, fam, &original).vectorize(again))
    copy.takeCopy();
  else
    copy.dropCopy();
  fam.invalidate(f, PreservedAnalyses::none());
}

PreservedAnalyses VectorizeThreadsPass::run(Function &f,
                                            FunctionAnalysisManager &fam) {
  if (choice() == Choice::Off)
    return PreservedAnalyses::all();
  Tries left;
  bool changed = false;
  while (Loop *l = nextLoop(f, fam, left)) {
    changed = true;
    unsigned &tries = left[l->getHeader()];
    if (std::unique_ptr<HotCopy> copy = HotCopy::create(*l)) {
      tries = 0;
      vectorizeHot(*copy, f, fam);
      continue;
    }
    if (!findOptionMDForLoop(l, ThreadLoopMark)) {
      tries = 0;
      continue;
    }
    bool again = tries == 1;
    if (ThreadLoop(*l, f, fam).vectorize(again))
      fam.invalidate(f, PreservedAnalyses::none());
    tries = again && tries == 2 ? 1 : 0;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
