// The steps from kernels to block functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Abi.h"
#include "BlockFunction.h"
#include "Diagnose.h"
#include "FiberKernel.h"
#include "GlobalIndices.h"
#include "Interchange.h"
#include "Intrinsics.h"
#include "LiveAcross.h"
#include "LoopKernel.h"
#include "LowerQueries.h"
#include "Names.h"
#include "Positions.h"
#include "Reach.h"
#include "Regions.h"
#include "SharedAtomics.h"
#include "SharedLayout.h"
#include "StridedLoops.h"
#include "Uniformity.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

static cl::opt<bool>
    ForceFibers("xcc-block-force-fibers", cl::Hidden,
                cl::desc("Run every kernel's threads as fibers"));
static cl::opt<bool>
    ExplainFibers("xcc-block-explain", cl::Hidden,
                  cl::desc("Say why a kernel's threads are fibers"));
static cl::list<std::string>
    ExtraKernels("xcc-block-kernel", cl::Hidden,
                 cl::desc("Treat this function as a kernel (for tests)"));

static void markExtraKernels(Module &M) {
  for (const std::string &Name : ExtraKernels)
    if (Function *F = M.getFunction(Name);
        F && !F->hasFnAttribute(attribute::CPUKernel))
      F->addFnAttr(attribute::CPUKernel, "0");
}

static SmallVector<Function *, 8> kernelsOf(Module &M) {
  SmallVector<Function *, 8> Kernels;
  for (Function &F : M) {
    if (F.isDeclaration() || !F.hasFnAttribute(attribute::CPUKernel))
      continue;
    if (!F.getReturnType()->isVoidTy() || F.arg_size() != 1 ||
        !F.getArg(0)->getType()->isPointerTy() || F.isVarArg()) {
      reportError(F, "an entry must be a function void (ptr kernarg)");
      continue;
    }
    Kernels.push_back(&F);
  }
  return Kernels;
}

/// A kernel that device code calls, or whose address it takes, is an ordinary
/// function there: its users get a copy.
static void separateFromCallers(Function &Kernel) {
  bool Called = any_of(Kernel.uses(), [](const Use &U) {
    return isa<Instruction>(U.getUser());
  });
  if (!Called)
    return;
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&Kernel, Map);
  Copy->setName(Kernel.getName() + ".called");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->removeFnAttr(attribute::CPUKernel);
  Kernel.replaceUsesWithIf(
      Copy, [](const Use &U) { return isa<Instruction>(U.getUser()); });
}

/// Inlines into \p Kernel every function that has to know its thread, as far
/// as their calls are by name and not recursive.
static void inlineStateful(Function &Kernel, const Reach &R) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(Kernel)) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && !Callee->isDeclaration() &&
          R.direct(*Callee) != NeedsNothing && !R.isRecursive(*Callee))
        Calls.push_back(Call);
    }
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      Changed |= InlineFunction(*Call, Info).isSuccess();
    }
  }
}

/// Removes functions that lost their last caller.
static void removeDeadFunctions(Module &M) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : make_early_inc_range(M)) {
      F.removeDeadConstantUsers();
      if (F.hasLocalLinkage() && !F.isDeclaration() && F.use_empty()) {
        F.eraseFromParent();
        Changed = true;
      }
    }
  }
}

static uint64_t numberAttr(const Function &F, StringRef Name) {
  uint64_t N = 0;
  F.getFnAttribute(Name).getValueAsString().getAsInteger(10, N);
  return N;
}

/// Promotes what is left of local variables, so that the analysis of what is
/// uniform sees through them without the optimizer's help too.
static void promoteLocals(Function &F) {
  SmallVector<AllocaInst *, 16> Allocas;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I);
        A && A->isStaticAlloca() && isAllocaPromotable(A))
      Allocas.push_back(A);
  DominatorTree DT(F);
  PromoteMemToReg(Allocas, DT);
}

/// A way to make a loop kernel; those that do more come first.
struct Attempt {
  bool TakesRange;   ///< threads that leave at the start are left out of loops
  bool Interchanges; ///< loops that all threads take alike are cut too
};

/// A kernel cut into regions, ready to be run in loops.
struct LoopPlan {
  std::unique_ptr<Uniformity> Uniform;
  std::unique_ptr<ThreadRange> Range;
  RegionPlan Regions;
  LiveAcross Live;
};

/// What the shape of a kernel's code allows.
struct KernelTraits {
  bool Waits = false;    ///< at a barrier
  bool UsesMask = false; ///< asks which lanes waited
};

/// None when the threads of \p Kernel have to be fibers; \p WhyNot says why.
static std::optional<KernelTraits> traitsOf(Function &Kernel, const Reach &R,
                                            std::string &WhyNot) {
  KernelTraits Traits;
  if (ForceFibers)
    WhyNot = "asked for";
  for (Instruction &I : instructions(Kernel)) {
    if (isa<IndirectBrInst, CallBrInst>(I))
      WhyNot = "indirect branches";
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    Traits.Waits |= intrinsicCalledBy(I).isBarrier();
    Traits.UsesMask |= intrinsicCalledBy(I).isBarrier() && !I.use_empty();
    if (R.of(*Call) & NeedsBarrier)
      WhyNot = "a barrier in a function that is called recursively or "
               "indirectly";
  }
  if (!WhyNot.empty())
    return std::nullopt;
  return Traits;
}

/// Cuts \p Kernel, a copy for this attempt, into regions. None when that cannot
/// be done, or when the attempt is no different from the next.
static std::optional<LoopPlan> planLoops(Function &Kernel,
                                         const KernelTraits &Traits,
                                         Attempt How, std::string &WhyNot) {
  WhyNot.clear();
  LoopPlan Plan;
  if (Traits.Waits || How.Interchanges) {
    promoteLocals(Kernel);
    removePositions(Kernel);
    if (!canKeepLiveAcross(Kernel, WhyNot))
      return std::nullopt;
    splitAtBarriers(Kernel);
  } else {
    removePositions(Kernel);
  }
  hoistPrologue(Kernel, numberAttr(Kernel, attribute::KernargSize));
  SmallVector<BasicBlock *, 2> Repeats;
  if (How.Interchanges)
    Repeats = alignStridedLoops(Kernel);
  // The mask of a warp that some threads have left is not known here.
  if (How.TakesRange && !Traits.UsesMask)
    Plan.Range = ThreadRange::takeFrom(Kernel);
  Plan.Uniform = std::make_unique<Uniformity>(Kernel);
  SmallVector<BasicBlock *, 4> Decided(Repeats.begin(), Repeats.end());
  if (How.Interchanges)
    for (BasicBlock *Latch : findInterchangeable(Kernel, *Plan.Uniform))
      if (!is_contained(Decided, Latch))
        Decided.push_back(Latch);
  bool HasRegions = Traits.Waits || !Decided.empty();
  if (!HasRegions && (How.TakesRange || How.Interchanges))
    return std::nullopt;
  std::optional<RegionPlan> Regions =
      planRegions(Kernel, *Plan.Uniform, Decided, Repeats, WhyNot);
  if (!Regions)
    return std::nullopt;
  Plan.Regions = std::move(*Regions);
  if (HasRegions) {
    removeBarriers(Kernel, *Plan.Uniform);
    Plan.Live = keepLiveAcross(Kernel, Plan.Regions, *Plan.Uniform);
  }
  makeSharedAtomicsPlain(Kernel, *Plan.Uniform);
  return Plan;
}

/// Builds a loop kernel from a copy of \p Kernel in the first way that works.
static std::optional<LoopKernel>
buildLoops(Function &Kernel, const KernelTraits &Traits,
           ArrayRef<Attempt> Attempts, const SharedLayout &Layout,
           LoopKernelOptions Options, std::string &WhyNot) {
  for (Attempt How : Attempts) {
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(&Kernel, Map);
    std::optional<LoopKernel> Loop;
    if (auto Plan = planLoops(*Copy, Traits, How, WhyNot)) {
      Options.Range = Plan->Range.get();
      Loop = buildLoopKernel(*Copy, Plan->Regions, Plan->Live, *Plan->Uniform,
                             Layout, Options);
    }
    Copy->eraseFromParent();
    if (Loop)
      return Loop;
  }
  return std::nullopt;
}

/// Makes \p Kernel a loop kernel if it can be one; else \p WhyNot says why.
static std::optional<LoopKernel> lowerToLoops(Function &Kernel, const Reach &R,
                                              const SharedLayout &Layout,
                                              std::string &WhyNot) {
  std::optional<KernelTraits> Traits = traitsOf(Kernel, R, WhyNot);
  if (!Traits)
    return std::nullopt;
  LoopKernelOptions Options;
  // What is left in the kernel itself is lowered in place; functions that it
  // calls ask the runtime.
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Options.UpdatesThreadRecord |= R.of(*Call) != NeedsNothing;

  const Attempt Simple[] = {{true, false}, {false, false}};
  const Attempt All[] = {
      {true, true}, {false, true}, {true, false}, {false, false}};
  ArrayRef<Attempt> Attempts = All;
  if (Kernel.hasOptNone())
    Attempts = Simple;

  markGlobalIndices(Kernel);
  Options.Name = (Kernel.getName() + ".block").str();
  return buildLoops(Kernel, *Traits, Attempts, Layout, Options, WhyNot);
}

static void lowerKernel(Function &Kernel, const Reach &R, SharedLayout Layout) {
  Module &M = *Kernel.getParent();
  removeUnreachableBlocks(Kernel);
  KernelObject Object;
  Object.KernargSize = numberAttr(Kernel, attribute::KernargSize);
  Object.MaxThreads = numberAttr(Kernel, attribute::MaxThreads);
  Object.Fingerprint = numberAttr(Kernel, attribute::CPUKernel);
  Layout.addVariablesOf(Kernel);
  Object.GroupSegmentSize = Layout.size();
  if (Layout.size() > XCC_CPU_MAX_SHARED)
    reportError(Kernel, "its block-shared variables take " +
                            Twine(Layout.size()) + " bytes; a block has " +
                            Twine(XCC_CPU_MAX_SHARED));

  Function *Entry;
  std::string WhyNot;
  if (auto Loop = lowerToLoops(Kernel, R, Layout, WhyNot)) {
    Entry = Loop->Entry;
    Object.PrivateSegmentSize = Loop->PrivateSegmentSize;
  } else {
    if (ExplainFibers)
      errs() << "kernel '" << Kernel.getName() << "' needs fibers: " << WhyNot
             << "\n";
    Entry = buildFiberKernel(Kernel, Layout);
    Object.Flags |= XCC_CPU_KERNEL_FIBERS;
  }

  GlobalVariable *G = createKernelObject(M, Entry, Object);
  Kernel.replaceAllUsesWith(G);
  G->takeName(&Kernel);
  Kernel.eraseFromParent();
}

PreservedAnalyses BlockFunctionPass::run(Module &M, ModuleAnalysisManager &) {
  markExtraKernels(M);
  setIntrinsicAttributes(M);
  SmallVector<Function *, 8> Kernels = kernelsOf(M);
  imageHeader(M);

  {
    Reach R(M);
    for (Function *Kernel : Kernels) {
      separateFromCallers(*Kernel);
      inlineStateful(*Kernel, R);
    }
  }
  removeDeadFunctions(M);
  if (!SharedLayout::prepare(M))
    return PreservedAnalyses::none();

  // What was not inlined is shared by kernels, so its variables come first.
  Reach R(M);
  SharedLayout Common;
  SmallVector<Function *, 8> Outlined;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(attribute::CPUKernel) &&
        R.all(F)) {
      Outlined.push_back(&F);
      Common.addVariablesOf(F);
    }

  for (Function *Kernel : Kernels)
    lowerKernel(*Kernel, R, Common);
  for (Function *F : Outlined)
    lowerOutlinedFunction(*F, Common, R.own(*F) != NeedsNothing);
  SharedLayout::removeVariables(M);
  defineTrap(M);
  for (Function &F : make_early_inc_range(M))
    if (intrinsicOf(F) && F.use_empty())
      F.eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace xcc::block
