// Arguments without the padding of structures
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

static bool isPadding(const Type *type) {
  const auto *array = dyn_cast<ArrayType>(type);
  return array && array->getElementType()->isIntegerTy(8) &&
         array->getNumElements() > 64;
}

/// A function type without padding among its parameters, and which stay.
static FunctionType *withoutPadding(FunctionType *old,
                                    SmallVectorImpl<unsigned> &kept) {
  SmallVector<Type *> params;
  for (auto [index, type] : enumerate(old->params()))
    if (!isPadding(type)) {
      params.push_back(type);
      kept.push_back(index);
    }
  return FunctionType::get(old->getReturnType(), params, old->isVarArg());
}

static AttributeList attributesOf(LLVMContext &context, AttributeList old,
                                  ArrayRef<unsigned> kept) {
  SmallVector<AttributeSet> params;
  for (unsigned index : kept)
    params.push_back(old.getParamAttrs(index));
  return AttributeList::get(context, old.getFnAttrs(), old.getRetAttrs(),
                            params);
}

void dropPadding(Module &module) {
  LLVMContext &context = module.getContext();
  SmallVector<Function *> functions;
  SmallVector<CallBase *> calls;
  for (Function &function : module) {
    if (any_of(function.getFunctionType()->params(), isPadding))
      functions.push_back(&function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && any_of(call->getFunctionType()->params(), isPadding))
        calls.push_back(call);
  }
  for (CallBase *old : calls) {
    SmallVector<unsigned> kept;
    FunctionType *type = withoutPadding(old->getFunctionType(), kept);
    for (unsigned i = old->getFunctionType()->getNumParams();
         i < old->arg_size(); ++i)
      kept.push_back(i);
    SmallVector<Value *> args;
    for (unsigned index : kept)
      args.push_back(old->getArgOperand(index));
    SmallVector<OperandBundleDef> bundles;
    old->getOperandBundlesAsDefs(bundles);
    IRBuilder<> builder(old);
    CallBase *call;
    if (auto *invoke = dyn_cast<InvokeInst>(old))
      call = builder.CreateInvoke(type, old->getCalledOperand(),
                                  invoke->getNormalDest(),
                                  invoke->getUnwindDest(), args, bundles);
    else
      call = builder.CreateCall(type, old->getCalledOperand(), args, bundles);
    call->setCallingConv(old->getCallingConv());
    call->setAttributes(attributesOf(context, old->getAttributes(), kept));
    call->copyMetadata(*old);
    call->takeName(old);
    old->replaceAllUsesWith(call);
    old->eraseFromParent();
  }
  for (Function *old : functions) {
    SmallVector<unsigned> kept;
    FunctionType *type = withoutPadding(old->getFunctionType(), kept);
    auto *function =
        Function::Create(type, old->getLinkage(), old->getAddressSpace());
    module.getFunctionList().insert(old->getIterator(), function);
    function->copyAttributesFrom(old);
    function->setComdat(old->getComdat());
    function->setAttributes(attributesOf(context, old->getAttributes(), kept));
    function->takeName(old);
    function->splice(function->begin(), old);
    function->copyMetadata(old, 0);
    for (auto [at, index] : enumerate(kept)) {
      old->getArg(index)->replaceAllUsesWith(function->getArg(at));
      function->getArg(at)->takeName(old->getArg(index));
    }
    for (Argument &arg : old->args())
      arg.replaceAllUsesWith(PoisonValue::get(arg.getType()));
    for (Instruction &inst : make_early_inc_range(instructions(*function)))
      if (auto *store = dyn_cast<StoreInst>(&inst);
          store && isPadding(store->getValueOperand()->getType()) &&
          isa<PoisonValue>(store->getValueOperand()))
        store->eraseFromParent();
    old->replaceAllUsesWith(function);
    old->eraseFromParent();
  }
}

} // namespace xcc::amdgcn
