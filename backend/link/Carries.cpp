// The carry that inline PTX passes from one statement to the next
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Carries.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc {
namespace {

class Carries {
public:
  explicit Carries(Module &module)
      : module(module), read(module.getFunction("__xcc_carry_read")),
        write(module.getFunction("__xcc_carry_write")) {}

  std::vector<UnsetCarry> lower() {
    if (!read && !write)
      return {};
    nameReads();
    inlineReaders();
    std::vector<UnsetCarry> open;
    for (Function &function : module) {
      for (CallBase *each : openReads(function)) {
        auto *name = cast<MDString>(each->getMetadata(NameKind)->getOperand(0));
        open.push_back({&function, name->getString().str()});
        IRBuilder<>(each).CreateIntrinsic(Intrinsic::trap, {});
      }
      useVariable(function);
    }
    for (Function *each : {read, write})
      if (each)
        each->eraseFromParent();
    return open;
  }

private:
  Module &module;
  Function *read, *write;
  static constexpr StringLiteral NameKind = "xcc.carry";

  /// Notes at each read the function that the source has it in.
  void nameReads() {
    LLVMContext &context = module.getContext();
    for (Function &function : module)
      for (CallBase *each : openReads(function))
        each->setMetadata(
            NameKind,
            MDNode::get(context, MDString::get(context, function.getName())));
  }

  static Function *calleeOf(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call ? call->getCalledFunction() : nullptr;
  }
  /// The reads that a path from the function's start reaches without a write.
  SmallVector<CallBase *> openReads(Function &function) const {
    SmallVector<CallBase *> found;
    if (!read)
      return found;
    SetVector<BasicBlock *> unwritten;
    if (!function.isDeclaration())
      unwritten.insert(&function.getEntryBlock());
    for (size_t i = 0; i < unwritten.size(); ++i) {
      bool wrote = false;
      for (Instruction &each : *unwritten[i]) {
        Function *callee = calleeOf(each);
        wrote |= callee && callee == write;
        if (!wrote && callee == read)
          found.push_back(cast<CallBase>(&each));
      }
      if (!wrote)
        unwritten.insert_range(successors(unwritten[i]));
    }
    return found;
  }

  /// The functions that read or write the carry, themselves or by calls.
  SetVector<Function *> users() const {
    SetVector<Function *> found;
    auto callersOf = [&](Function *callee) {
      for (User *user : callee->users())
        if (auto *call = dyn_cast<CallBase>(user);
            call && call->getCalledFunction() == callee)
          found.insert(call->getFunction());
    };
    for (Function *each : {read, write})
      if (each)
        callersOf(each);
    for (size_t i = 0; i < found.size(); ++i)
      callersOf(found[i]);
    return found;
  }

  static bool inlineCall(CallBase &call) {
    // LLVM needs a place for a call between functions that have places.
    Function *caller = call.getFunction();
    if (DISubprogram *where = caller->getSubprogram();
        where && call.getCalledFunction()->getSubprogram() &&
        !call.getDebugLoc())
      call.setDebugLoc(DILocation::get(caller->getContext(), 0, 0, where));
    InlineFunctionInfo info;
    return InlineFunction(call, info).isSuccess();
  }

  /// Inlines the calls in `function` of functions that use the carry.
  bool inlineUsersInto(Function &function,
                       const SetVector<Function *> &carrying) {
    SmallVector<CallBase *> found;
    for (Instruction &each : instructions(function))
      if (Function *callee = calleeOf(each); callee && callee != &function &&
                                             !callee->isDeclaration() &&
                                             carrying.contains(callee))
        found.push_back(cast<CallBase>(&each));
    bool changed = false;
    for (CallBase *call : found)
      changed |= inlineCall(*call);
    return changed;
  }

  bool inlineIntoCallers(Function &function) {
    SmallVector<CallBase *> found;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == &function &&
          call->getFunction() != &function)
        found.push_back(call);
    bool changed = false;
    for (CallBase *call : found)
      changed |= inlineCall(*call);
    return changed;
  }

  void inlineReaders() {
    // Recursive functions would be inlined without an end.
    constexpr unsigned mostTimes = 16;
    DenseMap<Function *, unsigned> times;
    for (bool changed = true; changed;) {
      changed = false;
      const SetVector<Function *> all = users();
      for (Function *each : all)
        while (!openReads(*each).empty() && times[each]++ < mostTimes &&
               (inlineUsersInto(*each, all) || inlineIntoCallers(*each)))
          changed = true;
    }
  }

  /// Makes the carry a variable of a function.
  void useVariable(Function &function) {
    AllocaInst *variable = nullptr;
    for (Instruction &each : make_early_inc_range(instructions(function))) {
      Function *callee = calleeOf(each);
      if (!callee || (callee != read && callee != write))
        continue;
      IRBuilder<> builder(&each);
      if (!variable)
        variable = makeVariable(function, *builder.getInt32Ty());
      Value *at = builder.CreateAddrSpaceCast(
          variable, PointerType::get(module.getContext(), 0));
      if (callee == read)
        each.replaceAllUsesWith(builder.CreateLoad(builder.getInt32Ty(), at));
      else
        builder.CreateStore(cast<CallBase>(each).getArgOperand(0), at);
      each.eraseFromParent();
    }
  }
  AllocaInst *makeVariable(Function &function, Type &type) const {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    return builder.CreateAlloca(
        &type, module.getDataLayout().getAllocaAddrSpace(), nullptr, "carry");
  }
};

} // namespace

std::vector<UnsetCarry> lowerCarries(Module &module) {
  return Carries(module).lower();
}

} // namespace xcc
