// Device code without exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exceptions/Exceptions.h"
#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::gpu {

/// What is thrown is made first; that a throw is coming is all a device needs.
static void endAtThrows(Module &module) {
  Function *allocate = module.getFunction("__cxa_allocate_exception");
  if (!allocate)
    return;
  auto *ptr = PointerType::getUnqual(module.getContext());
  auto *i32 = Type::getInt32Ty(module.getContext());
  Constant *null = ConstantPointerNull::get(ptr);
  FunctionCallee trap = module.getOrInsertFunction(
      "__xcc_trap",
      FunctionType::get(Type::getVoidTy(module.getContext()),
                        {i32, ptr, ptr, i32}, /*isVarArg=*/false));
  Constant *kind = ConstantInt::get(i32, XCC_CPU_TRAP_EXCEPTION);
  for (User *user : make_early_inc_range(allocate->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != allocate)
      continue;
    // What is thrown is named where the object is.
    Constant *text = null;
    for (User *use : call->users())
      if (auto *thrown = dyn_cast<CallBase>(use);
          thrown && thrown->getCalledFunction() &&
          thrown->getCalledFunction()->getName() == "__cxa_throw")
        if (auto *type = dyn_cast<GlobalVariable>(
                thrown->getArgOperand(1)->stripPointerCasts())) {
          StringRef name = type->getName();
          name.consume_front("_ZTI"); // as std::type_info::name() has it
          text = IRBuilder<>(call).CreateGlobalString(name, "xcc.thrown");
          text = ConstantExpr::getPointerBitCastOrAddrSpaceCast(text, ptr);
        }
    auto *end =
        CallInst::Create(trap, {kind, text, null, ConstantInt::get(i32, 0)}, "",
                         call->getIterator());
    end->setDebugLoc(call->getDebugLoc());
    end->setDoesNotReturn();
    Function &function = *call->getFunction();
    call->replaceAllUsesWith(PoisonValue::get(ptr));
    changeToUnreachable(call);
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
