// Ends failing launches before they call undefined functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries build the texts of exceptions with streams and locales, which GPUs
// do not have:
//
//   if (x < 0) {
//     std::ostringstream text;
//     text << "negative: " << x;
//     throw std::domain_error(text.str());
//   }
//
// A throw ends the launch with an error. If nothing but this error can follow,
// the launch may end a few steps earlier: before the first call of a function
// that no file defines for this device. The error says what was thrown.
//
// Such places are blocks from which no path leads to a return or to an exit of
// the program, but one leads to the end of a launch with an error. A function
// that starts with such a block fails whenever it is called. It is not changed;
// instead, a call of it counts as an error in its callers. So a kernel that
// needs an undefined function in any case is still an error.

#include "gpu/stages/BeforePipeline.h"
#include "targets/Target.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

constexpr StringLiteral TrapName = "__xcc_trap";

using Blocks = DenseSet<const BasicBlock *>;

/// The functions that end the launch with an error on every call.
class Failing {
public:
  explicit Failing(Module &module) {
    SmallSetVector<Function *, 32> open;
    for (StringRef name : {StringRef(TrapName), StringRef("llvm.trap")})
      if (Function *function = module.getFunction(name)) {
        all.insert(function);
        open.insert(function);
      }
    while (!open.empty())
      for (User *user : open.pop_back_val()->users())
        if (auto *call = dyn_cast<CallBase>(user)) {
          Function *caller = call->getFunction();
          if (contains(call->getCalledFunction()) && !contains(caller) &&
              blocksOf(*caller).contains(&caller->getEntryBlock())) {
            all.insert(caller);
            open.insert(caller);
          }
        }
  }

  bool contains(const Function *function) const {
    return all.contains(function);
  }

  /// The first failing call in a block, or null.
  const CallBase *callIn(const BasicBlock &block) const {
    for (const Instruction &inst : block)
      if (const auto *call = dyn_cast<CallBase>(&inst);
          call && contains(call->getCalledFunction()))
        return call;
    return nullptr;
  }

  /// The blocks of a function after which only a failure can follow.
  Blocks blocksOf(const Function &function) const {
    Blocks fails, ends;
    SmallVector<const BasicBlock *> toFailure, toEnd;
    for (const BasicBlock &block : function)
      if (callIn(block)) {
        fails.insert(&block);
        toFailure.push_back(&block);
      } else if (succ_empty(&block)) {
        ends.insert(&block);
        toEnd.push_back(&block);
      }
    Blocks failing = fails;
    while (!toEnd.empty())
      for (const BasicBlock *before : predecessors(toEnd.pop_back_val()))
        if (!fails.contains(before) && ends.insert(before).second)
          toEnd.push_back(before);
    while (!toFailure.empty())
      for (const BasicBlock *before : predecessors(toFailure.pop_back_val()))
        if (!ends.contains(before) && failing.insert(before).second)
          toFailure.push_back(before);
    return failing;
  }

private:
  DenseSet<const Function *> all;
};

/// For each function and variable, an undefined symbol that it reaches.
class Lacking {
public:
  explicit Lacking(const Module &module) {
    SmallVector<const GlobalObject *> open;
    for (const GlobalObject &object : module.global_objects())
      if (isUndefined(object)) {
        leads[&object] = &object;
        open.push_back(&object);
      }
    while (!open.empty()) {
      const GlobalObject *object = open.pop_back_val();
      const GlobalObject *first = leads.lookup(object);
      SmallSetVector<const Value *, 8> seen;
      seen.insert(object);
      for (unsigned i = 0; i < seen.size(); ++i)
        for (const User *user : seen[i]->users()) {
          const GlobalObject *owner = nullptr;
          if (const auto *inst = dyn_cast<Instruction>(user))
            owner = inst->getFunction();
          else
            owner = dyn_cast<GlobalObject>(user);
          if (!owner)
            seen.insert(user);
          else if (leads.try_emplace(owner, first).second)
            open.push_back(owner);
        }
    }
  }

  bool empty() const { return leads.empty(); }

  /// An undefined symbol that an instruction needs, directly or through others;
  /// or null.
  const GlobalObject *neededBy(const Instruction &inst) const {
    SmallVector<const Value *> open(inst.value_op_begin(), inst.value_op_end());
    while (!open.empty()) {
      const Value *value = open.pop_back_val();
      if (const auto *object = dyn_cast<GlobalObject>(value)) {
        if (const GlobalObject *first = leads.lookup(object))
          return first;
      } else if (const auto *constant = dyn_cast<Constant>(value)) {
        append_range(open, constant->operand_values());
      }
    }
    return nullptr;
  }

private:
  DenseMap<const GlobalObject *, const GlobalObject *> leads;
};

/// What will be thrown after an instruction; "an error" if only run time can
/// tell.
std::string thrownBehind(const Instruction &from, const Failing &failing) {
  SmallSetVector<const BasicBlock *, 16> blocks;
  blocks.insert(from.getParent());
  for (unsigned i = 0; i < blocks.size(); ++i) {
    const CallBase *call = failing.callIn(*blocks[i]);
    if (!call) {
      blocks.insert_range(successors(blocks[i]));
      continue;
    }
    const Function *callee = call->getCalledFunction();
    const bool throws = callee->getName() == "__xcc_throw";
    if (!throws && callee->getName() != TrapName) {
      if (!callee->isDeclaration())
        blocks.insert(&callee->getEntryBlock());
      continue;
    }
    const auto *text =
        dyn_cast<GlobalVariable>(call->getArgOperand(1)->stripPointerCasts());
    const auto *bytes =
        text && text->hasInitializer()
            ? dyn_cast<ConstantDataArray>(text->getInitializer())
            : nullptr;
    if (!bytes || !bytes->isCString())
      continue;
    // __cxa_throw gets the mangled name of a type.
    std::string type = demangle(("_ZTS" + bytes->getAsCString()).str());
    StringRef readable = type;
    return readable.consume_front("typeinfo name for ")
               ? readable.str()
               : bytes->getAsCString().str();
  }
  return "an error";
}

std::string describe(const Instruction &at, const GlobalObject &lacking,
                     const Failing &failing) {
  return thrownBehind(at, failing) + " (its text needs '" +
         demangle(lacking.getName()) +
         "', which nothing defines for this device)";
}

void endBefore(Instruction &at, StringRef text, Function &trap) {
  IRBuilder<> builder(&at);
  FunctionType *type = trap.getFunctionType();
  auto *ptr = cast<PointerType>(type->getParamType(1));
  Constant *global = builder.CreateGlobalString(text, "xcc.lacking");
  builder
      .CreateCall(
          type, &trap,
          {ConstantInt::get(type->getParamType(0), XCC_CPU_TRAP_EXCEPTION),
           ConstantExpr::getPointerBitCastOrAddrSpaceCast(global, ptr),
           ConstantPointerNull::get(ptr),
           ConstantInt::get(type->getParamType(3), 0)})
      ->setDoesNotReturn();
  changeToUnreachable(&at);
}

} // namespace

void endFailingPaths(Module &module) {
  Function *trap = module.getFunction(TrapName);
  if (!trap || trap->isDeclaration())
    return;
  Lacking lacking(module);
  if (lacking.empty())
    return;
  Failing failing(module);
  for (Function &function : module) {
    if (function.isDeclaration() || failing.contains(&function))
      continue;
    SmallVector<std::pair<Instruction *, std::string>> ends;
    for (const BasicBlock *block : failing.blocksOf(function))
      for (const Instruction &inst : *block) {
        if (const GlobalObject *object = lacking.neededBy(inst);
            object && !isa<PHINode>(inst)) {
          ends.push_back({const_cast<Instruction *>(&inst),
                          describe(inst, *object, failing)});
          break;
        }
        if (&inst == failing.callIn(*block))
          break;
      }
    for (const auto &[at, text] : ends)
      endBefore(*at, text, *trap);
    if (!ends.empty())
      removeUnreachableBlocks(function);
  }
}

} // namespace xcc::gpu
