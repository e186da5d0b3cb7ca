// Conversions to bfloat16
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bfloats.h"
#include "support/Elements.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc::cpu {

static bool makesBfloat(const Instruction &inst) {
  return inst.getType()->getScalarType()->isBFloatTy();
}

/// Rounds a number to bfloat16. Its type must represent the value exactly.
static Value *rounded(IRBuilder<> &builder, Value *exact) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Type *from = exact->getType(), *bfloat = builder.getBFloatTy();
  StringRef name = from->isFloatTy()      ? "__truncsfbf2"
                   : from->isDoubleTy()   ? "__truncdfbf2"
                   : from->isX86_FP80Ty() ? "__truncxfbf2"
                   : from->isFP128Ty()    ? "__trunctfbf2"
                                          : "";
  if (name.empty()) // a half
    return rounded(builder, builder.CreateFPExt(exact, builder.getFloatTy()));
  return builder.CreateCall(module.getOrInsertFunction(name, bfloat, from),
                            {exact});
}

/// A floating-point type that represents all integers of this type exactly.
static Type *exactType(IRBuilder<> &builder, const Type *integer) {
  return integer->getIntegerBitWidth() <= 24   ? builder.getFloatTy()
         : integer->getIntegerBitWidth() <= 53 ? builder.getDoubleTy()
         : integer->getIntegerBitWidth() <= 64
             ? Type::getX86_FP80Ty(builder.getContext())
             : Type::getFP128Ty(builder.getContext());
}

/// Rewrites an instruction with scalar operands. Returns null if it does not
/// round.
static Value *computed(IRBuilder<> &builder, const Instruction &inst,
                       ArrayRef<Value *> operands) {
  switch (inst.getOpcode()) {
  case Instruction::FPTrunc:
    return rounded(builder, operands[0]);
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return rounded(builder, builder.CreateCast(
                                cast<CastInst>(inst).getOpcode(), operands[0],
                                exactType(builder, operands[0]->getType())));
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem: {
    Type *wide = builder.getFloatTy();
    return rounded(builder,
                   builder.CreateBinOp(cast<BinaryOperator>(inst).getOpcode(),
                                       builder.CreateFPExt(operands[0], wide),
                                       builder.CreateFPExt(operands[1], wide)));
  }
  default:
    return nullptr;
  }
}

/// Rewrites an instruction. Vectors are computed element by element.
static Value *computed(Instruction &inst) {
  IRBuilder<> builder(&inst);
  SmallVector<Value *, 2> operands(inst.operands());
  return computeElements(builder, inst.getType(), operands,
                         [&](ArrayRef<Value *> elements) {
                           return computed(builder, inst, elements);
                         });
}

static bool rounds(const Instruction &inst) {
  return makesBfloat(inst) && !isa<ScalableVectorType>(inst.getType()) &&
         (isa<FPTruncInst, SIToFPInst, UIToFPInst>(inst) ||
          isa<BinaryOperator>(inst));
}

void callRounding(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (rounds(inst)) {
        inst.replaceAllUsesWith(computed(inst));
        inst.eraseFromParent();
      }
}

void defineRounding(Module &module) {
  if (none_of(module, [](const Function &function) {
        return any_of(instructions(function), makesBfloat);
      }))
    return;
  LLVMContext &context = module.getContext();
  auto *function = dyn_cast<Function>(
      module
          .getOrInsertFunction("__truncsfbf2", Type::getBFloatTy(context),
                               Type::getFloatTy(context))
          .getCallee());
  if (!function || !function->isDeclaration())
    return;
  // This is the same computation as in device-runtime/cpu/bfloat.cpp.
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *number = function->getArg(0);
  Value *bits = builder.CreateBitCast(number, builder.getInt32Ty());
  Value *odd = builder.CreateAnd(builder.CreateLShr(bits, 16), 1);
  Value *near =
      builder.CreateAdd(builder.CreateAdd(bits, builder.getInt32(0x7fff)), odd);
  Value *made = builder.CreateSelect(
      builder.CreateFCmpUNO(number, number),
      builder.CreateOr(bits, builder.getInt32(0x400000)), near);
  builder.CreateRet(builder.CreateBitCast(
      builder.CreateTrunc(builder.CreateLShr(made, 16), builder.getInt16Ty()),
      builder.getBFloatTy()));
  function->setLinkage(GlobalValue::InternalLinkage);
  appendToCompilerUsed(module, {function});
}

/// Whether this is one of x86's intrinsics:
/// llvm.x86.avx512bf16.cvtneps2bf16.512.
static bool namesInstruction(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call || !call->getCalledFunction())
    return false;
  StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("llvm.x86.avx512bf16.") ||
         name.starts_with("llvm.x86.vcvtneps2bf16") ||
         name.starts_with("llvm.x86.vbcstnebf16");
}

void keepSmallBfloats(Module &module, const TargetMachine &machine) {
  constexpr StringLiteral features = "target-features";
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const TargetSubtargetInfo &target = *machine.getSubtargetImpl(function);
    if ((!target.checkFeatures("+avx512bf16") &&
         !target.checkFeatures("+avxneconvert")) ||
        none_of(instructions(function), makesBfloat) ||
        any_of(instructions(function), namesInstruction))
      continue;
    StringRef own = function.getFnAttribute(features).getValueAsString();
    function.addFnAttr(features,
                       ((own.empty() ? machine.getTargetFeatureString() : own) +
                        Twine(",-avx512bf16,-avxneconvert"))
                           .str());
  }
}

} // namespace xcc::cpu
