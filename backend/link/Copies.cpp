// Which values of a module may be copied
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"
#include "block/Intrinsics.h"
#include "gpu/AddressSpaces.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc {
namespace {

/// Whether a constant's address is used other than to read the constant.
bool addressMatters(const Value &value) {
  for (const User *user : value.users()) {
    if (isa<LoadInst>(user))
      continue;
    if (isa<GEPOperator, AddrSpaceCastOperator>(user)) {
      if (addressMatters(*user))
        return true;
      continue;
    }
    if (const auto *call = dyn_cast<CallBase>(user);
        call &&
        (call->getIntrinsicID() == Intrinsic::memcpy ||
         call->getIntrinsicID() == Intrinsic::memmove) &&
        call->getArgOperand(0) != &value)
      continue;
    return true;
  }
  return false;
}

} // namespace

bool isSameInCopies(const GlobalValue &value) {
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  if (!variable)
    return value.hasGlobalUnnamedAddr();
  // Every block has its own anyhow.
  if (variable->getAddressSpace() == gpu::SharedAddressSpace ||
      block::isBlockShared(*variable))
    return true;
  return variable->isConstant() &&
         (variable->hasGlobalUnnamedAddr() || !addressMatters(*variable));
}

bool isAddressTaken(const Value &value) {
  return any_of(value.uses(), [&](const Use &use) {
    const User *user = use.getUser();
    if (const auto *call = dyn_cast<CallBase>(user))
      return !call->isCallee(&use);
    if (const auto *variable = dyn_cast<GlobalVariable>(user))
      return !isSameInCopies(*variable);
    if (isa<BlockAddress>(user))
      return true;
    return isa<Constant>(user) && !isa<GlobalValue>(user)
               ? isAddressTaken(*user)
               : true;
  });
}

} // namespace xcc
