// Device code without exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exceptions/Exceptions.h"
#include "exceptions/Throws.h"
#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::gpu {

/// XCC_TRAP_OBJECT of rpc/services/image.h.
static constexpr uint64_t MostBytes = 256;

/// Whether a thrown object can be sent to the host as bytes: it needs no
/// destructor and has a small known size.
static bool keepsObject(const CallBase &thrown) {
  auto size = exceptions::thrownSize(thrown);
  return size && *size && *size <= MostBytes &&
         isa<ConstantPointerNull>(thrown.getArgOperand(2)->stripPointerCasts());
}

/// Allocates an exception object in its function's frame.
static Value *makeRoom(CallBase &made, uint64_t size) {
  Function &function = *made.getFunction();
  IRBuilder<> entry(&function.getEntryBlock(),
                    function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *room = entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), size),
                                        nullptr, "xcc.object");
  room->setAlignment(Align(16));
  Value *address =
      entry.CreatePointerBitCastOrAddrSpaceCast(room, made.getType());
  made.replaceAllUsesWith(address);
  if (auto *invoke = dyn_cast<InvokeInst>(&made))
    changeToCall(invoke);
  else
    made.eraseFromParent();
  return address;
}

/// Replaces throws by code that ends the launch. The object is constructed
/// first; its construction is removed if it has no effect.
static void endAtThrows(Module &module) {
  SmallVector<WeakTrackingVH> throws; // a throw may be part of another's object
  for (StringRef name :
       {StringRef("__cxa_throw"), StringRef(exceptions::ThrowName)})
    if (Function *function = module.getFunction(name))
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallInst>(user);
            call && call->getCalledFunction() == function)
          throws.push_back(call);
  if (throws.empty())
    return;
  auto *ptr = PointerType::getUnqual(module.getContext());
  FunctionCallee end = module.getOrInsertFunction(
      "__xcc_throw", FunctionType::get(Type::getVoidTy(module.getContext()),
                                       {ptr, ptr, ptr, ptr}, false));
  for (WeakTrackingVH &handle : throws) {
    if (!handle)
      continue;
    auto *thrown = cast<CallInst>(handle);
    CallBase *made = exceptions::allocationOf(*thrown);
    const auto *type =
        dyn_cast<GlobalVariable>(thrown->getArgOperand(1)->stripPointerCasts());
    Value *null = ConstantPointerNull::get(ptr);
    Value *object = null;
    Instruction *at = made ? cast<Instruction>(made) : thrown;
    Value *text = null;
    if (made)
      if (Constant *known = exceptions::textOf(*thrown))
        text = ConstantExpr::getPointerBitCastOrAddrSpaceCast(known, ptr);
    if (made && keepsObject(*thrown)) {
      object = makeRoom(*made, *exceptions::thrownSize(*thrown));
      at = thrown;
    }
    IRBuilder<> builder(at);
    Value *name = null;
    if (type) {
      StringRef symbol = type->getName();
      symbol.consume_front("_ZTI"); // as in std::type_info::name()
      name = builder.CreatePointerBitCastOrAddrSpaceCast(
          builder.CreateGlobalString(symbol, "xcc.thrown"), ptr);
    }
    Value *place = thrown->arg_size() > 3 ? thrown->getArgOperand(3) : null;
    auto *call = builder.CreateCall(end, {object, name, place, text});
    call->setDebugLoc(thrown->getDebugLoc());
    call->setDoesNotReturn();
    Function &function = *thrown->getFunction();
    if (at == made)
      made->replaceAllUsesWith(PoisonValue::get(made->getType()));
    changeToUnreachable(at);
    removeUnreachableBlocks(function);
  }
}

void removeUnwinding(Module &module) {
  for (Function &function : module) {
    function.setDoesNotThrow();
    function.setUWTableKind(UWTableKind::None);
    if (function.isDeclaration())
      continue;
    exceptions::dropInvokes(function, [](const InvokeInst &) { return true; });
    if (function.hasPersonalityFn())
      function.setPersonalityFn(nullptr);
  }
  endAtThrows(module);
}

} // namespace xcc::gpu
