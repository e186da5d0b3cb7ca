// Math intrinsics become library calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang turns calls of <cmath> into LLVM's intrinsics. A GPU's back end does a
// few of them itself; the others must be calls again before libraries are
// linked, because a back end cannot link one. Under fast-math (the call may be
// approximated) a float function is the device library's fast one.

#include "gpu/GPU.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// The C library's double function that an intrinsic stands for, or "".
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
    // The fast power of a negative number is a number, never a NaN.
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

/// Intrinsics with two results, which the C library stores through pointers.
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

/// A slot of the function's frame, as a generic pointer.
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
    // The fast functions have no pair, nor need of one.
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

/// frem is what Clang makes of fmod, powi of std::pow(x, int).
void lowerRemainder(BinaryOperator *rem) {
  Type *type = rem->getType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return;
  FunctionCallee callee = rem->getModule()->getOrInsertFunction(
      type->isFloatTy() ? "fmodf" : "fmod",
      FunctionType::get(type, {type, type}, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee());
      function && function->isDeclaration()) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
  }
  IRBuilder<> builder(rem);
  rem->replaceAllUsesWith(
      builder.CreateCall(callee, {rem->getOperand(0), rem->getOperand(1)}));
  rem->eraseFromParent();
}

} // namespace

void lowerMathIntrinsics(Module &module,
                         function_ref<bool(const CallInst &)> keep) {
  SmallVector<std::pair<CallInst *, StringRef>> calls;
  SmallVector<std::pair<CallInst *, StringRef>> pairs;
  SmallVector<BinaryOperator *> remainders;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      if (inst.getOpcode() == Instruction::FRem) {
        remainders.push_back(cast<BinaryOperator>(&inst));
      } else if (auto *call = dyn_cast<IntrinsicInst>(&inst)) {
        StringRef name = libraryName(call->getIntrinsicID());
        if (!name.empty() && !call->getType()->isVectorTy() && !keep(*call))
          calls.push_back({call, name});
        name = pairName(call->getIntrinsicID());
        if (!name.empty() && !call->getArgOperand(0)->getType()->isVectorTy() &&
            !keep(*call))
          pairs.push_back({call, name});
      }
    }
  for (auto &[call, name] : calls)
    replaceByCall(call, name,
                  isa<FPMathOperator>(call) &&
                      call->getFastMathFlags().approxFunc());
  for (auto &[call, name] : pairs)
    replacePair(call, name);
  for (BinaryOperator *rem : remainders)
    lowerRemainder(rem);
}

void lowerWideConversions(Module &module) {
  SmallVector<CastInst *> casts;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *cast = dyn_cast<CastInst>(&inst);
      if (cast && (cast->getSrcTy()->isIntegerTy(128) ||
                   cast->getDestTy()->isIntegerTy(128)))
        casts.push_back(cast);
    }
  for (CastInst *cast : casts) {
    Type *from = cast->getSrcTy(), *to = cast->getDestTy();
    bool isSigned = cast->getOpcode() == Instruction::FPToSI ||
                    cast->getOpcode() == Instruction::SIToFP;
    Type *real = from->isIntegerTy() ? to : from;
    if (!real->isHalfTy() && !real->isFloatTy() && !real->isDoubleTy())
      continue;
    IRBuilder<> builder(cast);
    Type *compute = real->isHalfTy() ? builder.getFloatTy() : real;
    // The names of GCC's library: __fixunsdfti, __floattisf, ...
    StringRef mode = compute->isFloatTy() ? "sf" : "df";
    std::string name = from->isIntegerTy() ? "__float" : "__fix";
    name += isSigned ? "" : "un";
    if (from->isIntegerTy())
      name += "ti" + mode.str();
    else
      name += (isSigned ? "" : "s") + mode.str() + "ti";
    Value *value = cast->getOperand(0);
    if (real == from && compute != real)
      value = builder.CreateFPExt(value, compute);
    Type *result = from->isIntegerTy() ? compute : to;
    FunctionCallee callee = module.getOrInsertFunction(
        name, FunctionType::get(result, {value->getType()}, false));
    if (auto *function = dyn_cast<Function>(callee.getCallee());
        function && function->isDeclaration()) {
      function->setDoesNotAccessMemory();
      function->setDoesNotThrow();
    }
    value = builder.CreateCall(callee, {value});
    if (value->getType() != to)
      value = builder.CreateFPTrunc(value, to);
    cast->replaceAllUsesWith(value);
    cast->eraseFromParent();
  }
}

} // namespace xcc::gpu
