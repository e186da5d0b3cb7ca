// Which functions may throw, and which ask for the thread's exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Throwers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::exceptions {

Function *calleeOf(const CallBase &call) {
  auto *callee =
      dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return callee && callee->getFunctionType() == call.getFunctionType()
             ? callee
             : nullptr;
}

Throwers::Throwers(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasAddressTaken())
      pointedAt.insert(&function);
  bool changed = true;
  while (changed) {
    changed = false;
    for (Function &function : module)
      if (!function.isDeclaration())
        changed |= visit(function);
  }
}

bool Throwers::mayThrow(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (const Function *callee = calleeOf(call))
    return mayThrow(*callee) || callee->getName() == UnwindName;
  return throwingTypes.contains(call.getFunctionType());
}

bool Throwers::needsState(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (const Function *callee = calleeOf(call))
    return needsState(*callee);
  return needingTypes.contains(call.getFunctionType());
}

bool Throwers::visit(Function &function) {
  bool throws = false, resumes = false, invokes = false, needs = false;
  for (Instruction &inst : instructions(function)) {
    resumes |= isa<ResumeInst>(inst);
    auto *call = dyn_cast<CallBase>(&inst);
    if (!call)
      continue;
    if (mayThrow(*call))
      (isa<InvokeInst>(call) ? invokes : throws) = true;
    const Function *callee = calleeOf(*call);
    needs |= needsState(*call) || (callee && callee->getName() == StateName);
  }
  throws |= resumes && invokes;
  needs |= throws || invokes;
  bool changed = (throws && throwing.insert(&function).second);
  changed |= needs && needing.insert(&function).second;
  if (!pointedAt.contains(&function))
    return changed;
  const FunctionType *type = function.getFunctionType();
  changed |= throws && throwingTypes.insert(type).second;
  changed |= needs && needingTypes.insert(type).second;
  // Whoever calls through a pointer hands the state to all of a type.
  if (needingTypes.contains(type))
    changed |= needing.insert(&function).second;
  return changed;
}

} // namespace xcc::exceptions
