// Intrinsics as loads of records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerQueries.h"
#include "Abi.h"
#include "block/Intrinsics.h"
#include "block/fibers/Positions.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace xcc::block {

using K = IntrinsicKind;

static SmallVector<CallInst *, 8> statefulCalls(Function &f) {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &i : instructions(f))
    if (intrinsicCalledBy(i).isStateful())
      calls.push_back(cast<CallInst>(&i));
  return calls;
}

void lowerLaunchQueries(Function &f, Value *group, const SharedLayout &layout,
                        Instruction *where) {
  IRBuilder<> b(where);
  GroupFields g{group};
  layout.replaceIn(f, g.shared(b), where);
  for (CallInst *call : statefulCalls(f)) {
    Intrinsic in = intrinsicCalledBy(*call);
    Value *v = nullptr;
    switch (in.kind) {
    case K::BlockDim:
      v = g.blockDim(b, in.dim);
      break;
    case K::GridDim:
      v = g.gridDim(b, in.dim);
      break;
    case K::DynamicShared:
      v = g.dynamicShared(b);
      break;
    case K::DynamicSharedSize:
      v = g.dynamicSharedSize(b);
      break;
    case K::Exchange:
      v = g.exchange(b);
      break;
    default:
      continue;
    }
    call->replaceAllUsesWith(v);
    call->eraseFromParent();
  }
}

void lowerThreadQueries(Function &f, Value *thread, Instruction *where,
                        bool constant) {
  IRBuilder<> b(where);
  for (CallInst *call : statefulCalls(f)) {
    Intrinsic in = intrinsicCalledBy(*call);
    uint64_t offset;
    if (in.kind == K::ThreadIdx)
      offset = offsetof(xcc_cpu_thread, thread_idx) + 4 * in.dim;
    else if (in.kind == K::BlockIdx)
      offset = offsetof(xcc_cpu_thread, block_idx) + 4 * in.dim;
    else if (in.kind == K::LinearThread)
      offset = offsetof(xcc_cpu_thread, linear_thread);
    else
      continue;
    LoadInst *field = loadConstantField(b, thread, offset, b.getInt32Ty());
    if (!constant)
      field->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    field->takeName(call);
    call->replaceAllUsesWith(field);
    call->eraseFromParent();
  }
}

void lowerBarriers(Function &f) {
  for (CallInst *call : statefulCalls(f)) {
    Intrinsic in = intrinsicCalledBy(*call);
    if (!in.isBarrier())
      continue;
    IRBuilder<> b(call);
    Value *mask = callBarrier(b, *f.getParent(),
                              in.kind == K::WarpBarrier ? XCC_CPU_SCOPE_WARP
                                                        : XCC_CPU_SCOPE_BLOCK);
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(mask);
    call->eraseFromParent();
  }
}

void lowerOutlinedFunction(Function &f, const SharedLayout &layout, bool asks) {
  // What was inferred while queries were pure no longer holds, neither here
  // nor where it is called.
  AttributeMask stale;
  for (auto kind :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoCallback,
        Attribute::WillReturn, Attribute::NoFree, Attribute::Speculatable})
    stale.addAttribute(kind);
  f.removeFnAttrs(stale);
  for (User *u : f.users())
    if (auto *call = dyn_cast<CallBase>(u))
      call->removeFnAttrs(stale);
  if (!asks)
    return;

  // A block of its own, so that no query is at the place of insertion.
  BasicBlock &entry = f.getEntryBlock();
  entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "body");
  Instruction *where = entry.getTerminator();
  IRBuilder<> b(where);
  Value *thread = callCurrentThread(b, *f.getParent());
  LoadInst *group = loadConstantField(
      b, thread, offsetof(xcc_cpu_thread, group), b.getPtrTy(), "group");
  group->setMetadata(LLVMContext::MD_invariant_load, nullptr);
  lowerLaunchQueries(f, group, layout, where);
  lowerThreadQueries(f, thread, where, /*Constant=*/false);
  lowerPositions(f, thread, where);
  lowerBarriers(f);
}

void defineTrap(Module &m) {
  Function *trap = m.getFunction("__xcc_trap");
  if (!trap || !intrinsicOf(*trap))
    return;
  trap->setLinkage(GlobalValue::InternalLinkage);
  trap->addFnAttr(Attribute::NoInline);
  IRBuilder<> b(BasicBlock::Create(m.getContext(), "entry", trap));
  Value *service = loadService(b, m, offsetof(xcc_cpu_services, trap), "trap");
  SmallVector<Value *, 4> args(make_pointer_range(trap->args()));
  CallInst *call = b.CreateCall(trap->getFunctionType(), service, args);
  call->setDoesNotReturn();
  call->setDoesNotThrow();
  b.CreateUnreachable();
}

} // namespace xcc::block
