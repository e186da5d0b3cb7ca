// Intrinsics as loads of records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerQueries.h"
#include "Abi.h"
#include "Intrinsics.h"
#include "Positions.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace xcc::block {

using K = IntrinsicKind;

static SmallVector<CallInst *, 8> statefulCalls(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (intrinsicCalledBy(I).isStateful())
      Calls.push_back(cast<CallInst>(&I));
  return Calls;
}

void lowerLaunchQueries(Function &F, Value *Group, const SharedLayout &Layout,
                        Instruction *Where) {
  IRBuilder<> B(Where);
  GroupFields G{Group};
  Layout.replaceIn(F, G.shared(B), Where);
  for (CallInst *Call : statefulCalls(F)) {
    Intrinsic In = intrinsicCalledBy(*Call);
    Value *V = nullptr;
    switch (In.Kind) {
    case K::BlockDim:
      V = G.blockDim(B, In.Dim);
      break;
    case K::GridDim:
      V = G.gridDim(B, In.Dim);
      break;
    case K::DynamicShared:
      V = G.dynamicShared(B);
      break;
    case K::DynamicSharedSize:
      V = G.dynamicSharedSize(B);
      break;
    case K::Exchange:
      V = G.exchange(B);
      break;
    default:
      continue;
    }
    Call->replaceAllUsesWith(V);
    Call->eraseFromParent();
  }
}

void lowerThreadQueries(Function &F, Value *Thread, Instruction *Where,
                        bool Constant) {
  IRBuilder<> B(Where);
  for (CallInst *Call : statefulCalls(F)) {
    Intrinsic In = intrinsicCalledBy(*Call);
    uint64_t Offset;
    if (In.Kind == K::ThreadIdx)
      Offset = offsetof(xcc_cpu_thread, thread_idx) + 4 * In.Dim;
    else if (In.Kind == K::BlockIdx)
      Offset = offsetof(xcc_cpu_thread, block_idx) + 4 * In.Dim;
    else if (In.Kind == K::LinearThread)
      Offset = offsetof(xcc_cpu_thread, linear_thread);
    else
      continue;
    LoadInst *Field = loadConstantField(B, Thread, Offset, B.getInt32Ty());
    if (!Constant)
      Field->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    Field->takeName(Call);
    Call->replaceAllUsesWith(Field);
    Call->eraseFromParent();
  }
}

void lowerBarriers(Function &F) {
  for (CallInst *Call : statefulCalls(F)) {
    Intrinsic In = intrinsicCalledBy(*Call);
    if (!In.isBarrier())
      continue;
    IRBuilder<> B(Call);
    Value *Mask = callBarrier(B, *F.getParent(),
                              In.Kind == K::WarpBarrier ? XCC_CPU_SCOPE_WARP
                                                        : XCC_CPU_SCOPE_BLOCK);
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(Mask);
    Call->eraseFromParent();
  }
}

void lowerOutlinedFunction(Function &F, const SharedLayout &Layout, bool Asks) {
  // What was inferred while queries were pure no longer holds, neither here
  // nor where it is called.
  AttributeMask Stale;
  for (auto Kind :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoCallback,
        Attribute::WillReturn, Attribute::NoFree, Attribute::Speculatable})
    Stale.addAttribute(Kind);
  F.removeFnAttrs(Stale);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      Call->removeFnAttrs(Stale);
  if (!Asks)
    return;

  // A block of its own, so that no query is at the place of insertion.
  BasicBlock &Entry = F.getEntryBlock();
  Entry.splitBasicBlock(Entry.getFirstNonPHIOrDbgOrAlloca(), "body");
  Instruction *Where = Entry.getTerminator();
  IRBuilder<> B(Where);
  Value *Thread = callCurrentThread(B, *F.getParent());
  LoadInst *Group = loadConstantField(
      B, Thread, offsetof(xcc_cpu_thread, group), B.getPtrTy(), "group");
  Group->setMetadata(LLVMContext::MD_invariant_load, nullptr);
  lowerLaunchQueries(F, Group, Layout, Where);
  lowerThreadQueries(F, Thread, Where, /*Constant=*/false);
  lowerPositions(F, Thread, Where);
  lowerBarriers(F);
}

void defineTrap(Module &M) {
  Function *Trap = M.getFunction("__xcc_trap");
  if (!Trap || !intrinsicOf(*Trap))
    return;
  Trap->setLinkage(GlobalValue::InternalLinkage);
  Trap->addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Trap));
  Value *Service = loadService(B, M, offsetof(xcc_cpu_services, trap), "trap");
  SmallVector<Value *, 4> Args(make_pointer_range(Trap->args()));
  CallInst *Call = B.CreateCall(Trap->getFunctionType(), Service, Args);
  Call->setDoesNotReturn();
  Call->setDoesNotThrow();
  B.CreateUnreachable();
}

} // namespace xcc::block
