// The stack pointer, which LLVM 22 moves by the wrong unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace xcc::amdgcn {

/// The current stack pointer. If it counts bytes of a lane, this is the address
/// of an empty variable.
static Value *stackTop(IRBuilder<> &builder, unsigned space) {
  Type *word = builder.getInt32Ty();
  // The size must be unknown, or this would become a variable of the frame.
  Value *nothing = builder.CreateCall(
      InlineAsm::get(FunctionType::get(word, false), "s_mov_b32 $0, 0", "=s",
                     /*hasSideEffects=*/true));
  Value *top = builder.CreatePtrToInt(
      builder.CreateAlloca(builder.getInt8Ty(), space, nothing), word);
  // This reads the pointer here, not where it is used.
  return builder.CreateCall(
      InlineAsm::get(FunctionType::get(word, {word}, false), "", "=v,0",
                     /*hasSideEffects=*/true),
      {top});
}

/// Sets the stack pointer to `top`, which must be the same for all lanes.
static void setStackTop(IRBuilder<> &builder, Value *top) {
  Type *word = builder.getInt32Ty();
  top = builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {word}, {top});
  builder.CreateCall(
      InlineAsm::get(FunctionType::get(builder.getVoidTy(), {word}, false),
                     "s_mov_b32 s32, $0", "s,~{s32}",
                     /*hasSideEffects=*/true),
      {top});
}

void fixDynamicAllocas(Module &module, const TargetMachine &machine) {
  const MCSubtargetInfo &has = *machine.getMCSubtargetInfo();
  bool ofLanes = has.checkFeatures("+architected-flat-scratch");
  unsigned logLanes = has.checkFeatures("+wavefrontsize64") ? 6 : 5;
  constexpr uint64_t stackAlign = 16;
  const DataLayout &layout = module.getDataLayout();
  SmallVector<AllocaInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&inst);
          variable && !variable->isStaticAlloca())
        found.push_back(variable);
  for (AllocaInst *variable : found) {
    IRBuilder<> builder(variable->getNextNode());
    builder.SetCurrentDebugLocation(variable->getDebugLoc());
    if (!ofLanes) {
      Value *ofWave = builder.CreatePtrToInt(variable, builder.getInt32Ty());
      Value *ofLane = builder.CreateIntToPtr(
          builder.CreateLShr(ofWave, logLanes), variable->getType());
      variable->replaceUsesWithIf(
          ofLane, [&](Use &use) { return use.getUser() != ofWave; });
      continue;
    }
    Type *word = builder.getInt32Ty();
    auto aligned = [&](Value *value, uint64_t to) {
      return builder.CreateAnd(
          builder.CreateAdd(value, builder.getInt32(to - 1)),
          builder.getInt32(-to));
    };
    Value *address =
        stackTop(builder, variable->getType()->getPointerAddressSpace());
    if (variable->getAlign().value() > stackAlign)
      address = aligned(address, variable->getAlign().value());
    uint64_t each = layout.getTypeAllocSize(variable->getAllocatedType());
    Value *bytes = builder.CreateMul(
        builder.CreateZExtOrTrunc(variable->getArraySize(), word),
        builder.getInt32(each));
    bytes = builder.CreateIntrinsic(Intrinsic::amdgcn_wave_reduce_umax, {word},
                                    {bytes, builder.getInt32(0)});
    setStackTop(builder,
                aligned(builder.CreateAdd(address, bytes), stackAlign));
    Value *result = builder.CreateIntToPtr(address, variable->getType());
    result->takeName(variable);
    variable->replaceAllUsesWith(result);
    variable->eraseFromParent();
  }
}

void fixStackPointers(Module &module, const TargetMachine &machine) {
  if (!machine.getMCSubtargetInfo()->checkFeatures("+architected-flat-scratch"))
    return;
  SmallVector<IntrinsicInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && (call->getIntrinsicID() == Intrinsic::stacksave ||
                   call->getIntrinsicID() == Intrinsic::stackrestore))
        found.push_back(call);
  for (IntrinsicInst *call : found) {
    IRBuilder<> builder(call);
    if (call->getIntrinsicID() == Intrinsic::stacksave) {
      Type *pointer = call->getType();
      call->replaceAllUsesWith(builder.CreateIntToPtr(
          stackTop(builder, pointer->getPointerAddressSpace()), pointer));
    } else {
      setStackTop(builder, builder.CreatePtrToInt(call->getArgOperand(0),
                                                  builder.getInt32Ty()));
    }
    call->eraseFromParent();
  }
}

} // namespace xcc::amdgcn
