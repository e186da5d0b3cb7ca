// The operation of a compare-and-swap loop
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In
//
//   old = load p
//   do new = old + value; while (!compare_exchange(p, old, new))
//
// the operation is the addition and its value: what one atomicrmw would do.

#ifndef XCC_BACKEND_SUPPORT_ATOMICUPDATE_H
#define XCC_BACKEND_SUPPORT_ATOMICUPDATE_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace xcc {

struct AtomicUpdate {
  llvm::AtomicRMWInst::BinOp operation;
  llvm::Value *value; ///< the operation's other operand

  bool operator==(const AtomicUpdate &) const = default;
};

inline std::optional<llvm::AtomicRMWInst::BinOp>
atomicOperationOf(const llvm::Instruction &i) {
  using llvm::AtomicRMWInst;
  using llvm::Instruction;
  switch (i.getOpcode()) {
  case Instruction::FAdd:
    return AtomicRMWInst::FAdd;
  case Instruction::FSub:
    return AtomicRMWInst::FSub;
  case Instruction::Add:
    return AtomicRMWInst::Add;
  case Instruction::Sub:
    return AtomicRMWInst::Sub;
  case Instruction::And:
    return AtomicRMWInst::And;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  default:
    break;
  }
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::smax:
      return AtomicRMWInst::Max;
    case llvm::Intrinsic::smin:
      return AtomicRMWInst::Min;
    case llvm::Intrinsic::umax:
      return AtomicRMWInst::UMax;
    case llvm::Intrinsic::umin:
      return AtomicRMWInst::UMin;
    default:
      break;
    }
  return std::nullopt;
}

/// The operation of \p swap; none if its new value is no operation on the
/// expected one.
inline std::optional<AtomicUpdate> updateOf(llvm::AtomicCmpXchgInst &swap) {
  auto withoutCasts = [](llvm::Value *v) {
    while (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(v))
      v = cast->getOperand(0);
    return v;
  };
  auto *changed =
      llvm::dyn_cast<llvm::Instruction>(withoutCasts(swap.getNewValOperand()));
  auto operation = changed ? atomicOperationOf(*changed) : std::nullopt;
  if (!operation || changed->getType()->isVectorTy())
    return std::nullopt;
  llvm::Value *expected = withoutCasts(swap.getCompareOperand());
  bool isSecond = withoutCasts(changed->getOperand(0)) != expected;
  if (withoutCasts(changed->getOperand(isSecond)) != expected ||
      (isSecond && (*operation == llvm::AtomicRMWInst::FSub ||
                    *operation == llvm::AtomicRMWInst::Sub)))
    return std::nullopt;
  return AtomicUpdate{*operation, changed->getOperand(!isSecond)};
}

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_ATOMICUPDATE_H
