// Results that are returned in memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that returns an object in memory gets the object's address. Clang
// declares it as an address in the frame, and casts the caller's address to
// that. But a result may be constructed anywhere: in an element of an array in
// global memory, with placement new, or in a block-shared variable. Then the
// cast loses the upper half of the address. So this file makes these parameters
// generic addresses, as on all other targets. After inlining, the optimiser
// finds out again which addresses are in the frame.

#include "support/Signature.h"
#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {
namespace {

constexpr unsigned Generic = 0;

/// The index of the parameter for the address of a result in the frame.
std::optional<unsigned> resultIn(const AttributeList &attributes,
                                 const FunctionType &type) {
  for (unsigned index = 0; index != std::min(2u, type.getNumParams()); ++index)
    if (attributes.hasParamAttr(index, Attribute::StructRet) &&
        type.getParamType(index)->getPointerAddressSpace() != Generic)
      return index;
  return std::nullopt;
}

FunctionType *withGeneric(const FunctionType &type, unsigned index) {
  SmallVector<Type *> params(type.params());
  params[index] = PointerType::get(type.getContext(), Generic);
  return FunctionType::get(type.getReturnType(), params, type.isVarArg());
}

/// The generic address from which an address in the frame was cast.
Value *genericAddress(IRBuilder<> &builder, Value *address) {
  if (auto *cast = dyn_cast<AddrSpaceCastOperator>(address);
      cast && cast->getSrcAddressSpace() == Generic)
    return cast->getPointerOperand();
  return builder.CreateAddrSpaceCast(address, builder.getPtrTy(Generic));
}

void changeCall(CallBase &call, unsigned index, Value *address) {
  call.setArgOperand(index, address);
  call.mutateFunctionType(withGeneric(*call.getFunctionType(), index));
}

/// Replaces an address in the frame by a generic address, in everything that is
/// computed from it.
class Uses {
public:
  void replace(Value *old, Value *address) {
    replaced[old] = address;
    for (User *user : make_early_inc_range(old->users()))
      change(*cast<Instruction>(user), old, address);
  }
  /// Erases the replaced instructions, users first.
  void erase() {
    for (Instruction *old : reverse(dead))
      old->eraseFromParent();
  }

private:
  DenseMap<Value *, Value *> replaced;
  SmallVector<Instruction *> dead;

  /// The replacement of another operand of the same instruction.
  Value *beside(IRBuilder<> &builder, Value *operand) {
    if (Value *address = replaced.lookup(operand))
      return address;
    return genericAddress(builder, operand);
  }

  void change(Instruction &user, Value *old, Value *address) {
    IRBuilder<> builder(&user);
    if (replaced.contains(&user))
      return;
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(&user);
        cast && cast->getDestAddressSpace() == Generic) {
      cast->replaceAllUsesWith(address);
      dead.push_back(cast);
    } else if (auto *element = dyn_cast<GetElementPtrInst>(&user)) {
      Value *made =
          builder.CreateGEP(element->getSourceElementType(), address,
                            SmallVector<Value *>(element->indices()),
                            element->getName(), element->getNoWrapFlags());
      dead.push_back(element);
      replace(element, made);
    } else if (auto *phi = dyn_cast<PHINode>(&user)) {
      changePhi(*phi);
    } else if (auto *comparison = dyn_cast<ICmpInst>(&user)) {
      Value *sides[] = {beside(builder, comparison->getOperand(0)),
                        beside(builder, comparison->getOperand(1))};
      comparison->replaceAllUsesWith(
          builder.CreateICmp(comparison->getPredicate(), sides[0], sides[1]));
      replaced[comparison] = comparison; // if both operands are replaced
      dead.push_back(comparison);
    } else if (auto *choice = dyn_cast<SelectInst>(&user)) {
      dead.push_back(choice);
      replace(choice,
              builder.CreateSelect(choice->getCondition(),
                                   beside(builder, choice->getTrueValue()),
                                   beside(builder, choice->getFalseValue())));
    } else if (auto *store = dyn_cast<StoreInst>(&user)) {
      if (store->getValueOperand() == old)
        keepForDebuggers(*store, address);
      else
        store->setOperand(store->getPointerOperandIndex(), address);
    } else if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(&user)) {
      user.replaceUsesOfWith(old, address);
    } else if (auto *call = dyn_cast<CallBase>(&user)) {
      changeArgument(*call, old, address);
    } else {
      reject(user);
    }
  }

  void changePhi(PHINode &phi) {
    IRBuilder<> builder(&phi);
    PHINode *made = builder.CreatePHI(
        builder.getPtrTy(Generic), phi.getNumIncomingValues(), phi.getName());
    dead.push_back(&phi);
    replace(&phi, made); // before its operands, which may depend on it
    for (unsigned next = 0; next != phi.getNumIncomingValues(); ++next) {
      builder.SetInsertPoint(phi.getIncomingBlock(next)->getTerminator());
      made->addIncoming(beside(builder, phi.getIncomingValue(next)),
                        phi.getIncomingBlock(next));
    }
  }

  void changeArgument(CallBase &call, Value *old, Value *address) {
    auto index = resultIn(call.getAttributes(), *call.getFunctionType());
    if (index && call.getArgOperand(*index) == old)
      return changeCall(call, *index, address);
    auto *memory = dyn_cast<MemIntrinsic>(&call);
    if (!memory)
      return reject(call);
    // The intrinsic's name contains the address spaces.
    memory->replaceUsesOfWith(old, address);
    SmallVector<Type *> types = {memory->getRawDest()->getType()};
    if (auto *transfer = dyn_cast<MemTransferInst>(memory))
      types.push_back(transfer->getRawSource()->getType());
    types.push_back(memory->getLength()->getType());
    memory->setCalledFunction(Intrinsic::getOrInsertDeclaration(
        memory->getModule(), memory->getIntrinsicID(), types));
  }

  /// Enlarges a variable that stores the address for debuggers.
  static void keepForDebuggers(StoreInst &store, Value *address) {
    auto *variable =
        dyn_cast<AllocaInst>(store.getPointerOperand()->stripPointerCasts());
    if (!variable ||
        variable->getAllocatedType() != store.getValueOperand()->getType())
      return reject(store);
    variable->setAllocatedType(address->getType());
    variable->setAlignment(Align(8));
    IRBuilder<> builder(&store);
    builder.CreateAlignedStore(address, store.getPointerOperand(), Align(8));
    store.eraseFromParent();
  }

  static void reject(Instruction &user) {
    user.getContext().emitError(
        &user, "internal error: the address of a result is used in a way that "
               "xcc does not know; please report it");
  }
};

void changeFunction(Function &old, unsigned index) {
  changeType(old, withGeneric(*old.getFunctionType(), index),
             [&](IRBuilderBase &, Argument &from, Argument &to) {
               if (from.getArgNo() != index) {
                 from.replaceAllUsesWith(&to);
                 return;
               }
               Uses uses;
               uses.replace(&from, &to);
               uses.erase();
             });
}

} // namespace

void makeResultsGeneric(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (auto index =
            resultIn(function.getAttributes(), *function.getFunctionType()))
      changeFunction(function, *index);
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (auto index =
                resultIn(call->getAttributes(), *call->getFunctionType())) {
          IRBuilder<> builder(call);
          changeCall(*call, *index,
                     genericAddress(builder, call->getArgOperand(*index)));
        }
}

void forgetResults(Module &module) {
  auto forget = [](auto &to, unsigned params) {
    for (unsigned index = 0; index != std::min(2u, params); ++index)
      to.removeParamAttr(index, Attribute::StructRet);
  };
  for (Function &function : module) {
    forget(function, function.arg_size());
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst))
        forget(*call, call->getFunctionType()->getNumParams());
  }
}

} // namespace xcc::amdgcn
