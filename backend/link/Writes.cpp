// Which variables code may write
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc {
namespace {

const Function *calleeOf(const CallBase &call) {
  return dyn_cast<Function>(
      call.getCalledOperand()->stripPointerCastsAndAliases());
}

class Runs {
public:
  explicit Runs(const Function &code) {
    found.insert(&code);
    for (size_t i = 0; i < found.size(); ++i) {
      for (const Instruction &inst : instructions(*found[i])) {
        const auto *call = dyn_cast<CallBase>(&inst);
        callsAddresses |= call && !call->isInlineAsm() && !calleeOf(*call);
        for (const Value *operand : inst.operands())
          look(operand);
      }
      if (i + 1 == found.size() && callsAddresses)
        followTables();
    }
  }
  SetVector<const Function *> found;

private:
  bool callsAddresses = false;
  SmallPtrSet<const Value *, 32> seen;
  SetVector<const GlobalVariable *> tables;

  void look(const Value *value) {
    const auto *constant = dyn_cast<Constant>(value);
    if (!constant || isa<ConstantData>(constant) ||
        !seen.insert(constant).second)
      return;
    if (const auto *function = dyn_cast<Function>(constant)) {
      found.insert(function);
    } else if (const auto *variable = dyn_cast<GlobalVariable>(constant)) {
      if (variable->hasInitializer())
        tables.insert(variable);
    } else {
      for (const Value *operand : constant->operands())
        look(operand);
    }
  }

  void followTables() {
    for (size_t i = 0; i < tables.size(); ++i)
      look(tables[i]->getInitializer());
  }
};

/// Whether a value is the address of a variable that counts, or of memory that
/// holds such an address.
enum class Kind { Address, Container };

class Alias {
public:
  explicit Alias(const SetVector<const Function *> &functions)
      : functions(functions) {}

  const GlobalVariable *run(function_ref<bool(const GlobalVariable &)> counts) {
    for (const Function *function : functions)
      for (const Instruction &inst : instructions(*function))
        for (const Use &operand : inst.operands())
          start(operand, counts);
    while (!written && !work.empty()) {
      auto [value, kind, origin] = work.pop_back_val();
      for (const Use &use : value->uses())
        if (const auto *inst = dyn_cast<Instruction>(use.getUser()))
          visit(*inst, use, kind, origin);
    }
    return written;
  }

private:
  struct Item {
    const Value *value;
    Kind kind;
    const GlobalVariable *origin;
  };
  const SetVector<const Function *> &functions;
  SmallVector<Item> work;
  DenseSet<std::pair<const Value *, unsigned>> known;
  const GlobalVariable *written = nullptr;

  void add(const Value *value, Kind kind, const GlobalVariable *origin) {
    if (!isa<Constant>(value) && known.insert({value, unsigned(kind)}).second)
      work.push_back({value, kind, origin});
  }

  /// Starts at an operand that names such a variable, or a table with its
  /// address.
  void start(const Use &operand,
             function_ref<bool(const GlobalVariable &)> counts) {
    const auto *constant = dyn_cast<Constant>(operand.get());
    if (!constant || isa<ConstantData>(constant))
      return;
    SmallVector<std::pair<const Constant *, Kind>> inner = {
        {constant, Kind::Address}};
    SmallPtrSet<const Constant *, 8> seen;
    while (!inner.empty()) {
      auto [next, kind] = inner.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (const auto *variable = dyn_cast<GlobalVariable>(next)) {
        // Any thread that executes the declaration writes the initialiser's
        // guard.
        if (counts(*variable) && !variable->getName().starts_with("_ZGV"))
          visit(*cast<Instruction>(operand.getUser()), operand, kind, variable);
        else if (variable->hasInitializer() && kind == Kind::Address)
          inner.push_back({variable->getInitializer(), Kind::Container});
        continue;
      }
      if (isa<Function>(next))
        continue;
      for (const Value *part : next->operands())
        if (const auto *each = dyn_cast<Constant>(part))
          inner.push_back({each, kind});
    }
  }

  void write(Kind kind, const GlobalVariable *origin) {
    if (kind == Kind::Address)
      written = origin;
  }

  /// Handles a store of such a value to memory.
  void keep(const Value *where, Kind kind, const GlobalVariable *origin) {
    const Value *object = getUnderlyingObject(where);
    if (isa<AllocaInst>(object))
      add(object, Kind::Container, origin);
    else
      written = origin;
  }

  void visit(const Instruction &inst, const Use &use, Kind kind,
             const GlobalVariable *origin) {
    unsigned operand = use.getOperandNo();
    if (isa<LoadInst>(inst)) {
      Type *type = inst.getType()->getScalarType();
      if (type->isPointerTy() || type->isAggregateType())
        add(&inst, Kind::Address, origin);
    } else if (const auto *store = dyn_cast<StoreInst>(&inst)) {
      if (operand == StoreInst::getPointerOperandIndex())
        write(kind, origin);
      else
        keep(store->getPointerOperand(), kind, origin);
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(inst)) {
      written = origin;
    } else if (const auto *call = dyn_cast<CallBase>(&inst)) {
      visitCall(*call, use, kind, origin);
    } else if (isa<ReturnInst>(inst)) {
      for (const Use &called : inst.getFunction()->uses())
        if (const auto *caller = dyn_cast<CallBase>(called.getUser());
            caller && caller->isCallee(&called) &&
            functions.contains(caller->getFunction()))
          add(caller, kind, origin);
    } else if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst,
                   InsertValueInst, ExtractValueInst, InsertElementInst,
                   ExtractElementInst, ShuffleVectorInst>(inst)) {
      if (!isa<PtrToIntInst>(inst))
        add(&inst, kind, origin);
    }
  }

  void visitCall(const CallBase &call, const Use &use, Kind kind,
                 const GlobalVariable *origin) {
    if (!call.isArgOperand(&use))
      return;
    unsigned number = call.getArgOperandNo(&use);
    if (const auto *transfer = dyn_cast<MemTransferInst>(&call)) {
      if (number == 0)
        write(kind, origin);
      else if (number == 1)
        keepCopy(*transfer, kind, origin);
      return;
    }
    if (isa<IntrinsicInst>(call) && !isa<MemSetInst>(call) &&
        !call.mayWriteToMemory()) {
      if (call.getType()->isPointerTy())
        add(&call, kind, origin);
      return;
    }
    if (isa<LifetimeIntrinsic, DbgInfoIntrinsic, AssumeInst>(call) ||
        (isa<IntrinsicInst>(call) &&
         cast<IntrinsicInst>(call).getIntrinsicID() ==
             Intrinsic::invariant_start))
      return;
    const Function *callee = calleeOf(call);
    if (callee && !callee->isDeclaration() && functions.contains(callee) &&
        number < callee->arg_size()) {
      add(callee->getArg(number), kind, origin);
      return;
    }
    if (!call.onlyReadsMemory(number))
      written = origin;
    else if (call.getType()->isPointerTy())
      add(&call, kind, origin);
  }

  /// A copied object also copies the addresses in it.
  void keepCopy(const MemTransferInst &transfer, Kind,
                const GlobalVariable *origin) {
    const Value *object = getUnderlyingObject(transfer.getRawDest());
    if (isa<AllocaInst>(object))
      add(object, Kind::Container, origin);
  }
};

} // namespace

SetVector<const Function *> runBy(const Function &code) {
  return std::move(Runs(code).found);
}

const GlobalVariable *
writtenBy(const SetVector<const Function *> &functions,
          function_ref<bool(const GlobalVariable &)> counts) {
  return Alias(functions).run(counts);
}

} // namespace xcc
