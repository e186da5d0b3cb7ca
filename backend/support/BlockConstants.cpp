// Constants that hold addresses which differ from block to block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockConstants.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xcc {
namespace {

/// Variables whose initial values hold the address of a block-shared variable,
/// each with the block-shared variable that led to it.
using Holders = MapVector<GlobalVariable *, const GlobalVariable *>;

class Finder {
public:
  explicit Finder(function_ref<bool(const GlobalVariable &)> isBlockShared)
      : isBlockShared(isBlockShared) {}

  Holders findIn(Module &module) {
    for (GlobalVariable &variable : module.globals())
      if (isBlockShared(variable))
        follow(variable, variable);
    return std::move(holders);
  }

private:
  void follow(Constant &of, const GlobalVariable &origin) {
    for (User *user : of.users()) {
      auto *constant = dyn_cast<Constant>(user);
      if (!constant || !seen.insert(constant).second)
        continue;
      auto *variable = dyn_cast<GlobalVariable>(constant);
      // llvm.used and similar variables hold nothing that code reads.
      if (variable && variable->getName().starts_with("llvm."))
        continue;
      if (variable)
        holders.insert({variable, &origin});
      follow(*constant, origin);
    }
  }

  function_ref<bool(const GlobalVariable &)> isBlockShared;
  DenseSet<Constant *> seen;
  Holders holders;
};

bool isOnlyRead(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const auto *user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      return isOnlyRead(*user);
    if (const auto *copy = dyn_cast<MemTransferInst>(user))
      return copy->getArgOperandNo(&use) == 1;
    return isa<LoadInst>(user);
  });
}

/// Whether each use of an address accepts a generic address. The constant's
/// address may be one of its memory's address space.
bool canBeGeneric(const Value &address) {
  if (!address.getType()->getPointerAddressSpace())
    return true;
  return all_of(address.users(), [](const User *user) {
    if (isa<AddrSpaceCastInst, GetElementPtrInst>(user))
      return user->getType()->isPointerTy() && canBeGeneric(*user);
    return isa<LoadInst, MemTransferInst>(user);
  });
}

void copyFrom(MemTransferInst &copy, Value &from) {
  IRBuilder<> builder(&copy);
  auto *made = builder.CreateMemTransferInst(
      copy.getIntrinsicID(), copy.getRawDest(), copy.getDestAlign(), &from,
      copy.getSourceAlign(), copy.getLength(), copy.isVolatile());
  made->copyMetadata(copy);
  copy.eraseFromParent();
}

/// Replaces an address by a generic one.
void replaceAddress(Use &use, Value &generic) {
  auto *user = cast<Instruction>(use.getUser());
  if (use->getType() == generic.getType()) {
    use.set(&generic);
  } else if (isa<AddrSpaceCastInst>(user)) {
    for (Use &each : make_early_inc_range(user->uses()))
      replaceAddress(each, generic);
    user->eraseFromParent();
  } else if (auto *copy = dyn_cast<MemTransferInst>(user)) {
    copyFrom(*copy, generic);
  } else if (isa<LoadInst>(user)) {
    use.set(&generic);
  } else {
    IRBuilder<> builder(user);
    auto *step = cast<GetElementPtrInst>(user);
    SmallVector<Value *> indices(step->indices());
    Value *made =
        builder.CreateGEP(step->getSourceElementType(), &generic, indices,
                          step->getName(), step->getNoWrapFlags());
    for (Use &each : make_early_inc_range(step->uses()))
      replaceAddress(each, *made);
    step->eraseFromParent();
  }
}

/// Fills a local variable with the value of a constant.
class Filler {
public:
  Filler(IRBuilder<> &builder, const Holders &holders,
         function_ref<bool(const GlobalVariable &)> isBlockShared)
      : builder(builder), holders(holders), isBlockShared(isBlockShared) {}

  void fill(Value &local, GlobalVariable &from) {
    Constant *value = from.getInitializer();
    if (!isBlockDependent(*value))
      copyOthers(local, from);
    store(local, *value, 0, from.getAlign().valueOrOne());
  }

private:
  bool holdsAddress(const Constant &value) const {
    if (const auto *variable = dyn_cast<GlobalVariable>(&value))
      return isBlockShared(*variable) ||
             holders.contains(const_cast<GlobalVariable *>(variable));
    return !isa<GlobalValue>(value) && any_of(value.operands(), [&](auto &use) {
      return holdsAddress(*cast<Constant>(use));
    });
  }

  bool isBlockDependent(const Constant &value) const {
    if (!isa<ConstantAggregate>(value))
      return holdsAddress(value);
    return all_of(value.operands(), [&](auto &use) {
      return isBlockDependent(*cast<Constant>(use));
    });
  }

  /// The value with null in place of addresses that depend on the block.
  Constant *others(Constant &value) const {
    if (!holdsAddress(value))
      return &value;
    if (!isa<ConstantAggregate>(value))
      return Constant::getNullValue(value.getType());
    SmallVector<Constant *> parts;
    for (Use &use : value.operands())
      parts.push_back(others(*cast<Constant>(use)));
    if (auto *type = dyn_cast<StructType>(value.getType()))
      return ConstantStruct::get(type, parts);
    if (auto *type = dyn_cast<ArrayType>(value.getType()))
      return ConstantArray::get(type, parts);
    return ConstantVector::get(parts);
  }

  void copyOthers(Value &local, GlobalVariable &from) {
    Module &module = *from.getParent();
    Constant *value = others(*from.getInitializer());
    auto *rest = new GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        GlobalValue::PrivateLinkage, value, from.getName() + ".rest", nullptr,
        GlobalValue::NotThreadLocal, from.getAddressSpace());
    rest->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    rest->setAlignment(from.getAlign());
    builder.CreateMemCpy(
        &local, from.getAlign(), rest, from.getAlign(),
        module.getDataLayout().getTypeAllocSize(value->getType()));
  }

  void store(Value &local, Constant &value, uint64_t offset, Align align) {
    if (!holdsAddress(value))
      return;
    if (!isa<ConstantAggregate>(value)) {
      builder.CreateAlignedStore(&value,
                                 offset
                                     ? builder.CreateConstInBoundsGEP1_64(
                                           builder.getInt8Ty(), &local, offset)
                                     : &local,
                                 commonAlignment(align, offset));
      return;
    }
    const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
    for (unsigned i = 0; i < value.getNumOperands(); ++i) {
      auto &part = *cast<Constant>(value.getOperand(i));
      uint64_t at = i * layout.getTypeAllocSize(part.getType());
      if (auto *type = dyn_cast<StructType>(value.getType()))
        at = layout.getStructLayout(type)->getElementOffset(i);
      store(local, part, offset + at, align);
    }
  }

  IRBuilder<> &builder;
  const Holders &holders;
  function_ref<bool(const GlobalVariable &)> isBlockShared;
};

/// Creates a local variable with the constant's value. \returns its generic
/// address.
Value *localCopy(Function &function, GlobalVariable &constant,
                 const Holders &holders,
                 function_ref<bool(const GlobalVariable &)> isBlockShared) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  // With debug information, inlined code needs a location.
  if (DISubprogram *scope = function.getSubprogram())
    builder.SetCurrentDebugLocation(
        DILocation::get(function.getContext(), 0, 0, scope));
  auto *local = builder.CreateAlloca(
      constant.getValueType(), function.getDataLayout().getAllocaAddrSpace(),
      nullptr, constant.getName());
  if (constant.getAlign())
    local->setAlignment(std::max(local->getAlign(), *constant.getAlign()));
  Value *address =
      builder.CreatePointerBitCastOrAddrSpaceCast(local, builder.getPtrTy());
  Filler(builder, holders, isBlockShared).fill(*local, constant);
  return address;
}

/// False if the constant's own address may be kept.
bool localise(GlobalVariable &constant, const Holders &holders,
              function_ref<bool(const GlobalVariable &)> isBlockShared) {
  constant.removeDeadConstantUsers();
  convertUsersOfConstantsToInstructions({&constant});
  if (!constant.isConstant() || !constant.hasDefinitiveInitializer() ||
      constant.isThreadLocal() ||
      any_of(constant.users(),
             [](const User *user) { return !isa<Instruction>(user); }) ||
      !canBeGeneric(constant) ||
      !(constant.hasGlobalUnnamedAddr() || isOnlyRead(constant)))
    return false;
  DenseMap<Function *, Value *> copies;
  while (!constant.use_empty()) {
    Use &use = *constant.use_begin();
    Function *function = cast<Instruction>(use.getUser())->getFunction();
    Value *&copy = copies[function];
    if (!copy)
      copy = localCopy(*function, constant, holders, isBlockShared);
    replaceAddress(use, *copy);
  }
  constant.eraseFromParent();
  return true;
}

} // namespace

void localiseBlockConstants(
    Module &module, function_ref<bool(const GlobalVariable &)> isBlockShared) {
  Holders holders = Finder(isBlockShared).findIn(module);
  // A constant whose address another one holds can go only after that one.
  for (bool changed = true; changed;) {
    changed = false;
    for (GlobalVariable *holder : to_vector(make_first_range(holders)))
      if (localise(*holder, holders, isBlockShared)) {
        holders.erase(holder);
        changed = true;
      }
  }
}

std::string describeBlockConstants(
    const Module &module,
    function_ref<bool(const GlobalVariable &)> isBlockShared) {
  std::string wrong;
  for (auto [holder, shared] :
       Finder(isBlockShared).findIn(const_cast<Module &>(module))) {
    SmallVector<DIGlobalVariableExpression *, 1> places;
    holder->getDebugInfo(places);
    if (!places.empty())
      wrong += formatv("{0}:{1}: ", places[0]->getVariable()->getFilename(),
                       places[0]->getVariable()->getLine());
    wrong += formatv("'{0}' holds the address of block-shared variable '{1}', "
                     "which differs from block to block: no variable that is "
                     "one for all blocks can hold it\n",
                     demangle(holder->getName()), demangle(shared->getName()));
  }
  if (!wrong.empty())
    wrong += "note: make it a local variable, without 'static'\n";
  return wrong;
}

} // namespace xcc
