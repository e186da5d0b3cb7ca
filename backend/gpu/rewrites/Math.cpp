// Replaces math intrinsics by library calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang turns calls of <cmath> into LLVM's intrinsics. A GPU's back end
// implements a few of them. The others must become calls again before libraries
// are linked, because a back end cannot link one. The sine and cosine of the
// same angle become one call. If the call may be approximated (fast-math), a
// float function becomes the device library's fast one.

#include "gpu/stages/BeforeLibraries.h"
#include "support/Analyses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// The C library's double function for an intrinsic, or "".
StringRef libraryName(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::ldexp:
    return "ldexp";
  case Intrinsic::lround:
    return "lround";
  case Intrinsic::llround:
    return "llround";
  case Intrinsic::lrint:
    return "lrint";
  case Intrinsic::llrint:
    return "llrint";
  default:
    return "";
  }
}

bool hasFastForm(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"sin", "cos", "tan", "exp", "exp2", "exp10"}, true)
      .Cases({"log", "log2", "log10", "pow"}, true)
      .Default(false);
}

void replaceByCall(CallInst *call, StringRef name, bool approximate) {
  Module &module = *call->getModule();
  Type *type = call->getArgOperand(0)->getType();
  Type *compute = type;
  IRBuilder<> builder(call);
  builder.setFastMathFlags(isa<FPMathOperator>(call) ? call->getFastMathFlags()
                                                     : FastMathFlags());
  SmallVector<Value *> args(call->args());
  // Half precision is computed as float.
  if (type->isHalfTy() || type->isBFloatTy()) {
    compute = builder.getFloatTy();
    for (Value *&arg : args)
      if (arg->getType() == type)
        arg = builder.CreateFPExt(arg, compute);
  }
  std::string symbol = name.str();
  if (compute->isFloatTy()) {
    symbol += "f";
    // The fast power of a negative number returns a number, never a NaN.
    if (approximate && hasFastForm(name) &&
        (name != "pow" || call->hasNoNaNs()))
      symbol = "__xcc_fast_" + symbol;
  }
  SmallVector<Type *> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  Type *result = call->getType() == type ? compute : call->getType();
  FunctionCallee callee = module.getOrInsertFunction(
      symbol, FunctionType::get(result, types, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee())) {
    function->setDoesNotThrow();
    if (function->isDeclaration())
      function->setDoesNotAccessMemory();
  }
  CallInst *made = builder.CreateCall(callee, args);
  made->setDebugLoc(call->getDebugLoc());
  Value *value = made;
  if (value->getType() != call->getType())
    value = builder.CreateFPTrunc(value, call->getType());
  call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

/// The C library's name for an intrinsic with two results, which the library
/// stores through pointers; or "".
StringRef pairName(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::modf:
    return "modf";
  case Intrinsic::frexp:
    return "frexp";
  case Intrinsic::sincos:
    return "sincos";
  default:
    return "";
  }
}

/// Allocates a slot in the function's frame. Returns it as a generic pointer.
Value *frameSlot(Function &function, Type *type) {
  const DataLayout &layout = function.getDataLayout();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Value *slot =
      builder.CreateAlloca(type, layout.getAllocaAddrSpace(), nullptr);
  return builder.CreateAddrSpaceCast(slot, builder.getPtrTy());
}

void replacePair(CallInst *call, StringRef name) {
  Function &function = *call->getFunction();
  IRBuilder<> builder(call);
  auto *pair = cast<StructType>(call->getType());
  Value *arg = call->getArgOperand(0);
  Type *type = arg->getType(), *compute = type;
  if (type->isHalfTy() || type->isBFloatTy()) {
    compute = builder.getFloatTy();
    arg = builder.CreateFPExt(arg, compute);
  }
  std::string symbol = (name + (compute->isFloatTy() ? "f" : "")).str();
  bool both = name == "sincos";
  if (both && compute->isFloatTy() && call->hasApproxFunc()) {
    // The fast functions have no pair and do not need one.
    Value *result = PoisonValue::get(pair);
    for (unsigned index : {0, 1}) {
      FunctionCallee callee = call->getModule()->getOrInsertFunction(
          index ? "__xcc_fast_cosf" : "__xcc_fast_sinf", compute, compute);
      if (auto *declared = dyn_cast<Function>(callee.getCallee());
          declared && declared->isDeclaration())
        declared->setDoesNotAccessMemory();
      Value *value = builder.CreateCall(callee, arg);
      if (value->getType() != type)
        value = builder.CreateFPTrunc(value, type);
      result = builder.CreateInsertValue(result, value, index);
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    return;
  }
  // modf and frexp return the first result; sincos stores both.
  auto stored = [&](unsigned index) {
    return name == "frexp" && index == 1 ? pair->getElementType(1) : compute;
  };
  SmallVector<Value *> args = {arg}, slots;
  for (unsigned index = both ? 0 : 1; index != 2; ++index) {
    slots.push_back(frameSlot(function, stored(index)));
    args.push_back(slots.back());
  }
  SmallVector<Type *> types;
  for (Value *value : args)
    types.push_back(value->getType());
  FunctionCallee callee = call->getModule()->getOrInsertFunction(
      symbol,
      FunctionType::get(both ? builder.getVoidTy() : compute, types, false));
  if (auto *declared = dyn_cast<Function>(callee.getCallee()))
    declared->setDoesNotThrow();
  Value *first = builder.CreateCall(callee, args);
  if (both)
    first = builder.CreateLoad(compute, slots[0]);
  Value *second = builder.CreateLoad(stored(1), slots.back());
  Value *result = PoisonValue::get(pair);
  for (unsigned index : {0, 1}) {
    Value *value = index ? second : first;
    Type *element = pair->getElementType(index);
    if (element != value->getType())
      value = builder.CreateFPTrunc(value, element);
    result = builder.CreateInsertValue(result, value, index);
  }
  call->replaceAllUsesWith(result);
  call->eraseFromParent();
}

/// Replaces an instruction by a call of a function of the C library, which is
/// named for float and for double. Its first operand has the type of the result;
/// so has the second, unless it is an int.
void replaceByCall(Instruction &inst, StringRef forFloat, StringRef forDouble) {
  Type *type = inst.getType(), *compute = type;
  IRBuilder<> builder(&inst);
  if (type->isHalfTy() || type->isBFloatTy())
    compute = builder.getFloatTy();
  if (!compute->isFloatTy() && !compute->isDoubleTy())
    return;
  Value *first = inst.getOperand(0), *second = inst.getOperand(1);
  const bool isPower = second->getType()->isIntegerTy();
  Type *by = isPower ? builder.getInt32Ty() : compute;
  FunctionCallee callee = inst.getModule()->getOrInsertFunction(
      compute->isFloatTy() ? forFloat : forDouble,
      FunctionType::get(compute, {compute, by}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee());
      function && function->isDeclaration()) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
  }
  first = builder.CreateFPCast(first, compute);
  second = isPower ? builder.CreateSExtOrTrunc(second, by)
                   : builder.CreateFPCast(second, by);
  inst.replaceAllUsesWith(
      builder.CreateFPCast(builder.CreateCall(callee, {first, second}), type));
  inst.eraseFromParent();
}

/// Replaces frem, which Clang makes of fmod.
void lowerRemainder(BinaryOperator *rem) {
  replaceByCall(*rem, "fmodf", "fmod");
}

/// Replaces powi, from __builtin_powi, by a call of the function that compilers
/// use for it.
void lowerPower(CallInst *call) {
  replaceByCall(*call, "__powisf2", "__powidf2");
}

/// Whether it is an exact sine or cosine, for which a pair function exists:
/// approximations have none and do not need one.
bool isExactAngle(const Instruction &inst, Intrinsic::ID id) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getIntrinsicID() == id &&
         call->getType()->isFloatingPointTy() &&
         (!call->hasApproxFunc() || call->getType()->isDoubleTy());
}

bool hasExactAngle(const Function &function, Intrinsic::ID id) {
  return any_of(instructions(function), [id](const Instruction &inst) {
    return isExactAngle(inst, id);
  });
}

/// Promotes variables to values, so that equal angles are the same value.
void simplify(Function &function, Analyses &analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass());
  passes.run(function, analyses.functions);
}

/// Inlines functions such as std::sin(float) that only call the builtin.
void inlineAngles(Module &module, Analyses &analyses) {
  constexpr unsigned mostGiven = 12, mostLeft = 4;
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasOptNone() ||
        function.hasFnAttribute(Attribute::NoInline) ||
        function.isInterposable() || function.size() != 1 ||
        function.front().size() > mostGiven ||
        (!hasExactAngle(function, Intrinsic::sin) &&
         !hasExactAngle(function, Intrinsic::cos)))
      continue;
    simplify(function, analyses);
    if (function.front().size() > mostLeft)
      continue;
    SmallVector<CallBase *> calls;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == &function &&
          !call->getFunction()->hasOptNone() &&
          call->getFunction() != &function)
        calls.push_back(call);
    for (CallBase *call : calls) {
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
  }
  analyses.functions.clear();
}

/// Combines the sine and cosine of the same angle into one call, because the
/// reduction of the angle is most of the work.
void joinAngles(Function &function, Analyses &analyses) {
  if (function.hasOptNone() || !hasExactAngle(function, Intrinsic::sin) ||
      !hasExactAngle(function, Intrinsic::cos))
    return;
  simplify(function, analyses);
  DominatorTree tree(function);
  MapVector<Value *, SmallVector<CallInst *, 2>> sines, cosines;
  for (Instruction &inst : instructions(function)) {
    if (isExactAngle(inst, Intrinsic::sin))
      sines[inst.getOperand(0)].push_back(cast<CallInst>(&inst));
    else if (isExactAngle(inst, Intrinsic::cos))
      cosines[inst.getOperand(0)].push_back(cast<CallInst>(&inst));
  }
  for (auto &[angle, list] : sines)
    for (CallInst *sine : list) {
      auto others = cosines.find(angle);
      if (others == cosines.end())
        break;
      auto found = find_if(others->second, [&](CallInst *cosine) {
        return tree.dominates(sine, cosine) || tree.dominates(cosine, sine);
      });
      if (found == others->second.end())
        continue;
      CallInst *cosine = *found;
      others->second.erase(found);
      IRBuilder<> builder(tree.dominates(sine, cosine) ? sine : cosine);
      builder.setFastMathFlags(sine->getFastMathFlags() &
                               cosine->getFastMathFlags());
      Value *both = builder.CreateIntrinsic(Intrinsic::sincos,
                                            {angle->getType()}, {angle});
      sine->replaceAllUsesWith(builder.CreateExtractValue(both, 0));
      cosine->replaceAllUsesWith(builder.CreateExtractValue(both, 1));
      sine->eraseFromParent();
      cosine->eraseFromParent();
    }
}

bool isLowered(const IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  return id == Intrinsic::powi || !libraryName(id).empty() ||
         !pairName(id).empty();
}

bool isVector(const Instruction &inst) {
  return inst.getNumOperands() && inst.getOperand(0)->getType()->isVectorTy();
}

} // namespace

/// Splits an instruction on vectors into one for each element, for a library
/// that has only scalar functions.
SmallVector<Instruction *> scalarize(Instruction *inst) {
  SmallVector<Instruction *> list;
  auto *vector = dyn_cast<FixedVectorType>(inst->getOperand(0)->getType());
  if (!vector)
    return list;
  IRBuilder<> builder(inst);
  if (isa<FPMathOperator>(inst))
    builder.setFastMathFlags(inst->getFastMathFlags());
  auto *pair = dyn_cast<StructType>(inst->getType());
  Type *result = inst->getType()->getScalarType();
  if (pair)
    result = StructType::get(inst->getContext(),
                             {pair->getElementType(0)->getScalarType(),
                              pair->getElementType(1)->getScalarType()});
  Value *whole = PoisonValue::get(inst->getType());
  for (unsigned at = 0; at != vector->getNumElements(); ++at) {
    auto *call = dyn_cast<IntrinsicInst>(inst);
    SmallVector<Value *> args;
    for (Value *arg : call ? make_range(call->arg_begin(), call->arg_end())
                           : make_range(inst->op_begin(), inst->op_end()))
      args.push_back(arg->getType()->isVectorTy()
                         ? builder.CreateExtractElement(arg, at)
                         : arg);
    Value *one = nullptr;
    if (call)
      one = builder.CreateIntrinsic(result, call->getIntrinsicID(), args);
    else if (auto *conversion = dyn_cast<CastInst>(inst))
      one = builder.CreateCast(conversion->getOpcode(), args[0], result);
    else
      one = builder.CreateBinOp(cast<BinaryOperator>(inst)->getOpcode(),
                                args[0], args[1]);
    if (auto *made = dyn_cast<Instruction>(one))
      list.push_back(made);
    if (!pair) {
      whole = builder.CreateInsertElement(whole, one, at);
      continue;
    }
    for (unsigned member : {0u, 1u}) {
      Value *old = builder.CreateExtractValue(whole, member);
      old = builder.CreateInsertElement(
          old, builder.CreateExtractValue(one, member), at);
      whole = builder.CreateInsertValue(whole, old, member);
    }
  }
  inst->replaceAllUsesWith(whole);
  inst->eraseFromParent();
  return list;
}

void lowerMathIntrinsics(Module &module,
                         function_ref<bool(const CallInst &)> keep) {
  Analyses analyses(nullptr);
  inlineAngles(module, analyses);
  SmallVector<Instruction *> all, whole;
  for (Function &function : module) {
    joinAngles(function, analyses);
    for (Instruction &inst : instructions(function)) {
      const auto *call = dyn_cast<IntrinsicInst>(&inst);
      if (inst.getOpcode() != Instruction::FRem && !(call && isLowered(*call)))
        continue;
      (isVector(inst) ? whole : all).push_back(&inst);
    }
  }
  for (Instruction *inst : whole)
    append_range(all, scalarize(inst));
  for (Instruction *inst : all) {
    auto *call = dyn_cast<IntrinsicInst>(inst);
    if (!call) {
      lowerRemainder(cast<BinaryOperator>(inst));
      continue;
    }
    Intrinsic::ID id = call->getIntrinsicID();
    if (keep(*call))
      continue;
    if (id == Intrinsic::powi)
      lowerPower(call);
    else if (StringRef name = libraryName(id); !name.empty())
      replaceByCall(call, name,
                    isa<FPMathOperator>(call) &&
                        call->getFastMathFlags().approxFunc());
    else
      replacePair(call, pairName(id));
  }
}

} // namespace xcc::gpu
