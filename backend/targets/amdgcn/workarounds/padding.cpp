// Passes the padding of structures as words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang passes `struct alignas(1024) S { int n; }` as an int and [1020 x i8].
// Each byte of the array takes a register. The array may be padding, or contain
// other members of a union. So this passes the bytes as words. If they are
// padding, nothing reads them, and the optimiser removes them.

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

static bool isLong(const Type *type) {
  const auto *array = dyn_cast<ArrayType>(type);
  return array && array->getElementType()->isIntegerTy(8) &&
         array->getNumElements() > 64;
}

/// The type of the same bytes as words, plus the remaining bytes.
static Type *asWords(Type *bytes) {
  const uint64_t size = cast<ArrayType>(bytes)->getNumElements();
  Type *byte = bytes->getArrayElementType();
  Type *word = Type::getInt32Ty(bytes->getContext());
  return StructType::get(
      bytes->getContext(),
      {ArrayType::get(word, size / 4), ArrayType::get(byte, size % 4)},
      /*isPacked=*/true);
}

static FunctionType *withWords(FunctionType *old) {
  SmallVector<Type *> params;
  for (Type *type : old->params())
    params.push_back(isLong(type) ? asWords(type) : type);
  return FunctionType::get(old->getReturnType(), params, old->isVarArg());
}

/// Converts a value to another type through memory.
static Value *asType(IRBuilder<> &builder, Value *value, Type *type) {
  if (isa<UndefValue>(value))
    return PoisonValue::get(type);
  if (auto *load = dyn_cast<LoadInst>(value); load && load->isSimple()) {
    IRBuilder<> before(load);
    return before.CreateAlignedLoad(type, load->getPointerOperand(),
                                    load->getAlign());
  }
  Function *function = builder.GetInsertBlock()->getParent();
  IRBuilder<> entry(&*function->getEntryBlock().getFirstInsertionPt());
  AllocaInst *memory = entry.CreateAlloca(value->getType());
  memory->setAlignment(Align(4));
  builder.CreateAlignedStore(value, memory, Align(4));
  return builder.CreateAlignedLoad(type, memory, Align(4));
}

static void passWords(CallBase *old) {
  IRBuilder<> builder(old);
  FunctionType *type = withWords(old->getFunctionType());
  SmallVector<Value *> args(old->args());
  for (auto [index, arg] : enumerate(args))
    if (index < type->getNumParams() &&
        arg->getType() != type->getParamType(index))
      arg = asType(builder, arg, type->getParamType(index));
  SmallVector<OperandBundleDef> bundles;
  old->getOperandBundlesAsDefs(bundles);
  CallBase *call;
  if (auto *invoke = dyn_cast<InvokeInst>(old))
    call = builder.CreateInvoke(type, old->getCalledOperand(),
                                invoke->getNormalDest(),
                                invoke->getUnwindDest(), args, bundles);
  else
    call = builder.CreateCall(type, old->getCalledOperand(), args, bundles);
  call->setCallingConv(old->getCallingConv());
  call->setAttributes(old->getAttributes());
  call->copyMetadata(*old);
  call->takeName(old);
  old->replaceAllUsesWith(call);
  const SmallVector<Value *> given(old->args());
  old->eraseFromParent();
  for (Value *value : given)
    if (auto *load = dyn_cast<LoadInst>(value);
        load && isLong(load->getType()) && load->use_empty())
      load->eraseFromParent();
}

/// Replaces an argument of bytes by one of words in the function's body.
static void takeWords(Function &function, Argument &bytes, Argument &words) {
  for (User *user : make_early_inc_range(bytes.users()))
    if (auto *store = dyn_cast<StoreInst>(user);
        store && store->isSimple() && store->getValueOperand() == &bytes) {
      IRBuilder<> builder(store);
      builder.CreateAlignedStore(&words, store->getPointerOperand(),
                                 store->getAlign());
      store->eraseFromParent();
    }
  if (bytes.use_empty())
    return;
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  bytes.replaceAllUsesWith(asType(builder, &words, bytes.getType()));
}

static void takeWords(Module &module, Function *old) {
  auto *function = Function::Create(withWords(old->getFunctionType()),
                                    old->getLinkage(), old->getAddressSpace());
  module.getFunctionList().insert(old->getIterator(), function);
  function->copyAttributesFrom(old);
  function->setComdat(old->getComdat());
  function->takeName(old);
  function->splice(function->begin(), old);
  function->copyMetadata(old, 0);
  for (auto [from, to] : zip(old->args(), function->args())) {
    to.takeName(&from);
    if (from.getType() == to.getType())
      from.replaceAllUsesWith(&to);
    else if (!function->isDeclaration())
      takeWords(*function, from, to);
  }
  old->replaceAllUsesWith(function);
  old->eraseFromParent();
}

void passPaddingAsWords(Module &module) {
  SmallVector<Function *> functions;
  SmallVector<CallBase *> calls;
  for (Function &function : module) {
    if (any_of(function.getFunctionType()->params(), isLong))
      functions.push_back(&function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && any_of(call->getFunctionType()->params(), isLong))
        calls.push_back(call);
  }
  for (CallBase *call : calls)
    passWords(call);
  for (Function *function : functions)
    takeWords(module, function);
}

} // namespace xcc::amdgcn
