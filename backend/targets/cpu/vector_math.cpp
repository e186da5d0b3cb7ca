// Mathematical functions of several threads at once, as part of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector_math.h"
#include "support/Elements.h"
#include "support/IncludedFile.h"
#include "targets/Target.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

// The functions as bitcode, in this library: code is also generated on machines
// where xcc is not installed.
XCC_INCLUDE_FILE(xcc_own_math, XCC_OWN_MATH_PLAIN)
XCC_INCLUDE_FILE(xcc_own_math_fma, XCC_OWN_MATH_FMA)

namespace xcc::cpu {
namespace {

constexpr StringLiteral Allowed = "xcc-own-math";
constexpr StringLiteral Prefix = "__xcc_math_";

/// A function of <math.h>. \p id: LLVM's intrinsic for it, if there is one.
struct Replaced {
  StringLiteral name; ///< of double
  Intrinsic::ID id;
  unsigned arguments;
  bool hasDouble;
};
constexpr Replaced Functions[] = {
    {"exp", Intrinsic::exp, 1, true},
    {"exp2", Intrinsic::exp2, 1, true},
    {"exp10", Intrinsic::exp10, 1, true},
    {"expm1", Intrinsic::not_intrinsic, 1, true},
    {"log", Intrinsic::log, 1, true},
    {"log2", Intrinsic::log2, 1, true},
    {"log10", Intrinsic::log10, 1, true},
    {"log1p", Intrinsic::not_intrinsic, 1, false},
    {"pow", Intrinsic::pow, 2, true},
    {"hypot", Intrinsic::not_intrinsic, 2, false},
    {"cbrt", Intrinsic::not_intrinsic, 1, false},
    {"sin", Intrinsic::sin, 1, true},
    {"cos", Intrinsic::cos, 1, true},
    {"tan", Intrinsic::tan, 1, false},
    {"asin", Intrinsic::asin, 1, false},
    {"acos", Intrinsic::acos, 1, false},
    {"atan", Intrinsic::atan, 1, false},
    {"atan2", Intrinsic::atan2, 2, false},
    {"sinh", Intrinsic::sinh, 1, true},
    {"cosh", Intrinsic::cosh, 1, true},
    {"tanh", Intrinsic::tanh, 1, true},
    {"asinh", Intrinsic::not_intrinsic, 1, false},
    {"acosh", Intrinsic::not_intrinsic, 1, false},
    {"atanh", Intrinsic::not_intrinsic, 1, false},
    {"erf", Intrinsic::not_intrinsic, 1, true},
    {"erfc", Intrinsic::not_intrinsic, 1, false},
};

/// What a call computes; null of others.
const Replaced *functionOf(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return nullptr;
  if (callee->isIntrinsic()) {
    const auto *found = find_if(Functions, [&](const Replaced &r) {
      return r.id != Intrinsic::not_intrinsic && r.id == call.getIntrinsicID();
    });
    return found == std::end(Functions) ? nullptr : found;
  }
  // Others set errno, or are the program's.
  if (!call.doesNotAccessMemory() || call.isNoBuiltin())
    return nullptr;
  StringRef name = callee->getName();
  Type *type = call.getType();
  if (type->isFloatTy() ? !name.consume_back("f") : !type->isDoubleTy())
    return nullptr;
  for (const Replaced &r : Functions)
    if (r.name == name && call.arg_size() == r.arguments &&
        all_of(call.args(), [&](Value *arg) { return arg->getType() == type; }))
      return &r;
  return nullptr;
}

/// The type that a call is computed in, or null where it stays as it is.
Type *computedIn(const CallInst &call, const Replaced &function) {
  Type *type = call.getType();
  if (isa<ScalableVectorType>(type))
    return nullptr;
  type = type->getScalarType();
  if (type->isHalfTy() || type->isBFloatTy())
    return Type::getFloatTy(type->getContext());
  const bool has =
      type->isFloatTy() || (type->isDoubleTy() && function.hasDouble);
  return has ? type : nullptr;
}

class Replacer {
public:
  Replacer(Module &module, bool fuses) : module(module), fuses(fuses) {}

  bool run() {
    for (Function &function : module) {
      if (!function.hasFnAttribute(Allowed))
        continue;
      function.removeFnAttr(Allowed);
      if (!function.hasFnAttribute(Attribute::StrictFP))
        for (Instruction &inst : make_early_inc_range(instructions(function)))
          if (auto *call = dyn_cast<CallInst>(&inst))
            replace(*call);
    }
    if (calls.empty())
      return false;
    link();
    for (CallInst *call : calls) {
      InlineFunctionInfo info;
      if (!InlineFunction(*call, info).isSuccess())
        report_fatal_error("a mathematical function cannot be inlined");
    }
    for (const auto &entry : names)
      module.getFunction(entry.getKey())->eraseFromParent();
    return true;
  }

private:
  Module &module;
  const bool fuses;
  StringSet<> names;
  SmallVector<CallInst *> calls;

  Value *sinAndCos(IRBuilder<> &builder, const CallInst &call) {
    Value *sine = compute(builder, "sin", {call.getArgOperand(0)});
    Value *cosine = compute(builder, "cos", {call.getArgOperand(0)});
    Value *both = PoisonValue::get(call.getType());
    return builder.CreateInsertValue(builder.CreateInsertValue(both, sine, 0),
                                     cosine, 1);
  }

  void replace(CallInst &call) {
    IRBuilder<> builder(&call);
    Value *result = nullptr;
    if (call.getIntrinsicID() == Intrinsic::sincos) {
      Type *type = call.getArgOperand(0)->getType();
      if (!type->isFloatTy() && !type->isDoubleTy())
        return;
      result = sinAndCos(builder, call);
    } else if (const Replaced *function = functionOf(call)) {
      if (!computedIn(call, *function))
        return;
      SmallVector<Value *, 2> args(call.args());
      result = compute(builder, function->name, args);
    } else {
      return;
    }
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  /// Calls of our function, one for each element of a vector.
  Value *compute(IRBuilder<> &builder, StringRef name, ArrayRef<Value *> args) {
    return computeElements(builder, args[0]->getType(), args,
                           [&](ArrayRef<Value *> elements) {
                             return computeOne(builder, name, elements);
                           });
  }

  Value *computeOne(IRBuilder<> &builder, StringRef name,
                    ArrayRef<Value *> args) {
    Type *given = args[0]->getType();
    Type *type = given->isDoubleTy() ? given : builder.getFloatTy();
    SmallVector<Value *, 2> values;
    SmallVector<Type *, 2> types(args.size(), type);
    for (Value *arg : args)
      values.push_back(builder.CreateFPExt(arg, type));
    const std::string symbol =
        (Prefix + name + (type->isFloatTy() ? "f" : "")).str();
    names.insert(symbol);
    FunctionCallee callee = module.getOrInsertFunction(
        symbol, FunctionType::get(type, types, /*isVarArg=*/false));
    CallInst *made = builder.CreateCall(callee, values);
    calls.push_back(made);
    return builder.CreateFPTrunc(made, given);
  }

  /// Defines what was called.
  void link() {
    auto library = cantFail(getLazyBitcodeModule(
        MemoryBufferRef(
            fuses ? StringRef(xcc_own_math_fma,
                              xcc_own_math_fma_end - xcc_own_math_fma)
                  : StringRef(xcc_own_math, xcc_own_math_end - xcc_own_math),
            "own math"),
        module.getContext()));
    library->setTargetTriple(module.getTargetTriple());
    library->setDataLayout(module.getDataLayout());
    if (Linker::linkModules(module, std::move(library),
                            Linker::Flags::LinkOnlyNeeded))
      report_fatal_error("own mathematical functions cannot be linked");
  }
};

} // namespace

void allowOwnMath(Module &module, const GivenOptions &given) {
  if (given.mathErrno || given.fastMath || !given.vectorLibrary.empty())
    return;
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(Allowed);
}

PreservedAnalyses InlineOwnMathPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  return Replacer(module, fuses).run() ? PreservedAnalyses::none()
                                       : PreservedAnalyses::all();
}

} // namespace xcc::cpu
