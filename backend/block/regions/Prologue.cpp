// Hoisting of values that are the same for all threads of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Regions.h"
#include "block/Intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::block {

/// Whether nothing in the kernel can write to the memory at \p address: the
/// address is only loaded from and copied from.
static bool isReadOnly(const Value &address) {
  return all_of(address.uses(), [](const Use &u) {
    const User *i = u.getUser();
    if (isa<GetElementPtrInst>(i))
      return isReadOnly(*i);
    if (isa<MemTransferInst>(i))
      return u.getOperandNo() == 1;
    return isa<LoadInst>(i);
  });
}

namespace {

class PrologueHoister {
public:
  PrologueHoister(Function &kernel, Scope scope)
      : kernel(kernel), scope(scope), prologue(&kernel.getEntryBlock()) {}

  void run();

private:
  bool isAvailable(const Value *v) const {
    auto *i = dyn_cast<Instruction>(v);
    return !i || (i->getParent() == prologue && !isa<AllocaInst>(i));
  }
  bool isHoistable(const Instruction &i) const;

  Function &kernel;
  Scope scope;
  BasicBlock *prologue;
};

} // namespace

/// The offset in the arguments that \p load is from.
static std::optional<uint64_t> argumentOffset(const LoadInst &load) {
  APInt offset(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  if (base != load.getFunction()->getArg(0) || offset.isNegative())
    return std::nullopt;
  return offset.getZExtValue();
}

void markArguments(Function &kernel, uint64_t kernargSize) {
  if (!isReadOnly(*kernel.getArg(0)))
    return;
  // The runtime aligns the segment to 64 bytes, so that much is there.
  kernargSize = std::max<uint64_t>(kernargSize, 64);
  for (Instruction &i : instructions(kernel)) {
    auto *load = dyn_cast<LoadInst>(&i);
    auto offset = load && load->isSimple() ? argumentOffset(*load)
                                           : std::optional<uint64_t>();
    if (offset &&
        *offset + load->getDataLayout().getTypeStoreSize(load->getType()) <=
            kernargSize)
      load->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(kernel.getContext(), {}));
  }
}

bool PrologueHoister::isHoistable(const Instruction &i) const {
  if (i.isTerminator() || i.isEHPad() || isa<PHINode, AllocaInst>(i) ||
      i.getType()->isTokenTy() ||
      !all_of(i.operand_values(),
              [&](const Value *v) { return isAvailable(v); }))
    return false;
  switch (intrinsicCalledBy(i).kind) {
  case IntrinsicKind::None:
    break;
  case IntrinsicKind::BlockIdx:
  case IntrinsicKind::BlockDim:
  case IntrinsicKind::GridDim:
  case IntrinsicKind::DynamicShared:
  case IntrinsicKind::DynamicSharedSize:
  case IntrinsicKind::Exchange:
  case IntrinsicKind::ThreadRecord:
    return true;
  case IntrinsicKind::ThreadIdx:
  case IntrinsicKind::LinearThread:
    return scope == Scope::Warp;
  default:
    return false;
  }
  if (auto *load = dyn_cast<LoadInst>(&i);
      load && load->hasMetadata(LLVMContext::MD_invariant_load) &&
      argumentOffset(*load))
    return true;
  return !i.mayReadOrWriteMemory() && !i.getType()->isVoidTy() &&
         isSafeToSpeculativelyExecute(&i);
}

void PrologueHoister::run() {
  // The prologue is a block of its own: allocas first, then hoisted code.
  BasicBlock *body = prologue->splitBasicBlock(
      prologue->getFirstNonPHIOrDbgOrAlloca(), "body");
  Instruction *end = prologue->getTerminator();
  for (Instruction &i : make_early_inc_range(*body))
    if (auto *a = dyn_cast<AllocaInst>(&i);
        a && isa<ConstantInt>(a->getArraySize()))
      a->moveBefore(end->getIterator());

  ReversePostOrderTraversal<Function *> order(&kernel);
  for (BasicBlock *bb : order) {
    if (bb == prologue)
      continue;
    for (Instruction &i : make_early_inc_range(*bb)) {
      if (!isHoistable(i))
        continue;
      // Facts that held where it was need not hold for all threads.
      if (!isa<LoadInst>(i))
        i.dropUBImplyingAttrsAndMetadata();
      i.moveBefore(end->getIterator());
      // A debugger with a breakpoint at a function stops at its first code,
      // where the function's arguments are not computed yet.
      i.updateLocationAfterHoist();
    }
  }
}

void hoistPrologue(Function &kernel, Scope scope) {
  PrologueHoister(kernel, scope).run();
}

} // namespace xcc::block
