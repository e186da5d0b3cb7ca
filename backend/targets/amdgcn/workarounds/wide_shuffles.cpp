// Shuffles of 64 lanes where ds_bpermute handles only 32
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace xcc::amdgcn {

/// Groups the shuffles of a module. Shuffles of one group can share a loop:
/// they have the same lanes, and their values exist before the first shuffle.
static SmallVector<SmallVector<CallInst *, 2>> shuffleGroups(Module &module) {
  SmallVector<SmallVector<CallInst *, 2>> groups;
  auto joins = [](const CallInst *call, const CallInst *first) {
    const auto *value = dyn_cast<Instruction>(call->getArgOperand(0));
    return call->getParent() == first->getParent() &&
           call->getArgOperand(1) == first->getArgOperand(1) &&
           (!value || value->getParent() != first->getParent() ||
            value->comesBefore(first));
  };
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == Intrinsic::amdgcn_wave_shuffle) {
        if (groups.empty() || !joins(call, groups.back().front()))
          groups.emplace_back();
        groups.back().push_back(call);
      }
  return groups;
}

/// Reads from the lane's own half of the wave, then in a loop from the other
/// half.
static void shuffleByHalves(ArrayRef<CallInst *> group) {
  CallInst *first = group.front();
  BasicBlock *before = first->getParent();
  BasicBlock *after = before->splitBasicBlock(first);
  BasicBlock *loop = BasicBlock::Create(first->getContext(), "halves",
                                        before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(first->getDebugLoc());
  auto make = [&](Intrinsic::ID id, ArrayRef<Type *> types,
                  ArrayRef<Value *> args) {
    return builder.CreateIntrinsic(id, types, args);
  };
  Type *word = builder.getInt32Ty(), *mask = builder.getInt64Ty();
  Constant *zero = builder.getInt32(0), *all = builder.getInt32(~0u);
  Value *lane = builder.CreateAnd(first->getArgOperand(1), 63);
  Value *address = builder.CreateShl(lane, 2);
  SmallVector<Value *> own;
  for (CallInst *call : group)
    own.push_back(make(Intrinsic::amdgcn_ds_bpermute, {},
                       {address, call->getArgOperand(0)}));
  Value *self = make(Intrinsic::amdgcn_mbcnt_lo, {}, {all, zero});
  self = make(Intrinsic::amdgcn_mbcnt_hi, {}, {all, self});
  Value *other = builder.CreateICmpNE(
      builder.CreateAnd(builder.CreateXor(lane, self), 32), zero);
  Value *wanting = make(Intrinsic::amdgcn_ballot, {mask}, {other});
  builder.CreateCondBr(builder.CreateIsNotNull(wanting), loop, after);

  builder.SetInsertPoint(loop);
  PHINode *rest = builder.CreatePHI(mask, 2);
  rest->addIncoming(wanting, before);
  SmallVector<PHINode *> results;
  for (Value *value : own) {
    results.push_back(builder.CreatePHI(word, 2));
    results.back()->addIncoming(value, before);
  }
  Value *lowest = builder.CreateTrunc(
      builder.CreateBinaryIntrinsic(Intrinsic::cttz, rest, builder.getTrue()),
      word);
  Value *from = make(Intrinsic::amdgcn_readlane, {word}, {lane, lowest});
  Value *here = builder.CreateICmpEQ(lane, from);
  SmallVector<Value *> next;
  for (auto [call, result] : zip(group, results)) {
    Value *read = make(Intrinsic::amdgcn_readlane, {word},
                       {call->getArgOperand(0), from});
    next.push_back(builder.CreateSelect(here, read, result));
    result->addIncoming(next.back(), loop);
  }
  Value *left = builder.CreateAnd(
      rest, builder.CreateNot(make(Intrinsic::amdgcn_ballot, {mask}, {here})));
  rest->addIncoming(left, loop);
  builder.CreateCondBr(builder.CreateIsNotNull(left), loop, after);

  builder.SetInsertPoint(after, after->begin());
  for (unsigned i = 0; i != group.size(); ++i) {
    PHINode *result = builder.CreatePHI(word, 2);
    result->addIncoming(own[i], before);
    result->addIncoming(next[i], loop);
    group[i]->replaceAllUsesWith(result);
  }
  for (CallInst *call : group)
    call->eraseFromParent();
}

void fixWideShuffles(Module &module, const TargetMachine &machine) {
  const MCSubtargetInfo &has = *machine.getMCSubtargetInfo();
  if (!has.checkFeatures("+gfx10") || has.checkFeatures("+gfx11-insts") ||
      !has.checkFeatures("+wavefrontsize64"))
    return;
  for (ArrayRef<CallInst *> group : shuffleGroups(module))
    shuffleByHalves(group);
}

} // namespace xcc::amdgcn
