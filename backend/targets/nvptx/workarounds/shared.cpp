// Shared variables with a large alignment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From sm_80 on, the system uses the first KiB of a block's shared memory.
// ptxas aligns the offset of a variable after that KiB, not its address. So a
// single variable with an alignment of 2048 gets the address 1024. Here such a
// variable becomes the aligned part of a larger one.

#include "gpu/AddressSpaces.h"
#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

constexpr uint64_t Begin = 1024;

/// Computes the first aligned address in the larger variable, in a function's
/// first block.
Value *alignedIn(Function &function, GlobalVariable &room, uint64_t align) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  Type *word = function.getDataLayout().getIntPtrType(room.getType());
  Value *address = builder.CreatePtrToInt(&room, word);
  Value *up = builder.CreateAnd(builder.CreateNeg(address),
                                ConstantInt::get(word, align - 1));
  return builder.CreateInBoundsPtrAdd(&room, up);
}

void replace(GlobalVariable &variable) {
  Module &module = *variable.getParent();
  const uint64_t align = variable.getAlign()->value();
  const uint64_t size =
      module.getDataLayout().getTypeAllocSize(variable.getValueType());
  auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()),
                              size + align - Begin);
  auto *room = new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
      PoisonValue::get(type), "", &variable, GlobalValue::NotThreadLocal,
      gpu::SharedAddressSpace);
  room->setAlignment(Align(Begin));
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function *, Value *> addresses;
  for (Use &use : make_early_inc_range(variable.uses()))
    if (auto *inst = dyn_cast<Instruction>(use.getUser())) {
      Value *&address = addresses[inst->getFunction()];
      if (!address)
        address = alignedIn(*inst->getFunction(), *room, align);
      use.set(address);
    }
  variable.removeDeadConstantUsers();
  room->takeName(&variable);
  if (variable.use_empty())
    variable.eraseFromParent();
}

} // namespace

void alignShared(Module &module) {
  SmallVector<GlobalVariable *> found;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == gpu::SharedAddressSpace &&
        !variable.isDeclaration() &&
        variable.getAlign().valueOrOne().value() > Begin)
      found.push_back(&variable);
  for (GlobalVariable *variable : found)
    replace(*variable);
}

} // namespace xcc::nvptx
