// What is uniform: the same for all lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's analysis asks a back end which values may differ between lanes.
// NVIDIA's back end names the result of every call: min and max, the size of a
// block, the index of a block. It also names every load whose address space is
// not known, and LLVM infers address spaces after our passes. A loop whose
// bound is such a value then counts as divergent, and its barrier becomes a
// state machine. So this file decides for
//
// - intrinsics of LLVM that only compute, and the target's intrinsics, as the
//   target says (BarrierOps::isUniform);
// - calls of functions whose results depend only on uniform arguments;
// - loads of one address that is not private to a thread: a kernel's
//   parameters, variables, and the memory that a kernel's pointers lead to.
//
// All lanes that execute a load together get one value. Lanes that reach it one
// after the other could get two values, if the memory changes in between. In a
// program without data races, this needs a lane that waits for another lane in
// a loop, with atomic or volatile accesses. If a function may do so, the back
// end decides about loads of memory that can change.

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

/// The limits of the analysis: the depth of nested calls, and the size of a
/// callee in instructions.
static constexpr unsigned MostCalls = 8, MostInstructions = 2000;

bool UniformResults::isSame(const Function &callee,
                            function_ref<bool()> decide) {
  if (depth == MostCalls)
    return false;
  auto [at, fresh] = known.try_emplace(&callee, Answer{false, depth});
  // With fewer nested calls, more callees are within the limit.
  if (!fresh && (at->second.same || at->second.depth <= depth))
    return at->second.same;
  at->second = {false, depth}; // in case of recursion
  ++depth;
  bool same = decide();
  --depth;
  known[&callee].same = same;
  return same;
}

namespace {

/// Whether an instruction may be part of a wait for another thread if it is in
/// a loop. A call may contain its own loop.
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

/// Whether a kernel's by-value parameter is never written, so that all lanes
/// see the same bytes.
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
    // The callers of a callee are not known.
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
    // A callee is analysed as if all lanes call it with equal arguments.
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

  /// Whether lanes that load from one address get one value.
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

  /// Whether `object` is a kernel's parameter in memory that is never written.
  bool isParameter(const Value *object) const {
    const auto *arg = dyn_cast<Argument>(object);
    return arg && isKernel && arg->hasByValAttr() && isOnlyRead(*arg);
  }
  /// Whether the address was passed to the kernel, by itself or in a structure.
  /// Such an address is never in a thread's private memory.
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

  /// Analyses a copy in which local variables have become values.
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

// Only an analysis manager can compute this analysis: its implementation is not
// in a public header. This manager uses our TTI instead of the target's.
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
