// The constant texts of exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If no handler can catch an exception, a GPU does not create the object that
// is thrown. Its text still belongs in the error. Most often the text is a
// constant: the argument of a constructor of the standard library, to which a
// class of the program may pass it on, or the result of the class's own what().

#include "Throws.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

const Function *calleeOf(const CallBase &call) {
  return dyn_cast<Function>(
      call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// std::logic_error, std::runtime_error and the classes derived from them, made
/// from a text: _ZNSt12out_of_rangeC1EPKc.
bool takesText(StringRef name) {
  unsigned length = 0;
  if (!name.consume_front("_ZNSt") ||
      !(name.consume_back("C1EPKc") || name.consume_back("C2EPKc")) ||
      name.consumeInteger(10, length) || name.size() != length)
    return false;
  return name.ends_with("_error") || name == "invalid_argument" ||
         name == "out_of_range";
}

/// The parameter that a value is. Clang's code loads a parameter from a
/// variable.
const Argument *parameterIn(const Value *value) {
  value = value->stripInBoundsConstantOffsets();
  if (const auto *argument = dyn_cast<Argument>(value))
    return argument;
  const auto *load = dyn_cast<LoadInst>(value);
  if (!load)
    return nullptr;
  const Argument *found = nullptr;
  SmallVector<const Value *> open = {
      load->getPointerOperand()->stripPointerCasts()};
  if (!isa<AllocaInst>(open.front()))
    return nullptr;
  while (!open.empty())
    for (const User *user : open.pop_back_val()->users()) {
      if (isa<AddrSpaceCastInst>(user)) {
        open.push_back(user);
      } else if (const auto *store = dyn_cast<StoreInst>(user)) {
        const auto *stored = dyn_cast<Argument>(store->getValueOperand());
        if (found || !stored)
          return nullptr;
        found = stored;
      }
    }
  return found;
}

/// \p value if it is a constant or a parameter of the caller; otherwise null.
const Value *knownValue(const Value *value) {
  return isa<Constant>(value) ? value : parameterIn(value);
}

/// The text from which a constructor makes its base class of the standard
/// library; null if unknown.
const Value *constructedText(const CallBase &call, unsigned depth = 0) {
  const Function *callee = calleeOf(call);
  if (!callee || depth == 4)
    return nullptr;
  if (takesText(callee->getName()) && call.arg_size() == 2)
    return knownValue(call.getArgOperand(1));
  if (callee->isDeclaration() || !callee->arg_size())
    return nullptr;
  for (const Instruction &inst : instructions(*callee)) {
    const auto *inner = dyn_cast<CallBase>(&inst);
    if (!inner || !inner->arg_size() ||
        parameterIn(inner->getArgOperand(0)) != callee->getArg(0))
      continue;
    const Value *text = constructedText(*inner, depth + 1);
    const auto *given = dyn_cast_or_null<Argument>(text);
    if (given)
      return knownValue(call.getArgOperand(given->getArgNo()));
    if (text)
      return text;
  }
  return nullptr;
}

/// what() of an exception's class; null if unknown, as for a class of the
/// standard library, whose vtable is elsewhere.
const Function *whatOf(const GlobalVariable &type) {
  StringRef name = type.getName();
  if (!name.consume_front("_ZTI"))
    return nullptr;
  const GlobalVariable *table =
      type.getParent()->getNamedGlobal(("_ZTV" + name).str());
  if (!table || !table->hasInitializer())
    return nullptr;
  // Behind the offset to the top, the type and two destructors.
  constexpr unsigned Slot = 4;
  const Constant *slots = table->getInitializer()->getAggregateElement(0u);
  const Constant *what = slots ? slots->getAggregateElement(Slot) : nullptr;
  return what ? dyn_cast<Function>(what->stripPointerCastsAndAliases())
              : nullptr;
}

/// The constant that a function of one block returns, or null.
Constant *returned(const Function &function) {
  if (function.isDeclaration() || function.size() != 1)
    return nullptr;
  const auto *end = dyn_cast<ReturnInst>(function.front().getTerminator());
  return end && end->getReturnValue()
             ? dyn_cast<Constant>(end->getReturnValue())
             : nullptr;
}

} // namespace

Constant *textOf(const CallBase &thrown) {
  const auto *type =
      dyn_cast<GlobalVariable>(thrown.getArgOperand(1)->stripPointerCasts());
  const CallBase *made = allocationOf(thrown);
  if (!type || !made)
    return nullptr;
  const Function *what = whatOf(*type);
  if (what && !what->getName().ends_with("4whatEv"))
    return nullptr;
  if (what && !what->getName().starts_with("_ZNKSt"))
    return returned(*what);
  if (!what && !type->getName().starts_with("_ZTISt"))
    return nullptr;
  for (const User *user : made->users())
    if (const auto *call = dyn_cast<CallBase>(user);
        call && call->arg_size() && call->getArgOperand(0) == made)
      if (const Value *text = constructedText(*call))
        return dyn_cast<Constant>(const_cast<Value *>(text));
  return nullptr;
}

} // namespace xcc::exceptions
