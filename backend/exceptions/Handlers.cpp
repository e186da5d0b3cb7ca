// Whether device code catches exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers catch everything to clean up, and throw it again. If all handlers
// do so, every exception leaves its kernel, and ends the launch where it is
// thrown. Such a module needs no unwinding.

#include "Exceptions.h"
#include "HostCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

constexpr StringLiteral Flag = "xcc.catches";

bool isCallOf(const Instruction &inst, StringRef name) {
  const auto *call = dyn_cast<CallBase>(&inst);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name;
}

/// Whether \p function is the C++ library's. Its headers catch exceptions of a
/// stream's buffer and note them in the stream. Streams as kernels use them
/// throw nothing there.
bool isLibrarys(const Function &function) {
  StringRef name = function.getName();
  if (!name.consume_front("_Z"))
    return false;
  if (name.consume_front("N"))
    name.consume_front("K");
  // std, or one of its classes that the C++ ABI abbreviates (5.1.10).
  return name.starts_with("9__gnu_cxx") ||
         (name.size() > 1 && name[0] == 'S' &&
          StringRef("tabsiod").contains(name[1]));
}

/// Whether control may get from a handler's begin to its end without a throw.
bool mayComplete(const CallBase &begin) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const Instruction *> open = {&begin};
  while (!open.empty()) {
    const Instruction *inst = open.pop_back_val();
    for (;; inst = inst->getNextNode()) {
      if (isa<ReturnInst>(inst) || isCallOf(*inst, "__cxa_end_catch"))
        return true;
      if (inst->isTerminator())
        break;
    }
    auto follow = [&](const BasicBlock *block) {
      if (seen.insert(block).second)
        open.push_back(&block->front());
    };
    if (const auto *invoke = dyn_cast<InvokeInst>(inst))
      follow(invoke->getNormalDest());
    else
      for (const BasicBlock *next : successors(inst->getParent()))
        follow(next);
  }
  return false;
}

} // namespace

bool hasHandlers(const Module &module) {
  // The handler of std::set_terminate handles what a noexcept function throws.
  if (module.getFunction("_ZSt13set_terminatePFvvE") &&
      module.getFunction("__clang_call_terminate"))
    return true;
  const Function *begin = module.getFunction("__cxa_begin_catch");
  return begin && any_of(begin->users(), [](const User *user) {
           const auto *call = dyn_cast<CallBase>(user);
           return call && !isLibrarys(*call->getFunction()) &&
                  mayComplete(*call);
         });
}

void dropInvokes(Function &function,
                 function_ref<bool(const InvokeInst &)> isIdle) {
  bool changed = false;
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator());
        invoke && isIdle(*invoke)) {
      changeToCall(invoke);
      changed = true;
    }
  if (changed)
    removeUnreachableBlocks(function);
}

void dropUnwinding(Module &module) {
  for (Function &function : module) {
    dropInvokes(function, [](const InvokeInst &) { return true; });
    if (function.hasPersonalityFn())
      function.setPersonalityFn(nullptr);
  }
}

void keepUnwinding(Module &module, bool sharesCode) {
  module.addModuleFlag(Module::Override, Flag, 1);
  // Declares the functions of the libraries that `lower` will call.
  LLVMContext &context = module.getContext();
  auto *ptr = PointerType::getUnqual(context);
  auto *i32 = Type::getInt32Ty(context);
  Type *none = Type::getVoidTy(context);
  module.getOrInsertFunction("__xcc_select",
                             FunctionType::get(i32, {ptr, ptr, i32}, false));
  module.getOrInsertFunction("__xcc_uncaught",
                             FunctionType::get(none, {ptr}, false));
  if (!sharesCode)
    return;
  markHostCalls(module);
  module.getOrInsertFunction("__xcc_give_exceptions",
                             FunctionType::get(none, {ptr}, false));
  module.getOrInsertFunction("__xcc_take_exceptions",
                             FunctionType::get(ptr, false));
  module.getOrInsertFunction("__xcc_call_host",
                             FunctionType::get(ptr, {ptr, ptr}, false));
  module.getOrInsertFunction(ThrowThroughName,
                             FunctionType::get(none, {ptr}, false));
}

bool keepsUnwinding(const Module &module) {
  return module.getModuleFlag(Flag) != nullptr;
}

} // namespace xcc::exceptions
