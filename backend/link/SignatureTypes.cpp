// One type for each layout in signatures
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SignatureTypes.h"
#include "support/Signature.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc {
namespace {

bool hasName(Type *type) {
  if (auto *structure = dyn_cast<StructType>(type);
      structure && !structure->isLiteral())
    return !structure->isOpaque();
  return type->isAggregateType() && any_of(type->subtypes(), hasName);
}

bool hasName(FunctionType *type) {
  return hasName(type->getReturnType()) ||
         any_of(type->params(), [](Type *param) { return hasName(param); });
}

Type *unnamed(Type *type) {
  if (!hasName(type))
    return type;
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(unnamed(array->getElementType()),
                          array->getNumElements());
  SmallVector<Type *> members;
  for (Type *member : type->subtypes())
    members.push_back(unnamed(member));
  return StructType::get(type->getContext(), members,
                         cast<StructType>(type)->isPacked());
}

FunctionType *unnamed(FunctionType *type) {
  SmallVector<Type *> params;
  for (Type *param : type->params())
    params.push_back(unnamed(param));
  return FunctionType::get(unnamed(type->getReturnType()), params,
                           type->isVarArg());
}

/// The same value in a type of the same layout.
Value *convert(IRBuilderBase &builder, Value *value, Type *to) {
  Type *from = value->getType();
  if (from == to)
    return value;
  Value *made = PoisonValue::get(to);
  const unsigned count = to->isArrayTy() ? unsigned(to->getArrayNumElements())
                                         : to->getStructNumElements();
  for (unsigned i = 0; i != count; ++i) {
    Type *part = to->isArrayTy() ? to->getArrayElementType()
                                 : to->getStructElementType(i);
    made = builder.CreateInsertValue(
        made, convert(builder, builder.CreateExtractValue(value, i), part), i);
  }
  return made;
}

/// A place behind a call where its result can be converted.
BasicBlock::iterator behind(CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke)
    return std::next(call.getIterator());
  BasicBlock *from = call.getParent(), *to = invoke->getNormalDest();
  auto *between =
      BasicBlock::Create(call.getContext(), "", call.getFunction(), to);
  auto *jump = BranchInst::Create(to, between);
  invoke->setNormalDest(between);
  to->replacePhiUsesWith(from, between);
  return jump->getIterator();
}

void changeCall(CallBase &call) {
  FunctionType *type = unnamed(call.getFunctionType());
  IRBuilder<> before(&call);
  for (unsigned i = 0; i != type->getNumParams(); ++i)
    call.setArgOperand(
        i, convert(before, call.getArgOperand(i), type->getParamType(i)));
  Type *result = call.getType();
  if (!hasName(result)) {
    call.mutateFunctionType(type);
    return;
  }
  SmallVector<Use *> uses;
  for (Use &use : call.uses())
    uses.push_back(&use);
  call.mutateFunctionType(type);
  // The caller of such a call returns the same type, and is changed too.
  if (uses.empty() || call.isMustTailCall())
    return;
  auto place = behind(call);
  IRBuilder<> after(place->getParent(), place);
  Value *converted = convert(after, &call, result);
  for (Use *use : uses)
    use->set(converted);
}

void changeFunction(Function &old) {
  FunctionType *type = unnamed(old.getFunctionType());
  changeType(
      old, type,
      [](IRBuilderBase &builder, Argument &from, Argument &to) {
        from.replaceAllUsesWith(convert(builder, &to, from.getType()));
      },
      [&](IRBuilderBase &builder, Value *value) {
        return convert(builder, value, type->getReturnType());
      });
}

} // namespace

void passStructuresUnnamed(Module &module) {
  SmallVector<CallBase *> calls;
  SmallVector<Function *> functions;
  for (Function &function : module) {
    if (!function.isIntrinsic() && hasName(function.getFunctionType()))
      functions.push_back(&function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
          hasName(call->getFunctionType()))
        calls.push_back(call);
  }
  for (CallBase *call : calls)
    changeCall(*call);
  for (Function *function : functions)
    changeFunction(*function);
}

} // namespace xcc
