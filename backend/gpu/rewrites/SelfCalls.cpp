// Workaround: hides recursive calls from LLVM's Attributor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Attributor, which for AMD GPUs is the last pass over a module, replaces
// values by equal ones. It takes the result of a call for the value in the
// callee's return instruction, if that is in the same function. But in
// recursion, that value belongs to another activation. For
//
//   Node walk(Node n, unsigned depth) {
//     if (!depth) return n;
//     Node deeper = walk({n.v * 3, ...}, depth - 1);
//     ... deeper.v ...
//
// it replaced `deeper.v` by `n.v`. It is enough that the function returns one
// structure at its end, because the Attributor looks through its construction.
//
// So until the Attributor has run, a recursive call calls another function: a
// declaration with attributes that it needs none of a kernel's implicit inputs,
// because recursion needs no more than the function itself. While such calls
// are hidden, the function is not internal.

#include "gpu/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// Attributes of the declaration: the function's name, and whether it was
/// internal.
constexpr StringLiteral OfAttr = "xcc.again-of", InternalAttr = "xcc.internal";

/// The inputs that AMD's back end may add to a function.
constexpr StringLiteral NoInputs[] = {"amdgpu-no-dispatch-ptr",
                                      "amdgpu-no-queue-ptr",
                                      "amdgpu-no-dispatch-id",
                                      "amdgpu-no-implicitarg-ptr",
                                      "amdgpu-no-multigrid-sync-arg",
                                      "amdgpu-no-hostcall-ptr",
                                      "amdgpu-no-heap-ptr",
                                      "amdgpu-no-workgroup-id-x",
                                      "amdgpu-no-workgroup-id-y",
                                      "amdgpu-no-workgroup-id-z",
                                      "amdgpu-no-workitem-id-x",
                                      "amdgpu-no-workitem-id-y",
                                      "amdgpu-no-workitem-id-z",
                                      "amdgpu-no-lds-kernel-id",
                                      "amdgpu-no-default-queue",
                                      "amdgpu-no-completion-action",
                                      "amdgpu-no-flat-scratch-init",
                                      "amdgpu-no-cluster-id-x",
                                      "amdgpu-no-cluster-id-y",
                                      "amdgpu-no-cluster-id-z",
                                      "amdgpu-no-wwm"};

void hide(Function &function, ArrayRef<CallBase *> calls) {
  auto *again =
      Function::Create(function.getFunctionType(), GlobalValue::ExternalLinkage,
                       function.getAddressSpace(),
                       function.getName() + ".again", function.getParent());
  again->setCallingConv(function.getCallingConv());
  again->setAttributes(function.getAttributes());
  for (StringRef attribute : NoInputs)
    again->addFnAttr(attribute);
  again->addFnAttr(OfAttr, function.getName());
  for (CallBase *call : calls)
    call->setCalledFunction(again);
  if (function.hasLocalLinkage()) {
    again->addFnAttr(InternalAttr);
    function.setLinkage(GlobalValue::ExternalLinkage);
  }
}

} // namespace

PreservedAnalyses HideSelfCallsPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool any = false;
  for (Function &function : make_early_inc_range(module)) {
    if (function.isDeclaration() || function.getReturnType()->isVoidTy())
      continue;
    SmallVector<CallBase *> calls;
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && call->getCalledFunction() == &function)
        calls.push_back(call);
    if (!calls.empty()) {
      hide(function, calls);
      any = true;
    }
  }
  return any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses ShowSelfCallsPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool any = false;
  for (Function &again : make_early_inc_range(module)) {
    if (!again.hasFnAttribute(OfAttr))
      continue;
    Function *function =
        module.getFunction(again.getFnAttribute(OfAttr).getValueAsString());
    if (function) {
      if (again.hasFnAttribute(InternalAttr))
        function->setLinkage(GlobalValue::InternalLinkage);
      again.replaceAllUsesWith(function);
    }
    // Calls may remain in functions that were erased.
    if (again.use_empty())
      again.eraseFromParent();
    any = true;
  }
  return any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
