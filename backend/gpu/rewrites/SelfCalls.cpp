// Calls of a function to itself, hidden from LLVM's Attributor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Attributor, which for AMD GPUs is the last pass over a module, looks for
// values that others can be replaced by. What a call returns it takes for the
// value in the callee's return, if that lies in the same function, though in
// recursion it is another activation's: of
//
//   Node walk(Node n, unsigned depth) {
//     if (!depth) return n;
//     Node deeper = walk({n.v * 3, ...}, depth - 1);
//     ... deeper.v ...
//
// it made `n.v`. With one structure returned at the end, of which it looks
// through the construction, nothing more has to be the case.
//
// So until it has run, a function calls another function where it calls itself: a
// declaration that says of itself that it needs none of a kernel's implicit
// inputs, as recursion adds none to those of the function. And while not all of
// its calls can be seen, the function is not internal.

#include "gpu/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// On the declaration: the function's name, and whether that was internal.
constexpr StringLiteral OfAttr = "xcc.again-of", InternalAttr = "xcc.internal";

/// What AMD's back end asks of a function.
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
    // Who calls a function that is gone is gone as well.
    if (again.use_empty())
      again.eraseFromParent();
    any = true;
  }
  return any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::gpu
