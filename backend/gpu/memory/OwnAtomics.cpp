// Atomic operations on a thread's own memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local variable may be a std::atomic, directly or in an instance of a
// template. No other thread of a GPU reaches it, so plain loads and stores are
// atomic. PTX does not define `atom` on local memory, neither directly nor
// through a generic address. If the address may be local or not, the thread
// tests it.

#include "gpu/AddressSpaces.h"
#include "gpu/stages/AfterPipeline.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

enum class Place { Own, Elsewhere, Unknown };

/// Whether the host passed the pointer to a kernel, as a parameter or in one.
bool isFromHost(const Value *object, CallingConv::ID kernels) {
  const auto *load = dyn_cast<LoadInst>(object);
  const auto *arg = dyn_cast<Argument>(
      load ? getUnderlyingObject(load->getPointerOperand()) : object);
  return arg && arg->getParent()->getCallingConv() == kernels &&
         arg->hasByValAttr() == (load != nullptr);
}

Place placeOf(const Value *pointer, CallingConv::ID kernels) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects);
  bool own = false, elsewhere = false;
  for (const Value *object : objects) {
    unsigned space = object->getType()->getPointerAddressSpace();
    if (isa<AllocaInst>(object))
      own = true;
    else if (isa<GlobalValue>(object) || space == GlobalAddressSpace ||
             space == SharedAddressSpace || isFromHost(object, kernels))
      elsewhere = true;
    else if (!isa<ConstantPointerNull, UndefValue>(object))
      return Place::Unknown;
  }
  return own && elsewhere ? Place::Unknown
         : own            ? Place::Own
                          : Place::Elsewhere;
}

void lower(Instruction *inst) {
  if (auto *update = dyn_cast<AtomicRMWInst>(inst))
    lowerAtomicRMWInst(update);
  else
    lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(inst));
}

/// isLocal(pointer) ? plain code : the atomic operation
void loadFirst(Instruction *inst, unsigned operand, Intrinsic::ID isLocal) {
  IRBuilder<> builder(inst);
  Value *pointer = inst->getOperand(operand);
  Value *own = builder.CreateIntrinsic(isLocal, {pointer});
  Instruction *then, *otherwise;
  SplitBlockAndInsertIfThenElse(own, inst->getIterator(), &then, &otherwise);
  BasicBlock *join = inst->getParent();
  Instruction *plain = inst->clone();
  plain->insertBefore(then->getIterator());
  builder.SetInsertPoint(plain);
  plain->setOperand(operand, builder.CreateAddrSpaceCast(
                                 pointer, builder.getPtrTy(LocalAddressSpace)));
  inst->moveBefore(otherwise->getIterator());
  if (!inst->use_empty()) {
    auto *result = PHINode::Create(inst->getType(), 2, "", join->begin());
    inst->replaceAllUsesWith(result);
    result->addIncoming(plain, then->getParent());
    result->addIncoming(inst, otherwise->getParent());
  }
  lower(plain);
}

} // namespace

void lowerOwnAtomics(Module &module, Intrinsic::ID isLocal,
                     CallingConv::ID kernels) {
  SmallVector<Instruction *> own;
  SmallVector<std::pair<Instruction *, unsigned>> unknown;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      Value *pointer = nullptr;
      unsigned operand = 0;
      if (auto *load = dyn_cast<LoadInst>(&inst); load && load->isAtomic())
        pointer = load->getPointerOperand();
      else if (auto *store = dyn_cast<StoreInst>(&inst);
               store && store->isAtomic())
        pointer = store->getPointerOperand();
      else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(inst))
        pointer = inst.getOperand(operand);
      if (!pointer ||
          pointer->getType()->getPointerAddressSpace() == SharedAddressSpace)
        continue;
      Place place = placeOf(pointer, kernels);
      if (place == Place::Own)
        own.push_back(&inst);
      else if (place == Place::Unknown &&
               isa<AtomicRMWInst, AtomicCmpXchgInst>(inst) &&
               pointer->getType()->getPointerAddressSpace() == 0)
        unknown.push_back({&inst, operand});
    }
  for (Instruction *inst : own)
    if (auto *load = dyn_cast<LoadInst>(inst))
      load->setAtomic(AtomicOrdering::NotAtomic);
    else if (auto *store = dyn_cast<StoreInst>(inst))
      store->setAtomic(AtomicOrdering::NotAtomic);
    else
      lower(inst);
  for (auto [inst, operand] : unknown)
    loadFirst(inst, operand, isLocal);
}

} // namespace xcc::gpu
