// The sign bit of NaNs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C++ and LLVM, -x, fabs(x) and copysign(x, y) change only the sign bit,
// also for a NaN. PTX's neg and abs promise nothing for a NaN: GPUs add -0, and
// the result is a NaN with any sign and payload. The back end writes neg and
// abs for all three. Both it and the optimiser also recognise integer
// operations on a number's bits and turn them into neg and abs.
//
// So these operations become operations on bits wherever the result's bits are
// visible. If only arithmetic uses the result, they stay: the sign of an
// arithmetic NaN is unspecified, and there they cost nothing as part of the
// using instruction.

#include "workarounds.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx {
namespace {

enum class Change { None, Negate, Clear, Copy };

/// What an instruction does to the sign of a number.
Change changeOf(const Instruction &instruction) {
  Type *type = instruction.getType()->getScalarType();
  if (!type->isHalfTy() && !type->isBFloatTy() && !type->isFloatTy() &&
      !type->isDoubleTy())
    return Change::None;
  if (instruction.getOpcode() == Instruction::FNeg)
    return Change::Negate;
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::fabs:
  case Intrinsic::nvvm_fabs:
  case Intrinsic::nvvm_fabs_ftz:
    return Change::Clear;
  case Intrinsic::copysign:
    return Change::Copy;
  default:
    return Change::None;
  }
}

/// The sign bit of numbers of this type, as integers. If the back end knew the
/// mask, it would use neg and abs again. So the mask comes from inline
/// assembly, and ptxas still knows its value.
Value *signBit(IRBuilder<> &builder, Type *integers) {
  Type *word = builder.getInt32Ty();
  CallInst *known = builder.CreateCall(
      InlineAsm::get(FunctionType::get(word, false), "mov.b32 $0, 0x80000000;",
                     "=r", /*hasSideEffects=*/false));
  known->setDoesNotAccessMemory();
  known->setDoesNotThrow();
  Value *sign = known;
  unsigned bits = integers->getScalarSizeInBits();
  if (bits == 64)
    sign =
        builder.CreateShl(builder.CreateZExt(sign, builder.getInt64Ty()), 32);
  else if (bits == 16)
    sign =
        builder.CreateTrunc(builder.CreateLShr(sign, 16), builder.getInt16Ty());
  if (auto *vector = dyn_cast<FixedVectorType>(integers))
    sign = builder.CreateVectorSplat(vector->getNumElements(), sign);
  return sign;
}

/// The same operation on the bits.
Value *ofBits(Instruction &instruction, Change change) {
  IRBuilder<> builder(&instruction);
  Type *type = instruction.getType();
  Type *integer =
      type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  Value *sign = signBit(builder, integer);
  auto bits = [&](unsigned operand) {
    return builder.CreateBitCast(instruction.getOperand(operand), integer);
  };
  Value *result = change == Change::Negate
                      ? builder.CreateXor(bits(0), sign)
                      : builder.CreateAnd(bits(0), builder.CreateNot(sign));
  if (change == Change::Copy)
    result = builder.CreateOr(result, builder.CreateAnd(bits(1), sign));
  return builder.CreateBitCast(result, type);
}

/// Whether an intrinsic only computes with numbers and never uses their bits.
bool computes(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return true;
  default:
    break;
  }
  // PTX's own arithmetic: with explicit rounding, or approximate.
  StringRef name = call.getCalledFunction()->getName();
  return name.consume_front("llvm.nvvm.") &&
         is_contained({"add", "mul", "fma", "div", "sqrt", "rsqrt", "rcp",
                       "ex2", "lg2", "sin", "cos", "fmin", "fmax"},
                      name.split('.').first);
}

/// Whether an instruction computes numbers from numbers, and any NaN operand
/// gives some NaN.
bool isArithmetic(const Instruction &user) {
  switch (user.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FCmp:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  default:
    break;
  }
  // A sign operation whose bits are visible has been replaced already, because
  // users are visited first.
  if (changeOf(user) != Change::None)
    return true;
  const auto *call = dyn_cast<IntrinsicInst>(&user);
  return call && computes(*call);
}

/// Whether only arithmetic uses a value here, also through selects and phis.
bool onlyComputes(const Use &use, SmallPtrSetImpl<const Instruction *> &seen) {
  const auto &user = *cast<Instruction>(use.getUser());
  if (isArithmetic(user))
    return true;
  if (!isa<SelectInst, PHINode>(user))
    return false;
  if (!seen.insert(&user).second)
    return true;
  constexpr unsigned Most = 16;
  return seen.size() <= Most && all_of(user.uses(), [&](const Use &next) {
           return onlyComputes(next, seen);
         });
}

/// The front end widens a half or bfloat16 to change its sign, and the
/// conversion turns every NaN into the same one. This changes the sign of the
/// narrow number itself.
void changeNarrow(Instruction &instruction) {
  Value *number = nullptr;
  auto *change = isa<FPTruncInst>(instruction)
                     ? dyn_cast<Instruction>(instruction.getOperand(0))
                     : nullptr;
  if (!change || !match(change->getOperand(0), m_FPExt(m_Value(number))) ||
      number->getType() != instruction.getType())
    return;
  IRBuilder<> builder(&instruction);
  Value *narrow = nullptr;
  switch (changeOf(*change)) {
  case Change::Negate:
    narrow = builder.CreateFNeg(number);
    break;
  case Change::Clear:
    narrow = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
    break;
  default:
    return;
  }
  instruction.replaceAllUsesWith(narrow);
  instruction.eraseFromParent();
}

void keepSign(Instruction &instruction) {
  Change change = changeOf(instruction);
  if (change == Change::None || cast<FPMathOperator>(instruction).hasNoNaNs())
    return;
  Value *bits = nullptr;
  for (Use &use : make_early_inc_range(instruction.uses())) {
    SmallPtrSet<const Instruction *, 8> seen;
    if (change != Change::Copy && onlyComputes(use, seen))
      continue;
    if (!bits)
      bits = ofBits(instruction, change);
    use.set(bits);
  }
  if (instruction.use_empty())
    instruction.eraseFromParent();
}

} // namespace

void keepSigns(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    SmallVector<BasicBlock *> blocks(post_order(&function));
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(*block))
        changeNarrow(instruction);
    // Users of a value must be visited before it.
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(reverse(*block)))
        keepSign(instruction);
  }
}

} // namespace xcc::nvptx
