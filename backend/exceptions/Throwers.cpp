// Which functions may throw, and which ask for the thread's exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Throwers.h"
#include "Exceptions.h"
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

Throwers::Throwers(Module &module, bool sharesCode) : sharesCode(sharesCode) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasAddressTaken())
      pointedAt.insert(&function);
  auto settle = [&](bool (Throwers::*visit)(Function &)) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Function &function : module)
        if (!function.isDeclaration())
          changed |= (this->*visit)(function);
    }
  };
  settle(&Throwers::findThrows);
  for (Function &function : module)
    if (!function.isDeclaration())
      dropIdleInvokes(function);
  settle(&Throwers::findNeeds);
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

bool Throwers::findThrows(Function &function) {
  bool throws = false, resumes = false, invokes = false;
  for (Instruction &inst : instructions(function)) {
    resumes |= isa<ResumeInst>(inst);
    auto *call = dyn_cast<CallBase>(&inst);
    if (call && mayThrow(*call))
      (isa<InvokeInst>(call) ? invokes : throws) = true;
  }
  if (!throws && !(resumes && invokes))
    return false;
  bool changed = throwing.insert(&function).second;
  if (pointedAt.contains(&function))
    changed |= throwingTypes.insert(function.getFunctionType()).second;
  return changed;
}

void Throwers::dropIdleInvokes(Function &function) {
  dropInvokes(function,
              [&](const InvokeInst &invoke) { return !mayThrow(invoke); });
}

bool Throwers::findNeeds(Function &function) {
  bool needs = any_of(instructions(function), [&](const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calleeOf(*call) : nullptr;
    return call && (mayThrow(*call) || needsState(*call) ||
                    (callee && callee->getName() == StateName));
  });
  bool changed = needs && needing.insert(&function).second;
  if (!pointedAt.contains(&function))
    return changed;
  const FunctionType *type = function.getFunctionType();
  changed |= needs && needingTypes.insert(type).second;
  // Whoever calls through a pointer hands the state to all of a type.
  if (!sharesCode && needingTypes.contains(type))
    changed |= needing.insert(&function).second;
  return changed;
}

} // namespace xcc::exceptions
