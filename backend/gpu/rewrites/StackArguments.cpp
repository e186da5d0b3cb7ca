// What functions get in their callers' frames
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang has a caller give the address of a result, and of an object that is passed
// by value and has a destructor, as one of the stack's address space. A program's
// device code has the host's types, where this is a pointer like any other. Our
// libraries are compiled for the machine alone, and a virtual function of theirs
// would look for its other arguments elsewhere.

#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

bool isOnStack(Type *type, AttributeSet attributes, unsigned stack) {
  return type->isPointerTy() && type->getPointerAddressSpace() == stack &&
         (attributes.hasAttribute(Attribute::StructRet) ||
          attributes.hasAttribute(Attribute::DeadOnReturn));
}

/// The type with generic pointers, null if there is no other in it.
FunctionType *genericType(FunctionType *type, const AttributeList &attributes,
                          unsigned stack) {
  SmallVector<Type *> parameters(type->params());
  bool changes = false;
  for (auto [i, parameter] : enumerate(parameters))
    if (isOnStack(parameter, attributes.getParamAttrs(i), stack)) {
      parameter = PointerType::getUnqual(type->getContext());
      changes = true;
    }
  return changes ? FunctionType::get(type->getReturnType(), parameters,
                                     type->isVarArg())
                 : nullptr;
}

void replace(Function &function, FunctionType *type) {
  auto *now =
      Function::Create(type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), now);
  now->copyAttributesFrom(&function);
  now->takeName(&function);
  now->setComdat(function.getComdat());
  now->splice(now->begin(), &function);
  for (auto [from, to] : zip(function.args(), now->args())) {
    Value *value = &to;
    to.takeName(&from);
    if (from.getType() != to.getType() && !now->isDeclaration())
      value = IRBuilder<>(&*now->getEntryBlock().getFirstInsertionPt())
                  .CreateAddrSpaceCast(&to, from.getType());
    if (!from.use_empty())
      from.replaceAllUsesWith(value);
  }
  now->copyMetadata(&function, 0);
  function.clearMetadata();
  function.replaceAllUsesWith(now);
  function.eraseFromParent();
}

void giveGeneric(CallBase &call, unsigned stack) {
  FunctionType *type =
      genericType(call.getFunctionType(), call.getAttributes(), stack);
  if (!type)
    return;
  IRBuilder<> builder(&call);
  for (unsigned i = 0; i != type->getNumParams(); ++i)
    if (Value *given = call.getArgOperand(i);
        given->getType() != type->getParamType(i))
      call.setArgOperand(
          i, builder.CreateAddrSpaceCast(given, type->getParamType(i)));
  call.mutateFunctionType(type);
}

} // namespace

void passStackGenerically(Module &module) {
  const unsigned stack = module.getDataLayout().getAllocaAddrSpace();
  if (!stack)
    return;
  for (Function &function : make_early_inc_range(module)) {
    if (function.isIntrinsic())
      continue;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && !isa<IntrinsicInst>(call) && !call->isInlineAsm())
        giveGeneric(*call, stack);
    if (FunctionType *type = genericType(function.getFunctionType(),
                                         function.getAttributes(), stack))
      replace(function, type);
  }
}

} // namespace xcc::gpu
