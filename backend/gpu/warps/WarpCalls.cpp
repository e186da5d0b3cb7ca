// Calls that lead to warp operations
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime's services, such as printf, work with any set of lanes
// that call them together. A program cannot see which lanes these are. So the
// warp operations of services do not count.

#include "WarpCalls.h"
#include "Names.h"
#include "gpu/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

static constexpr StringLiteral ServiceNote = "xcc.service";

bool isWarpOperation(StringRef name) {
  return name.starts_with("__xcc_shuffle_") ||
         name.starts_with("__xcc_match_") ||
         name.starts_with("__xcc_reduce_") || name == "__xcc_ballot" ||
         name == "__xcc_sync_warp";
}

void markProgram(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(attribute::Program);
}

void markServices(Module &module) {
  MDNode *note = MDNode::get(module.getContext(), {});
  for (Function &function : module)
    if (!function.hasFnAttribute(attribute::Program) &&
        !isWarpOperation(function.getName()))
      for (Instruction &inst : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&inst);
            call && call->isConvergent())
          call->setMetadata(ServiceNote, note);
}

bool WarpCalls::isOperation(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  if (!callee || call.hasMetadata(ServiceNote))
    return false;
  if (callee->isIntrinsic())
    return callee->isConvergent() &&
           !is_contained(ops.barriers, callee->getIntrinsicID());
  return isWarpOperation(callee->getName());
}

WarpCalls::WarpCalls(const Module &module, const BarrierOps &ops) : ops(ops) {
  SmallVector<const Function *> work;
  auto leads = [&](const Function &function) {
    if (leading.insert(&function).second)
      work.push_back(&function);
  };
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && isOperation(*call)) {
        leads(function);
        break;
      }
  while (!work.empty()) {
    const Function *function = work.pop_back_val();
    for (const User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == function)
        leads(*call->getFunction());
    if (throughPointers || !function->hasAddressTaken())
      continue;
    throughPointers = true;
    for (const Function &caller : module)
      for (const Instruction &inst : instructions(caller))
        if (auto *call = dyn_cast<CallBase>(&inst);
            call && call->isIndirectCall() && !call->isInlineAsm())
          leads(caller);
  }
}

bool WarpCalls::operator()(const CallBase &call) const {
  if (isOperation(call))
    return true;
  if (const Function *callee = call.getCalledFunction())
    return leading.contains(callee);
  return throughPointers && call.isIndirectCall() && !call.isInlineAsm();
}

} // namespace xcc::gpu
