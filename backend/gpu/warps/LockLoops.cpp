// Finds loops in which lanes of a warp take a lock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LockLoops.h"
#include "WarpCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc::gpu {

static bool writesItself(const Instruction &inst) {
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return store->isAtomic() || store->isVolatile();
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(inst);
}

const Function *calleeOf(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call ? call->getCalledFunction() : nullptr;
}

bool LockLoops::writes(const Instruction &inst) const {
  const Function *callee = calleeOf(inst);
  return callee ? writers.contains(callee) : writesItself(inst);
}

namespace {
/// Whether a value depends only on constants, arguments and local variables,
/// and on none of the variables \p except.
class Independence {
public:
  explicit Independence(ArrayRef<const Value *> except)
      : except(except.begin(), except.end()) {}

  bool operator()(const Value *value) {
    if (isa<Constant, Argument>(value) || !seen.insert(value).second)
      return true;
    if (auto *load = dyn_cast<LoadInst>(value)) {
      const Value *local = load->getPointerOperand()->stripInBoundsOffsets();
      return isa<AllocaInst>(local) && !except.contains(local) &&
             areStored(local);
    }
    auto *inst = dyn_cast<Instruction>(value);
    // A call with numeric arguments reads no variable of this function.
    if (auto *call = dyn_cast_or_null<CallBase>(inst))
      return all_of(call->args(), [&](const Use &argument) {
        return !argument->getType()->isPointerTy() && (*this)(argument.get());
      });
    return inst && !isa<AtomicRMWInst, AtomicCmpXchgInst>(inst) &&
           all_of(inst->operands(),
                  [&](const Use &operand) { return (*this)(operand.get()); });
  }

private:
  /// Whether all values that are stored to a local variable, or to a part of
  /// it, are independent.
  bool areStored(const Value *address) {
    return all_of(address->users(), [&](const User *user) {
      if (auto *store = dyn_cast<StoreInst>(user))
        return store->getValueOperand() != address &&
               (*this)(store->getValueOperand());
      return !isa<CastInst, GetElementPtrInst>(user) || areStored(user);
    });
  }
  SmallPtrSet<const Value *, 4> except;
  SmallPtrSet<const Value *, 16> seen;
};
} // namespace

/// The local variables whose addresses are arguments, or with which a
/// compare-and-exchange compares.
static SmallVector<const Value *> comparedIn(const Instruction &inst) {
  SmallVector<const Value *> locals;
  auto add = [&](const Value *address) {
    const Value *local = address->stripInBoundsOffsets();
    if (isa<AllocaInst>(local))
      locals.push_back(local);
  };
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    for (const Value *argument : call->args())
      if (argument->getType()->isPointerTy())
        add(argument);
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst)) {
    if (auto *load = dyn_cast<LoadInst>(exchange->getCompareOperand()))
      add(load->getPointerOperand());
  }
  return locals;
}

/// Whether the instruction takes a lock: its result is the value that an atomic
/// operation found, and the value that it writes does not depend on that. A
/// loop that adds by compare-and-exchange takes no lock.
bool LockLoops::isTaken(const Instruction &inst) const {
  if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(inst) &&
      !releasers.contains(calleeOf(inst)))
    return false;
  Independence isIndependent(comparedIn(inst));
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
    return (update->getOperation() == AtomicRMWInst::Xchg ||
            update->getOperation() == AtomicRMWInst::Or) &&
           isIndependent(update->getValOperand());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return isIndependent(exchange->getNewValOperand());
  return all_of(cast<CallBase>(inst).args(), [&](const Use &argument) {
    return argument->getType()->isPointerTy() || isIndependent(argument.get());
  });
}

/// Finds functions with an instruction for which \p holds is true, and all
/// their callers.
static void findFunctions(const Module &module,
                          function_ref<bool(const Instruction &)> holds,
                          SmallPtrSetImpl<const Function *> &found) {
  SmallVector<const Function *> work;
  for (const Function &function : module)
    if (any_of(instructions(function), holds) && found.insert(&function).second)
      work.push_back(&function);
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && found.insert(call->getFunction()).second)
        work.push_back(call->getFunction());
}

/// A barrier or a warp operation. Before libraries are linked, these are calls
/// of undefined functions. Others of the device runtime, such as malloc and
/// printf, work for each lane that calls them.
static bool isTogetherItself(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  if (!call || !call->isConvergent())
    return false;
  if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return !assembly->getAsmString().empty();
  const Function *callee = call->getCalledFunction();
  return callee &&
         (callee->isIntrinsic() || isWarpOperation(callee->getName()) ||
          callee->getName() == "__xcc_block_barrier");
}

/// The type of the function that is called through a pointer, or null.
static FunctionType *typeCalled(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && call->isIndirectCall() ? call->getFunctionType() : nullptr;
}

bool LockLoops::isTogether(const Instruction &inst) const {
  return isTogetherItself(inst) || together.contains(calleeOf(inst)) ||
         togetherTypes.contains(typeCalled(inst));
}

/// Finds functions with such an operation. A call through a pointer may lead to
/// each function of its type whose address is used.
void LockLoops::findTogether(const Module &module, CallingConv::ID kernels) {
  size_t known;
  do {
    known = togetherTypes.size();
    findFunctions(
        module, [&](const Instruction &inst) { return isTogether(inst); },
        together);
    for (const Function *function : together)
      if (function->getCallingConv() != kernels &&
          function->hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                    /*IgnoreAssumeLikeCalls=*/true,
                                    /*IngoreLLVMUsed=*/true))
        togetherTypes.insert(function->getFunctionType());
  } while (togetherTypes.size() != known);
}

/// Follows results through values and local variables. Returns true if the
/// function newly turns out to return one.
bool LockLoops::follow(const Function &function) {
  Values &decide = deciding[&function];
  bool returns = false;
  for (const Instruction &start : instructions(function)) {
    if (!isTaken(start))
      continue;
    SmallPtrSet<const Value *, 16> seen = {&start};
    SmallVector<const Value *> work = {&start};
    auto reach = [&](const Value *value) {
      if (seen.insert(value).second)
        work.push_back(value);
    };
    while (!work.empty()) {
      const Value *value = work.pop_back_val();
      for (const User *user : value->users()) {
        if (isa<BranchInst, SwitchInst>(user)) {
          decide.insert(user);
          decide.insert(&start);
        } else if (isa<ReturnInst>(user)) {
          returns = true;
        } else if (auto *store = dyn_cast<StoreInst>(user)) {
          if (store->getValueOperand() == value)
            if (auto *local = dyn_cast<AllocaInst>(
                    store->getPointerOperand()->stripInBoundsOffsets()))
              reach(local);
        } else if (isa<UnaryOperator, BinaryOperator, CmpInst, CastInst,
                       SelectInst, PHINode, FreezeInst, ExtractValueInst,
                       InsertValueInst, GetElementPtrInst, LoadInst>(user)) {
          reach(user);
        }
      }
    }
  }
  if (decide.empty())
    deciding.erase(&function);
  return returns && releasers.insert(&function).second;
}

LockLoops::LockLoops(const Module &module, CallingConv::ID kernels) {
  findFunctions(module, writesItself, writers);
  findTogether(module, kernels);
  SetVector<const Function *> work;
  for (const Function &function : module)
    if (writers.contains(&function))
      work.insert(&function);
  while (!work.empty()) {
    const Function *function = work.pop_back_val();
    if (!follow(*function))
      continue;
    for (const User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user))
        work.insert(call->getFunction());
  }
}

static LockLoops::Place placeOf(const Value *pointer,
                                const DataLayout &layout) {
  LockLoops::Place place;
  while (place.offsets.size() != 8) {
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base = pointer->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    std::optional<int64_t> at = offset.getSExtValue();
    while (auto *index = dyn_cast<GEPOperator>(base)) {
      base = index->getPointerOperand()->stripInBoundsOffsets();
      at = std::nullopt;
    }
    place.root = base;
    place.offsets.push_back(at);
    auto *load = dyn_cast<LoadInst>(base);
    if (!load)
      break;
    pointer = load->getPointerOperand();
  }
  return place;
}

static LockLoops::Places placesOf(const Instruction &inst) {
  const DataLayout &layout = inst.getDataLayout();
  LockLoops::Places places;
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    for (const Value *argument : call->args())
      if (argument->getType()->isPointerTy())
        places.push_back(placeOf(argument, layout));
  } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
    places.push_back(placeOf(store->getPointerOperand(), layout));
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&inst)) {
    places.push_back(placeOf(update->getPointerOperand(), layout));
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst)) {
    places.push_back(placeOf(exchange->getPointerOperand(), layout));
  }
  return places;
}

LockLoops::Places LockLoops::takenIn(ArrayRef<BasicBlock *> blocks) const {
  Places taken;
  auto found = blocks.empty() ? deciding.end()
                              : deciding.find(blocks.front()->getParent());
  if (found == deciding.end() || none_of(blocks, [&](const BasicBlock *block) {
        return found->second.contains(block->getTerminator());
      }))
    return taken;
  for (const BasicBlock *block : blocks)
    for (const Instruction &inst : *block)
      if (!inst.isTerminator() && found->second.contains(&inst))
        append_range(taken, placesOf(inst));
  return taken;
}

bool LockLoops::releases(const Instruction &inst, const Places &taken) const {
  if (!writes(inst))
    return false;
  auto found = deciding.find(inst.getFunction());
  return (found == deciding.end() || !found->second.contains(&inst)) &&
         any_of(placesOf(inst),
                [&](const Place &place) { return is_contained(taken, place); });
}

bool LockLoops::isLock(ArrayRef<BasicBlock *> blocks) const {
  const Places taken = takenIn(blocks);
  return any_of(blocks, [&](const BasicBlock *block) {
    return any_of(
        *block, [&](const Instruction &inst) { return releases(inst, taken); });
  });
}

} // namespace xcc::gpu
