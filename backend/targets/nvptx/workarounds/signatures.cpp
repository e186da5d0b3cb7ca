// Vectors of bits in calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a parameter or result of type <4 x i1>, the back end declares one byte,
// as in memory. But it then stores and loads one byte for each element:
//
//     .func (.param .align 16 .b8 func_retval0[1]) f()
//     st.param.v4.b8 [func_retval0], {%rs1, %rs2, %rs3, %rs4};
//
// ptxas accepts that, and the store overwrites what follows. So this passes
// such vectors as integers, which have the elements side by side as in memory.
// It does the same with vectors of other integers that are not whole bytes.

#include "support/Signature.h"
#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

bool isOfBits(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !vector->getElementType()->isIntegerTy())
    return false;
  unsigned bits = vector->getScalarSizeInBits();
  return bits < 8 || bits > 64 || !isPowerOf2_32(bits);
}

bool hasBits(Type *type) {
  return isOfBits(type) ||
         (type->isAggregateType() && any_of(type->subtypes(), hasBits));
}

/// The number of 64-bit words for a vector that does not fit into one integer.
uint64_t wordsOf(Type *type) {
  return divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), 64);
}

/// The type that is passed instead of a type.
Type *passedAs(Type *type) {
  if (!hasBits(type))
    return type;
  LLVMContext &context = type->getContext();
  if (isOfBits(type)) {
    uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
    if (bits <= 64)
      return Type::getIntNTy(context,
                             std::max<uint64_t>(8, PowerOf2Ceil(bits)));
    return ArrayType::get(Type::getInt64Ty(context), wordsOf(type));
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(passedAs(array->getElementType()),
                          array->getNumElements());
  SmallVector<Type *> members;
  for (Type *member : type->subtypes())
    members.push_back(passedAs(member));
  return StructType::get(context, members, cast<StructType>(type)->isPacked());
}

FunctionType *passedAs(FunctionType *type) {
  SmallVector<Type *> params;
  for (Type *param : type->params())
    params.push_back(passedAs(param));
  return FunctionType::get(passedAs(type->getReturnType()), params,
                           type->isVarArg());
}

unsigned partsOf(Type *type) {
  auto *array = dyn_cast<ArrayType>(type);
  return array ? array->getNumElements() : type->getStructNumElements();
}

Value *toPassed(IRBuilderBase &builder, Value *value) {
  Type *type = value->getType(), *wanted = passedAs(type);
  if (type == wanted)
    return value;
  Value *made = PoisonValue::get(wanted);
  if (!isOfBits(type)) {
    for (unsigned i = 0; i < partsOf(type); ++i)
      made = builder.CreateInsertValue(
          made, toPassed(builder, builder.CreateExtractValue(value, i)), i);
    return made;
  }
  // A poison element must not make the other elements poison.
  uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
  Value *whole = builder.CreateBitCast(builder.CreateFreeze(value),
                                       builder.getIntNTy(bits));
  if (wanted->isIntegerTy())
    return builder.CreateZExt(whole, wanted);
  whole = builder.CreateZExt(whole, builder.getIntNTy(64 * wordsOf(type)));
  for (unsigned i = 0; i < wordsOf(type); ++i)
    made = builder.CreateInsertValue(
        made,
        builder.CreateTrunc(builder.CreateLShr(whole, 64 * i),
                            builder.getInt64Ty()),
        i);
  return made;
}

Value *fromPassed(IRBuilderBase &builder, Value *passed, Type *type) {
  if (type == passed->getType())
    return passed;
  if (!isOfBits(type)) {
    Value *made = PoisonValue::get(type);
    for (unsigned i = 0; i < partsOf(type); ++i) {
      Type *part = type->isArrayTy() ? type->getArrayElementType()
                                     : type->getStructElementType(i);
      made = builder.CreateInsertValue(
          made,
          fromPassed(builder, builder.CreateExtractValue(passed, i), part), i);
    }
    return made;
  }
  uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
  Value *whole = passed;
  if (passed->getType()->isArrayTy()) {
    Type *all = builder.getIntNTy(64 * wordsOf(type));
    whole = ConstantInt::get(all, 0);
    for (unsigned i = 0; i < wordsOf(type); ++i) {
      Value *word = builder.CreateExtractValue(passed, i);
      whole = builder.CreateOr(
          whole, builder.CreateShl(builder.CreateZExt(word, all), 64 * i));
    }
  }
  return builder.CreateBitCast(
      builder.CreateTrunc(whole, builder.getIntNTy(bits)), type);
}

/// The attributes of the new signature. Attributes of values whose type changes
/// are removed.
AttributeList attributesFor(AttributeList old, FunctionType *before,
                            LLVMContext &context) {
  auto forType = [&](AttributeSet set, Type *type) {
    return hasBits(type) ? AttributeSet() : set;
  };
  SmallVector<AttributeSet> params;
  unsigned count = old.getNumAttrSets() < 2 ? 0 : old.getNumAttrSets() - 2;
  for (unsigned i = 0; i < std::max(count, before->getNumParams()); ++i)
    params.push_back(
        i < before->getNumParams()
            ? forType(old.getParamAttrs(i), before->getParamType(i))
            : old.getParamAttrs(i));
  return AttributeList::get(context, old.getFnAttrs(),
                            forType(old.getRetAttrs(), before->getReturnType()),
                            params);
}

void replaceFunction(Function &old) {
  FunctionType *before = old.getFunctionType();
  const AttributeList attributes =
      attributesFor(old.getAttributes(), before, old.getContext());
  changeType(
      old, passedAs(before),
      [](IRBuilderBase &builder, Argument &from, Argument &to) {
        from.replaceAllUsesWith(fromPassed(builder, &to, from.getType()));
      },
      [](IRBuilderBase &builder, Value *value) {
        return toPassed(builder, value);
      })
      ->setAttributes(attributes);
}

void replaceCall(CallInst &call) {
  FunctionType *before = call.getFunctionType();
  IRBuilder<> builder(&call);
  SmallVector<Value *> args(call.args());
  for (unsigned i = 0; i < before->getNumParams(); ++i)
    args[i] = toPassed(builder, args[i]);
  SmallVector<OperandBundleDef> bundles;
  call.getOperandBundlesAsDefs(bundles);
  CallInst *made = builder.CreateCall(passedAs(before), call.getCalledOperand(),
                                      args, bundles);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(
      attributesFor(call.getAttributes(), before, call.getContext()));
  made->copyMetadata(call);
  if (!call.getType()->isVoidTy()) {
    Value *result = fromPassed(builder, made, call.getType());
    call.replaceAllUsesWith(result);
    result->takeName(&call);
  }
  call.eraseFromParent();
}

bool passesBits(FunctionType *type) {
  return hasBits(type->getReturnType()) || any_of(type->params(), hasBits);
}

} // namespace

void passBitsAsIntegers(Module &module) {
  SmallVector<CallInst *> calls;
  SmallVector<Function *> functions;
  for (Function &function : module) {
    if (!function.isIntrinsic() &&
        function.getCallingConv() != CallingConv::PTX_Kernel &&
        passesBits(function.getFunctionType()))
      functions.push_back(&function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst);
          call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
          passesBits(call->getFunctionType()))
        calls.push_back(call);
  }
  for (CallInst *call : calls)
    replaceCall(*call);
  for (Function *function : functions)
    replaceFunction(*function);
}

} // namespace xcc::nvptx
