// Atomic operations that no machine has
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::atomic_ref of a structure of two ints is an operation on 8 bytes at an
// address that, by its type, is a multiple of 4. Clang leaves some of these to
// the back end. On CPUs, that calls libatomic after all libraries were linked.
// On GPUs, it only says "unsupported atomic load".

#include "WideAtomics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/AtomicOrdering.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace xcc {
namespace {

constexpr uint64_t Most =
    8; ///< the most bytes for which all our machines have operations

/// Calls libatomic's functions in place of one instruction.
class Calls {
public:
  Calls(Instruction &inst, Type *type)
      : module(*inst.getModule()), builder(&inst), inst(inst), type(type),
        size(builder.getInt64(
            module.getDataLayout().getTypeStoreSize(type).getFixedValue())) {}

  Value *load(Value *object, AtomicOrdering order) {
    Value *to = variable();
    call("__atomic_load", builder.getVoidTy(),
         {size, generic(object), generic(to), number(order)});
    return builder.CreateLoad(type, to);
  }

  void store(Value *object, Value *value, AtomicOrdering order) {
    call("__atomic_store", builder.getVoidTy(),
         {size, generic(object), generic(variable(value)), number(order)});
  }

  /// The value that was found, and whether it was the expected one.
  std::pair<Value *, Value *> compareExchange(Value *object, Value *expected,
                                              Value *desired,
                                              AtomicOrdering success,
                                              AtomicOrdering failure) {
    Value *seen = variable(expected);
    CallInst *made =
        call("__atomic_compare_exchange", builder.getInt1Ty(),
             {size, generic(object), generic(seen), generic(variable(desired)),
              number(success), number(failure)});
    made->addRetAttr(Attribute::ZExt);
    return {builder.CreateLoad(type, seen), made};
  }

  IRBuilder<> &at() { return builder; }

private:
  Module &module;
  IRBuilder<> builder;
  Instruction &inst;
  Type *type;
  ConstantInt *size;

  Value *variable(Value *value = nullptr) {
    BasicBlock &entry = inst.getFunction()->getEntryBlock();
    IRBuilder<> first(&entry, entry.begin());
    auto *made = first.CreateAlloca(type);
    if (value)
      builder.CreateStore(value, made);
    return made;
  }

  Value *generic(Value *pointer) {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  }

  Value *number(AtomicOrdering order) {
    return builder.getInt32(int(toCABI(order)));
  }

  CallInst *call(StringRef name, Type *result, ArrayRef<Value *> args) {
    SmallVector<Type *> types;
    for (Value *arg : args)
      types.push_back(arg->getType());
    FunctionCallee callee = module.getOrInsertFunction(
        name, FunctionType::get(result, types, /*isVarArg=*/false));
    return builder.CreateCall(callee, args);
  }
};

void replace(AtomicRMWInst &update) {
  Type *type = update.getType();
  Calls calls(update, type);
  Value *first =
      calls.load(update.getPointerOperand(), AtomicOrdering::Monotonic);
  BasicBlock *before = update.getParent();
  BasicBlock *behind = before->splitBasicBlock(&update);
  auto *loop =
      BasicBlock::Create(update.getContext(), "", before->getParent(), behind);
  before->getTerminator()->setSuccessor(0, loop);
  IRBuilder<> builder(loop);
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  PHINode *old = builder.CreatePHI(type, 2);
  Value *fresh = buildAtomicRMWValue(update.getOperation(), builder, old,
                                     update.getValOperand());
  auto *swap = builder.CreateBr(behind);
  Calls exchange(*swap, type);
  auto [seen, done] = exchange.compareExchange(
      update.getPointerOperand(), old, fresh, update.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(update.getOrdering()));
  exchange.at().CreateCondBr(done, behind, loop);
  swap->eraseFromParent();
  old->addIncoming(first, before);
  old->addIncoming(seen, loop);
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
}

void replace(AtomicCmpXchgInst &swap) {
  Calls calls(swap, swap.getCompareOperand()->getType());
  auto [seen, done] =
      calls.compareExchange(swap.getPointerOperand(), swap.getCompareOperand(),
                            swap.getNewValOperand(), swap.getSuccessOrdering(),
                            swap.getFailureOrdering());
  Value *both = PoisonValue::get(swap.getType());
  both = calls.at().CreateInsertValue(both, seen, 0);
  swap.replaceAllUsesWith(calls.at().CreateInsertValue(both, done, 1));
  swap.eraseFromParent();
}

void replace(LoadInst &load) {
  load.replaceAllUsesWith(
      Calls(load, load.getType())
          .load(load.getPointerOperand(), load.getOrdering()));
  load.eraseFromParent();
}

void replace(StoreInst &store) {
  Calls(store, store.getValueOperand()->getType())
      .store(store.getPointerOperand(), store.getValueOperand(),
             store.getOrdering());
  store.eraseFromParent();
}

bool isWide(Type *type, Align align, const DataLayout &layout) {
  uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  return size > Most || align.value() < size;
}

bool isWide(const Instruction &inst) {
  const DataLayout &layout = inst.getDataLayout();
  if (const auto *load = dyn_cast<LoadInst>(&inst))
    return load->isAtomic() &&
           isWide(load->getType(), load->getAlign(), layout);
  if (const auto *store = dyn_cast<StoreInst>(&inst))
    return store->isAtomic() && isWide(store->getValueOperand()->getType(),
                                       store->getAlign(), layout);
  if (const auto *swap = dyn_cast<AtomicCmpXchgInst>(&inst))
    return isWide(swap->getCompareOperand()->getType(), swap->getAlign(),
                  layout);
  if (const auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return isWide(update->getType(), update->getAlign(), layout);
  return false;
}

} // namespace

void callWideAtomics(Module &module) {
  SmallVector<Instruction *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isWide(inst))
        found.push_back(&inst);
  for (Instruction *inst : found) {
    if (auto *load = dyn_cast<LoadInst>(inst))
      replace(*load);
    else if (auto *store = dyn_cast<StoreInst>(inst))
      replace(*store);
    else if (auto *swap = dyn_cast<AtomicCmpXchgInst>(inst))
      replace(*swap);
    else
      replace(cast<AtomicRMWInst>(*inst));
  }
}

} // namespace xcc
