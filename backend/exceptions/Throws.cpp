// Where exceptions are thrown
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error of a launch that ends by an exception names the function that threw
// it, and the line if there is debug information. So each throw records its
// place, before anything is inlined.

#include "Throws.h"
#include "Exceptions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

Constant *generic(Constant *pointer) {
  return ConstantExpr::getPointerBitCastOrAddrSpaceCast(
      pointer, PointerType::getUnqual(pointer->getContext()));
}

Constant *constantOf(Module &module, Constant *value, const Twine &name) {
  auto *variable = new GlobalVariable(
      module, value->getType(), /*isConstant=*/true,
      GlobalValue::PrivateLinkage, value, name, nullptr,
      GlobalValue::NotThreadLocal,
      module.getDataLayout().getDefaultGlobalsAddressSpace());
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return generic(variable);
}

/// An xcc_throw_place (rpc/services/thrown.h).
Constant *placeOf(const CallBase &thrown, Module &module) {
  LLVMContext &context = module.getContext();
  auto *ptr = PointerType::getUnqual(context);
  auto *i32 = Type::getInt32Ty(context);
  // Drop the suffix that linking adds to make a local function's name unique.
  StringRef name = thrown.getFunction()->getName().split('.').first;
  Constant *function = constantOf(
      module, ConstantDataArray::getString(context, name), "xcc.thrower");
  Constant *file = ConstantPointerNull::get(ptr);
  unsigned line = 0;
  if (const DILocation *at = thrown.getDebugLoc(); at && at->getLine()) {
    file = constantOf(module,
                      ConstantDataArray::getString(context, at->getFilename()),
                      "xcc.thrower");
    line = at->getLine();
  }
  return constantOf(
      module,
      ConstantStruct::get(
          StructType::get(ptr, ptr, i32, i32),
          {function, file, ConstantInt::get(i32, line),
           ConstantInt::get(i32, uint32_t(thrownSize(thrown).value_or(0)))}),
      "xcc.throw");
}

} // namespace

CallBase *allocationOf(const CallBase &thrown) {
  auto *object =
      dyn_cast<CallBase>(thrown.getArgOperand(0)->stripPointerCasts());
  return object && object->getCalledFunction() &&
                 object->getCalledFunction()->getName() ==
                     "__cxa_allocate_exception"
             ? object
             : nullptr;
}

std::optional<uint64_t> thrownSize(const CallBase &thrown) {
  const CallBase *object = allocationOf(thrown);
  const auto *size =
      object ? dyn_cast<ConstantInt>(object->getArgOperand(0)) : nullptr;
  return size ? std::optional(size->getZExtValue()) : std::nullopt;
}

void markThrows(Module &module) {
  Function *plain = module.getFunction("__cxa_throw");
  if (!plain)
    return;
  auto *ptr = PointerType::getUnqual(module.getContext());
  FunctionCallee named = module.getOrInsertFunction(
      ThrowName, FunctionType::get(Type::getVoidTy(module.getContext()),
                                   {ptr, ptr, ptr, ptr}, false));
  for (User *user : make_early_inc_range(plain->users())) {
    auto *thrown = dyn_cast<CallBase>(user);
    if (!thrown || thrown->getCalledOperand() != plain ||
        thrown->arg_size() != 3)
      continue;
    IRBuilder<> builder(thrown);
    SmallVector<Value *, 4> arguments;
    for (Value *argument : thrown->args())
      arguments.push_back(
          builder.CreatePointerBitCastOrAddrSpaceCast(argument, ptr));
    arguments.push_back(placeOf(*thrown, module));
    CallBase *now;
    if (auto *invoke = dyn_cast<InvokeInst>(thrown))
      now = builder.CreateInvoke(named, invoke->getNormalDest(),
                                 invoke->getUnwindDest(), arguments);
    else
      now = builder.CreateCall(named, arguments);
    now->setDoesNotReturn();
    now->setDebugLoc(thrown->getDebugLoc());
    thrown->eraseFromParent();
  }
}

} // namespace xcc::exceptions
