// What is the same for all lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's analysis asks a back end which values may differ between lanes. NVIDIA's
// back end names the result of every call: min and max, the size of a block, the
// block's index. It also names every load whose address space is not known, and address spaces are inferred after our passes. A loop that is bounded
// by such a value then counts as one that lanes leave apart, and its barrier
// becomes a state machine. So this answers for
//
// - intrinsics of LLVM's that compute, and the target's, as it says
//   (BarrierOps::isUniform);
// - calls of functions whose result depends on nothing but arguments that are
//   the same for all lanes;
// - loads of one address that no thread has for itself: a kernel's parameters,
//   variables, and what a kernel's pointers lead to.
//
// All lanes that execute a load together get one value. Lanes that come to it one
// after the other could get two, if what lies there changes between. In a program
// without data races, that takes a lane that waits for another in a loop, with
// atomic or volatile accesses. Where a function may do so, loads of memory that
// can change are left to the back end.

#include "Uniformity.h"
#include "gpu/Passes.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc::gpu {

/// How deep calls are followed, and functions of how many instructions.
static constexpr unsigned MostCalls = 8, MostInstructions = 2000;

bool UniformResults::isSame(const Function &callee,
                            function_ref<bool()> decide) {
  if (depth == MostCalls)
    return false;
  auto [at, fresh] = known.try_emplace(&callee, Answer{false, depth});
  // From fewer calls away, more of what it calls is within the limit.
  if (!fresh && (at->second.same || at->second.depth <= depth))
    return at->second.same;
  at->second = {false, depth}; // while it is looked at
  ++depth;
  bool same = decide();
  --depth;
  known[&callee].same = same;
  return same;
}

namespace {

/// Whether an instruction may be part of a wait for another thread, where it is
/// in a loop; a call may have its loop inside.
bool mayWaitIn(const Instruction &inst, bool inLoop, const BarrierOps &ops) {
  if (const auto *call = dyn_cast<CallBase>(&inst)) {
    if (call->hasFnAttr(Attribute::NoSync) || call->doesNotAccessMemory() ||
        is_contained(ops.barriers, call->getIntrinsicID()))
      return false;
    return !isa<IntrinsicInst>(call) ||
           (inLoop && !call->onlyAccessesInaccessibleMemory());
  }
  return inLoop &&
         (inst.isVolatile() ||
          (inst.isAtomic() && inst.mayReadFromMemory() && !inst.use_empty()));
}

/// Whether all lanes see the same bytes through a kernel's parameter that is
/// passed by value: nothing is written there.
bool isOnlyRead(const Argument &arg) {
  SmallVector<const User *> work(arg.users());
  while (!work.empty()) {
    const User *user = work.pop_back_val();
    if (isa<LoadInst>(user))
      continue;
    if (const auto *copy = dyn_cast<MemTransferInst>(user);
        copy && getUnderlyingObject(copy->getRawDest()) != &arg)
      continue;
    if (const auto *inst = dyn_cast<Instruction>(user);
        inst && inst->isLifetimeStartOrEnd())
      continue;
    if (!isa<GEPOperator, AddrSpaceCastOperator>(user))
      return false;
    append_range(work, user->users());
  }
  return true;
}

} // namespace

/// The back end as the analysis sees it, with the exceptions above.
class LaneTTI final : public TargetTransformInfoImplBase {
public:
  LaneTTI(const Function &function, FunctionAnalysisManager &analyses,
          const BarrierOps &ops, UniformResults &results)
      : TargetTransformInfoImplBase(function.getDataLayout()),
        function(function), analyses(analyses),
        machine(analyses.getResult<TargetIRAnalysis>(
            const_cast<Function &>(function))),
        ops(ops), results(results),
        isKernel(function.getCallingConv() == ops.kernels),
        isCallee(results.inCallee()) {
    // What a callee's callers do is not known.
    if (isCallee)
      waits = true;
  }

  bool hasBranchDivergence(const Function *which) const override {
    return machine.hasBranchDivergence(which);
  }

  InstructionUniformity
  getInstructionUniformity(const Value *value) const override {
    InstructionUniformity said = machine.getInstructionUniformity(value);
    if (said != InstructionUniformity::NeverUniform)
      return said;
    // A callee is analysed for lanes that call it with equal arguments.
    bool follows = false;
    if (isa<Argument>(value))
      follows = isCallee;
    else if (const auto *load = dyn_cast<LoadInst>(value))
      follows = isShared(*load);
    else if (const auto *call = dyn_cast<CallInst>(value))
      follows = followsOperands(*call);
    return follows ? InstructionUniformity::Default : said;
  }

private:
  const Function &function;
  FunctionAnalysisManager &analyses;
  const TargetTransformInfo &machine;
  const BarrierOps &ops;
  UniformResults &results;
  bool isKernel, isCallee;
  mutable std::optional<bool> waits;

  bool mayWait() const {
    if (!waits) {
      CycleInfo cycles;
      cycles.compute(const_cast<Function &>(function));
      waits = any_of(instructions(function), [&](const Instruction &inst) {
        return mayWaitIn(inst, cycles.getCycle(inst.getParent()), ops);
      });
    }
    return *waits;
  }

  /// Whether lanes that give a load one address get one value.
  bool isShared(const LoadInst &load) const {
    if (!load.isSimple())
      return false;
    SmallVector<const Value *, 4> objects;
    getUnderlyingObjects(load.getPointerOperand(), objects);
    bool changes = !load.hasMetadata(LLVMContext::MD_invariant_load);
    return !objects.empty() && all_of(objects, [&](const Value *object) {
      const auto *variable = dyn_cast<GlobalVariable>(object);
      if (variable && variable->isThreadLocal())
        return false;
      if (isParameter(object) || (variable && variable->isConstant()))
        return true;
      return (variable || isGiven(object)) && (!changes || !mayWait());
    });
  }

  /// Whether it is a kernel's parameter in memory, which is never written.
  bool isParameter(const Value *object) const {
    const auto *arg = dyn_cast<Argument>(object);
    return arg && isKernel && arg->hasByValAttr() && isOnlyRead(*arg);
  }
  /// Whether it is an address that a kernel was given, by itself or in a
  /// structure: none of a thread's own memory.
  bool isGiven(const Value *address) const {
    if (const auto *arg = dyn_cast<Argument>(address))
      return isKernel && !arg->hasByValAttr();
    const auto *load = dyn_cast<LoadInst>(address);
    return load && isParameter(getUnderlyingObject(load->getPointerOperand()));
  }

  bool followsOperands(const CallInst &call) const {
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      if (ops.isUniform && ops.isUniform(*intrinsic))
        return true;
      Intrinsic::ID id = intrinsic->getIntrinsicID();
      return !Intrinsic::isTargetIntrinsic(id) &&
             id != Intrinsic::threadlocal_address &&
             intrinsic->doesNotAccessMemory() && !intrinsic->isConvergent() &&
             intrinsic->hasFnAttr(Attribute::Speculatable);
    }
    Function *callee = call.getCalledFunction();
    return callee && callee->getFunctionType() == call.getFunctionType() &&
           returnsSame(*callee);
  }

  bool returnsSame(Function &callee) const {
    return results.isSame(callee, [&] {
      return !callee.isDeclaration() && !callee.isInterposable() &&
             !callee.getReturnType()->isVoidTy() &&
             callee.getInstructionCount() <= MostInstructions &&
             agreesOn(callee);
    });
  }

  /// Looks at a copy, in which variables are values.
  bool agreesOn(Function &callee) const {
    auto returns = [](const BasicBlock &block) {
      return isa<ReturnInst>(block.getTerminator());
    };
    if (count_if(callee, returns) != 1)
      return false;
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&callee, map);
    copy->removeFnAttr(Attribute::OptimizeNone);
    SROAPass(SROAOptions::PreserveCFG).run(*copy, analyses);
    analyses.invalidate(*copy, PreservedAnalyses::none());
    const Use &result =
        find_if(*copy, returns)->getTerminator()->getOperandUse(0);
    bool same = Uniformity(*copy, analyses, ops, results).isUniformUse(result);
    analyses.clear(*copy, copy->getName());
    copy->eraseFromParent();
    return same;
  }
};

// The analysis can only be had from an analysis manager: its implementation is
// not in a public header. This manager knows our TTI instead of the target's.
Uniformity::Uniformity(Function &function, FunctionAnalysisManager &analyses,
                       const BarrierOps &ops, UniformResults &results) {
  own.registerPass([&] {
    return TargetIRAnalysis([&](const Function &which) {
      return TargetTransformInfo(
          std::make_unique<LaneTTI>(which, analyses, ops, results));
    });
  });
  own.registerPass([] { return DominatorTreeAnalysis(); });
  own.registerPass([] { return CycleAnalysis(); });
  own.registerPass([] { return PassInstrumentationAnalysis(); });
  own.registerPass([] { return UniformityInfoAnalysis(); });
  info = &own.getResult<UniformityInfoAnalysis>(function);
}

} // namespace xcc::gpu
