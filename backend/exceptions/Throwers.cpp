// Which functions may throw, and which use their callers' exception state
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Throwers.h"
#include "Exceptions.h"
#include "HostCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

/// Whether \p function is one of the two that enter and leave a handler. These
/// read the state of the function that calls them.
bool isCatch(const Function &function) {
  return function.getName() == "__cxa_begin_catch" ||
         function.getName() == "__cxa_end_catch";
}

/// Whether \p rethrow, a `throw;`, throws an exception again that its own
/// function handles: each path to it leads through the begin of a handler, and
/// through no end behind that.
bool throwsOwnAgain(const CallBase &rethrow) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const Instruction *> open = {&rethrow};
  while (!open.empty()) {
    const Instruction *inst = open.pop_back_val();
    const BasicBlock *block = inst->getParent();
    StringRef met;
    while (met.empty() && (inst = inst->getPrevNode()))
      if (const auto *call = dyn_cast<CallBase>(inst))
        if (const Function *callee = calleeOf(*call);
            callee && isCatch(*callee))
          met = callee->getName();
    if (met == "__cxa_begin_catch")
      continue;
    if (!met.empty() || pred_empty(block))
      return false;
    for (const BasicBlock *before : predecessors(block))
      if (seen.insert(before).second) {
        // An invoke of one of the two ends its block.
        const auto *last = dyn_cast<CallBase>(before->getTerminator());
        const Function *callee = last ? calleeOf(*last) : nullptr;
        if (callee && isCatch(*callee))
          return false;
        open.push_back(before->getTerminator());
      }
  }
  return true;
}

} // namespace

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
        if (!function.isDeclaration() && !isUnwound(function))
          changed |= (this->*visit)(function);
    }
  };
  settle(&Throwers::findThrows);
  for (Function &function : module)
    if (!function.isDeclaration())
      dropIdleInvokes(function);
  settle(&Throwers::findQueries);
}

bool Throwers::mayThrow(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (reachesPointer(call))
    return true;
  if (const Function *callee = calleeOf(call))
    return mayThrow(*callee) || callee->getName() == UnwindName;
  return throwingTypes.contains(call.getFunctionType());
}

bool Throwers::queriesState(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (reachesPointer(call))
    return !queryingTypes.empty();
  if (const Function *callee = calleeOf(call))
    return queriesState(*callee);
  return queryingTypes.contains(call.getFunctionType());
}

bool Throwers::takesState(const Function &function) const {
  return !function.isDeclaration() &&
         (queriesState(function) || isCatch(function));
}

bool Throwers::takesState(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (const Function *callee = calleeOf(call))
    return takesState(*callee);
  return !sharesCode && queriesState(call);
}

bool Throwers::returnsPending(const Function &function) const {
  return mayThrow(function) ||
         (!sharesCode && isPointedAt(function) &&
          throwingTypes.contains(function.getFunctionType()));
}

bool Throwers::returnsPending(const CallBase &call) const {
  if (call.isInlineAsm())
    return false;
  if (const Function *callee = calleeOf(call))
    return returnsPending(*callee);
  return !sharesCode && mayThrow(call);
}

bool Throwers::usesVariable(const CallBase &call) const {
  return sharesCode && !call.isInlineAsm() &&
         (!calleeOf(call) || reachesPointer(call)) &&
         (mayThrow(call) || queriesState(call));
}

bool Throwers::usesState(const Function &function) const {
  return any_of(instructions(function), [&](const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    const Function *callee = call ? calleeOf(*call) : nullptr;
    return call && (takesState(*call) || usesVariable(*call) ||
                    (callee && callee->getName() == StateName));
  });
}

bool Throwers::findThrows(Function &function) {
  if (function.getName() == TerminateName)
    return false;
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

/// Whether a call reads exceptions that its function's callers have caught.
bool Throwers::isQuery(const CallBase &call) const {
  const Function *callee = calleeOf(call);
  if (callee && callee->getName() == StateName)
    return !isCatch(*call.getFunction());
  return queriesState(call) &&
         !(callee && callee->getName() == "__cxa_rethrow" &&
           throwsOwnAgain(call));
}

bool Throwers::findQueries(Function &function) {
  const bool does = any_of(instructions(function), [&](Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    return call && isQuery(*call);
  });
  bool changed = does && querying.insert(&function).second;
  if (!pointedAt.contains(&function))
    return changed;
  const FunctionType *type = function.getFunctionType();
  changed |= does && queryingTypes.insert(type).second;
  // A call through a pointer passes the state to all functions of a type.
  if (!sharesCode && queryingTypes.contains(type))
    changed |= querying.insert(&function).second;
  return changed;
}

} // namespace xcc::exceptions
