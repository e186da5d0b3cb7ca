// The steps from kernels to block functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"
#include "Diagnose.h"
#include "Intrinsics.h"
#include "Names.h"
#include "block/Options.h"
#include "block/abi/Abi.h"
#include "block/abi/LowerQueries.h"
#include "block/abi/SharedLayout.h"
#include "block/fibers/FiberKernel.h"
#include "block/fibers/FunctionNeeds.h"
#include "block/fibers/Positions.h"
#include "block/loops/LoopKernel.h"
#include "block/loops/Teams.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"
#include "block/regions/SharedGuards.h"
#include "block/regions/Uniformity.h"
#include "block/rewrites/AtomicLoops.h"
#include "block/rewrites/GlobalIndices.h"
#include "block/rewrites/Interchange.h"
#include "block/rewrites/LaunchIndices.h"
#include "block/rewrites/RangeChecks.h"
#include "block/rewrites/SamePhis.h"
#include "block/rewrites/SharedAtomics.h"
#include "block/rewrites/SignExtensions.h"
#include "block/rewrites/StridedLoops.h"
#include "block/rewrites/ThreadLocals.h"
#include "block/rewrites/ThrowingThreads.h"
#include "block/warps/WarpCode.h"

#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

static auto *forceFibers = makeOption<cl::opt<bool>>(
    "xcc-block-force-fibers", "Run every kernel's threads as fibers");
static auto *explainFibers = makeOption<cl::opt<bool>>(
    "xcc-block-explain", "Say why a kernel's threads are fibers");
static auto *extraKernels = makeOption<cl::list<std::string>>(
    "xcc-block-kernel", "Treat this function as a kernel (for tests)");

static bool isSet(const cl::opt<bool> *option) { return option && *option; }

static void markExtraKernels(Module &m) {
  if (!extraKernels)
    return;
  for (const std::string &name : *extraKernels)
    if (Function *f = m.getFunction(name);
        f && !f->hasFnAttribute(attribute::CPUKernel))
      f->addFnAttr(attribute::CPUKernel, "0");
}

static SmallVector<Function *, 8> kernelsOf(Module &m) {
  SmallVector<Function *, 8> kernels;
  for (Function &f : m) {
    if (f.isDeclaration() || !f.hasFnAttribute(attribute::CPUKernel))
      continue;
    if (!f.getReturnType()->isVoidTy() || f.arg_size() != 1 ||
        !f.getArg(0)->getType()->isPointerTy() || f.isVarArg()) {
      reportError(f, "an entry must be a function void (ptr kernarg)");
      continue;
    }
    kernels.push_back(&f);
  }
  return kernels;
}

/// If device code calls a kernel or takes its address, the kernel is an
/// ordinary function there: such users get a copy.
static void separateFromCallers(Function &kernel) {
  bool called = any_of(kernel.uses(), [](const Use &u) {
    return isa<Instruction>(u.getUser());
  });
  if (!called)
    return;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&kernel, map);
  copy->setName(kernel.getName() + ".called");
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->removeFnAttr(attribute::CPUKernel);
  kernel.replaceUsesWithIf(
      copy, [](const Use &u) { return isa<Instruction>(u.getUser()); });
}

/// Inlines into \p kernel every function that queries its thread, unless the
/// call is indirect or recursive.
static void inlineStateful(Function &kernel, const FunctionNeeds &r) {
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<CallBase *, 8> calls;
    for (Instruction &i : instructions(kernel)) {
      auto *call = dyn_cast<CallBase>(&i);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration() &&
          r.direct(*callee) != NeedsNothing && !r.isRecursive(*callee) &&
          isInlineViable(*callee).isSuccess()) // fails for va_start
        calls.push_back(call);
    }
    for (CallBase *call : calls) {
      InlineFunctionInfo info;
      changed |= InlineFunction(*call, info).isSuccess();
    }
  }
}

static void removeDeadFunctions(Module &m) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &f : make_early_inc_range(m)) {
      f.removeDeadConstantUsers();
      if (f.hasLocalLinkage() && !f.isDeclaration() && f.use_empty()) {
        f.eraseFromParent();
        changed = true;
      }
    }
  }
}

static uint64_t numberAttr(const Function &f, StringRef name) {
  uint64_t n = 0;
  f.getFnAttribute(name).getValueAsString().getAsInteger(10, n);
  return n;
}

/// How to build a loop kernel. Attempts that optimise more come first.
struct LoopStrategy {
  bool takesRange;   ///< omits threads that leave at the start
  bool interchanges; ///< also cuts loops that all threads take alike
};

/// A kernel cut into regions, ready to become thread loops.
struct LoopPlan {
  std::unique_ptr<Uniformity> uniform;
  std::unique_ptr<ThreadRange> range;
  RegionPlan regions;
  LiveAcross live;
  std::optional<TeamForm> teams; ///< set if it works in teams
  bool stridesByGrid = false;    ///< has loops by the size of the grid
};

/// Properties of a kernel's code that decide how it is lowered.
struct KernelTraits {
  bool waits = false;    ///< at a barrier
  bool usesMask = false; ///< uses the lane mask that a barrier returns
};

/// None if the threads of \p kernel have to be fibers; \p whyNot says why.
static std::optional<KernelTraits>
traitsOf(Function &kernel, const FunctionNeeds &r, std::string &whyNot) {
  KernelTraits traits;
  if (isSet(forceFibers))
    whyNot = "asked for";
  // A loop runs all threads on one machine thread, so ThreadSanitizer would see
  // no race between them.
  if (kernel.hasFnAttribute(Attribute::SanitizeThread))
    whyNot = "ThreadSanitizer";
  for (Instruction &i : instructions(kernel)) {
    if (isa<IndirectBrInst, CallBrInst>(i))
      whyNot = "indirect branches";
    auto *call = dyn_cast<CallBase>(&i);
    if (!call)
      continue;
    if (intrinsicCalledBy(i).kind == IntrinsicKind::ThreadLocal)
      whyNot = "a thread_local variable that images share";
    if (intrinsicCalledBy(i).kind == IntrinsicKind::Yield)
      whyNot = "a wait for what another thread does";
    traits.waits |= intrinsicCalledBy(i).isBarrier();
    traits.usesMask |= intrinsicCalledBy(i).isBarrier() && !i.use_empty();
    if (r.of(*call) & NeedsBarrier)
      whyNot = "a barrier in a function that is called recursively or "
               "indirectly";
  }
  // Loop kernels keep variables across barriers in scratch memory without
  // redzones.
  if (traits.waits && kernel.hasFnAttribute(Attribute::SanitizeAddress))
    whyNot = "AddressSanitizer";
  // All threads of a loop share the errno of one machine thread.
  if (traits.waits && kernel.hasFnAttribute(attribute::ReadsErrno))
    whyNot = "errno";
  if (!whyNot.empty())
    return std::nullopt;
  return traits;
}

/// Cuts \p kernel, a copy for this attempt, into regions. None if that is
/// impossible, or if the next attempt would give the same plan.
static std::optional<LoopPlan> planLoops(Function &kernel,
                                         const KernelTraits &traits,
                                         LoopStrategy how,
                                         std::string &whyNot) {
  whyNot.clear();
  LoopPlan plan;
  joinSamePhis(kernel);
  if (traits.waits || how.interchanges) {
    promoteLocals(kernel);
    removePositions(kernel);
    if (!canKeepLiveAcross(kernel, whyNot))
      return std::nullopt;
    splitAtBarriers(kernel);
  } else {
    removePositions(kernel);
  }
  hoistPrologue(kernel);
  if (!traits.waits)
    plan.teams = teamFormOf(kernel);
  SmallVector<BasicBlock *, 2> repeats;
  if (how.interchanges)
    repeats = alignStridedLoops(kernel);
  plan.stridesByGrid = !repeats.empty();
  // The lane mask (removeBarriers) assumes that no thread has left.
  if (how.takesRange && !traits.usesMask)
    plan.range = ThreadRange::takeFrom(kernel);
  plan.uniform = std::make_unique<Uniformity>(kernel);
  if (how.interchanges && divideInductions(kernel, *plan.uniform))
    plan.uniform = std::make_unique<Uniformity>(kernel);
  if (how.interchanges && unrollInterchanged(kernel, *plan.uniform, repeats))
    plan.uniform = std::make_unique<Uniformity>(kernel);
  SmallVector<BasicBlock *, 4> decided(repeats.begin(), repeats.end());
  if (how.interchanges)
    for (BasicBlock *latch : findInterchangeable(kernel, *plan.uniform))
      if (!is_contained(decided, latch))
        decided.push_back(latch);
  bool hasRegions = traits.waits || !decided.empty();
  if (!hasRegions && (how.takesRange || how.interchanges))
    return std::nullopt;
  std::optional<RegionPlan> regions =
      planRegions(kernel, *plan.uniform, decided, repeats, whyNot);
  if (!regions)
    return std::nullopt;
  plan.regions = std::move(*regions);
  if (hasRegions) {
    removeBarriers(kernel, *plan.uniform);
    plan.live = keepLiveAcross(kernel, plan.regions, *plan.uniform);
  }
  makeSharedAtomicsPlain(kernel, *plan.uniform);
  return plan;
}

/// Builds a loop kernel from a copy of \p kernel with the first attempt that
/// works. \p gain receives how good the result is; larger is better.
static std::optional<LoopKernel>
buildLoops(Function &kernel, const KernelTraits &traits,
           ArrayRef<LoopStrategy> attempts, const SharedLayout &layout,
           LoopKernelOptions options, std::string &whyNot,
           std::pair<unsigned, unsigned> *gain = nullptr) {
  const bool mayTeam = !kernel.hasOptNone() && !options.updatesThreadRecord &&
                       !kernel.hasFnAttribute(Attribute::SanitizeAddress);
  for (const LoopStrategy &how : attempts) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&kernel, map);
    std::optional<LoopKernel> loop;
    if (auto plan = planLoops(*copy, traits, how, whyNot)) {
      options.range = plan->range.get();
      options.teams = mayTeam ? plan->teams : std::nullopt;
      loop = buildLoopKernel(*copy, plan->regions, plan->live, *plan->uniform,
                             layout, options);
      loop->stridesByGrid = options.teams && plan->stridesByGrid;
      if (gain)
        *gain = {attempts.end() - &how, loop->rangeTests};
    }
    copy->eraseFromParent();
    if (loop)
      return loop;
  }
  return std::nullopt;
}

/// Like buildLoops. If loops get better when indices cannot overflow, builds a
/// second kernel for launches where they cannot (rewrites/LaunchIndices.h).
static std::optional<LoopKernel>
lowerWithIndices(Function &kernel, const KernelTraits &traits,
                 ArrayRef<LoopStrategy> attempts, const SharedLayout &layout,
                 const LoopKernelOptions &options, std::string &whyNot) {
  std::pair<unsigned, unsigned> gain, gainFitting;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&kernel, map);
  LaunchIndices indices(*copy);
  std::optional<LoopKernel> fitting;
  if (indices.hasTest()) {
    LoopKernelOptions named = options;
    named.name = (kernel.getName() + ".fitting").str();
    std::string ignored;
    fitting = buildLoops(*copy, traits, attempts, layout, named, ignored,
                         &gainFitting);
  }
  copy->eraseFromParent();

  auto loop =
      buildLoops(kernel, traits, attempts, layout, options, whyNot, &gain);
  if (!fitting || !loop || gainFitting <= gain) {
    if (fitting) {
      fitting->entry->eraseFromParent();
      if (fitting->team)
        fitting->team->eraseFromParent();
    }
    if (indices.hasTest())
      indices.erase();
    return loop;
  }
  loop->entry->setName(kernel.getName() + ".otherwise");
  fitting->entry =
      indices.choose(*fitting->entry, *loop->entry, layout, options.name);
  fitting->privateSegmentSize =
      std::max(fitting->privateSegmentSize, loop->privateSegmentSize);
  return fitting;
}

/// The same where threads part before barriers of their warp.
static std::optional<LoopKernel>
lowerWithSharedGuards(Function &kernel, const KernelTraits &traits,
                      ArrayRef<LoopStrategy> attempts,
                      const SharedLayout &layout,
                      const LoopKernelOptions &options) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&kernel, map);
  std::optional<LoopKernel> loop;
  std::string ignored;
  promoteLocals(*copy);
  removePositions(*copy);
  if (shareGuards(*copy))
    loop = lowerWithIndices(*copy, traits, attempts, layout, options, ignored);
  copy->eraseFromParent();
  return loop;
}

/// Makes \p kernel a loop kernel if it can be one; else \p whyNot says why.
static std::optional<LoopKernel> lowerToLoops(Function &kernel,
                                              const FunctionNeeds &r,
                                              const SharedLayout &layout,
                                              std::string &whyNot) {
  std::optional<KernelTraits> traits = traitsOf(kernel, r, whyNot);
  if (!traits)
    return std::nullopt;
  LoopKernelOptions options;
  // Queries in the kernel itself are lowered in place. Functions that it calls
  // query the runtime, which reads the thread record.
  for (Instruction &i : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&i))
      options.updatesThreadRecord |= r.of(*call) != NeedsNothing;

  const LoopStrategy simple[] = {{true, false}, {false, false}};
  const LoopStrategy all[] = {
      {true, true}, {false, true}, {true, false}, {false, false}};
  ArrayRef<LoopStrategy> attempts = all;
  if (kernel.hasOptNone() || kernel.hasFnAttribute(Attribute::SanitizeAddress))
    attempts = simple;

  options.name = (kernel.getName() + ".block").str();
  if (attempts.size() == std::size(simple))
    return buildLoops(kernel, *traits, attempts, layout, options, whyNot);
  auto loop =
      lowerWithIndices(kernel, *traits, attempts, layout, options, whyNot);
  if (!loop && traits->waits)
    loop = lowerWithSharedGuards(kernel, *traits, attempts, layout, options);
  return loop;
}

/// The form of a kernel for blocks of whole warps.
struct WarpKernel {
  LoopKernel loop;
  Function *test = nullptr; ///< which launches it may run; null: all
};

/// Builds it from a copy of \p kernel; see makeWarpCode. With \p tests, for
/// launches whose indices a test finds to be as warps like them.
static std::optional<WarpKernel> buildWarps(Function &kernel,
                                            const SharedLayout &layout,
                                            bool tests, bool lanesLeave) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&kernel, map);
  std::optional<LoopKernel> loop;
  std::optional<LaunchIndices> indices;
  std::string whyNot;
  promoteLocals(*copy);
  removePositions(*copy);
  if (tests)
    indices.emplace(*copy, Scope::Warp);
  if ((!tests || indices->hasTest()) && canKeepLiveAcross(*copy, whyNot) &&
      makeWarpCode(*copy, lanesLeave)) {
    LoopKernelOptions options;
    options.name = (kernel.getName() + ".warps").str();
    options.isOfWarps = true;
    KernelTraits traits;
    for (Instruction &i : instructions(*copy))
      traits.waits |= intrinsicCalledBy(i).isBarrier();
    const LoopStrategy attempts[] = {{true, false}, {false, false}};
    loop = buildLoops(*copy, traits, attempts, layout, options, whyNot);
  }
  copy->eraseFromParent();
  if (loop)
    return WarpKernel{
        *loop, tests ? indices->takeTest(layout, kernel.getName() + ".fits")
                     : nullptr};
  if (tests && indices->hasTest())
    indices->erase();
  return std::nullopt;
}

/// Makes another loop kernel of a kernel that works in warps (warps/Lanes.h).
static std::optional<WarpKernel> lowerToWarps(Function &kernel,
                                              const FunctionNeeds &r,
                                              const SharedLayout &layout) {
  auto isWarpBarrier = [](const Instruction &i) {
    return intrinsicCalledBy(i).kind == IntrinsicKind::WarpBarrier;
  };
  std::string whyNot;
  if (isSet(forceFibers) || kernel.hasOptNone() ||
      kernel.hasFnAttribute(Attribute::SanitizeAddress) ||
      none_of(instructions(kernel), isWarpBarrier) ||
      !traitsOf(kernel, r, whyNot) || threadRecordOf(kernel))
    return std::nullopt;
  for (Instruction &i : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&i);
        call && r.of(*call) != NeedsNothing)
      return std::nullopt;
  for (bool tests : {false, true})
    for (bool lanesLeave : {false, true})
      if (auto made = buildWarps(kernel, layout, tests, lanesLeave))
        return made;
  return std::nullopt;
}

static void lowerKernel(Function &kernel, const FunctionNeeds &r,
                        SharedLayout layout) {
  Module &m = *kernel.getParent();
  removeUnreachableBlocks(kernel);
  KernelObject object;
  object.kernargSize = numberAttr(kernel, attribute::KernargSize);
  object.maxThreads = numberAttr(kernel, attribute::MaxThreads);
  object.fingerprint = numberAttr(kernel, attribute::CPUKernel);
  layout.addVariablesOf(kernel);
  object.groupSegmentSize = layout.size();
  if (layout.size() > XCC_CPU_MAX_SHARED)
    reportError(kernel, "its block-shared variables take " +
                            Twine(layout.size()) + " bytes; a block has " +
                            Twine(XCC_CPU_MAX_SHARED));

  if (!kernel.hasOptNone()) {
    raiseAtomicLoops(kernel);
    restoreSignExtensions(kernel);
    divideRangeChecks(kernel);
  }
  // Before copies are made.
  markArguments(kernel, object.kernargSize);
  markGlobalIndices(kernel);
  noteThrowingThreads(kernel);
  std::optional<WarpKernel> warps = lowerToWarps(kernel, r, layout);
  KernelObject ofWarps = object;
  if (warps)
    ofWarps.privateSegmentSize = warps->loop.privateSegmentSize;

  Function *entry;
  std::string whyNot;
  if (auto loop = lowerToLoops(kernel, r, layout, whyNot)) {
    entry = loop->entry;
    layout.poisonRedzones(*entry, nullptr);
    object.privateSegmentSize = loop->privateSegmentSize;
    if (loop->stridesByGrid)
      object.flags |= XCC_CPU_KERNEL_STRIDES;
  } else {
    if (isSet(explainFibers))
      errs() << "kernel '" << kernel.getName() << "' needs fibers: " << whyNot
             << "\n";
    StringRef where = !warps ? ": "
                      : warps->test
                          ? " where block_dim().x is no multiple of 32, or its "
                            "index wraps or "
                            "begins where no warp does: "
                          : " where block_dim().x is no multiple of 32: ";
    remarkMissed(kernel, "each thread of this kernel runs as a fiber" +
                             Twine(where) + whyNot);
    entry = buildFiberKernel(kernel, layout);
    layout.poisonRedzones(*entry, entry->getArg(1));
    object.flags |= XCC_CPU_KERNEL_FIBERS;
  }

  GlobalVariable *g =
      createKernelObject(m, entry, object, warps ? warps->loop.entry : nullptr,
                         ofWarps, warps ? warps->test : nullptr);
  kernel.replaceAllUsesWith(g);
  g->takeName(&kernel);
  kernel.eraseFromParent();
}

PreservedAnalyses BlockFunctionPass::run(Module &m, ModuleAnalysisManager &) {
  markExtraKernels(m);
  setIntrinsicAttributes(m);
  SmallVector<Function *, 8> kernels = kernelsOf(m);
  imageHeader(m);

  {
    FunctionNeeds r(m);
    for (Function *kernel : kernels) {
      separateFromCallers(*kernel);
      inlineStateful(*kernel, r);
    }
  }
  removeDeadFunctions(m);
  // GlobalsAA is preserved unless a pass abandons it. It has to go, because
  // queries were pure until now.
  PreservedAnalyses none = PreservedAnalyses::none();
  none.abandon<GlobalsAA>();
  if (!SharedLayout::prepare(m))
    return none;

  // Kernels share the functions that were not inlined, so the variables of
  // these functions come first and have one offset in all kernels.
  FunctionNeeds r(m);
  SharedLayout common;
  SmallVector<Function *, 8> outlined;
  for (Function &f : m)
    if (!f.isDeclaration() && !f.hasFnAttribute(attribute::CPUKernel) &&
        r.all(f)) {
      outlined.push_back(&f);
      dropPurity(f);
      common.addVariablesOf(f);
    }

  for (Function *kernel : kernels)
    lowerKernel(*kernel, r, common);
  for (Function *f : outlined)
    lowerOutlinedFunction(*f, common, (r.own(*f) & NeedsThread) != 0);
  SharedLayout::removeVariables(m);
  defineTrap(m);
  defineThreadLocals(m);
  defineYields(m);
  for (Function &f : make_early_inc_range(m))
    if (intrinsicOf(f) && f.use_empty())
      f.eraseFromParent();
  return none;
}

} // namespace xcc::block
