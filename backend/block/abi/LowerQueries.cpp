// Intrinsics as loads of records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerQueries.h"
#include "Abi.h"
#include "block/Intrinsics.h"
#include "block/fibers/Positions.h"
#include "block/rewrites/ThreadLocals.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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
    case K::ThreadRecord:
      v = g.thread(b);
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
      offset = offsetof(xcc_cpu_thread, thread_index) + 4 * in.dim;
    else if (in.kind == K::BlockIdx)
      offset = offsetof(xcc_cpu_thread, block_index) + 4 * in.dim;
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

/// Makes a function that uses block-shared variables end the launch if a kernel
/// of another image calls it, because the block's memory has that image's
/// layout.
static void checkImage(IRBuilderBase &b, Value *group, Instruction *where) {
  Module &m = *where->getModule();
  Value *image = loadConstantField(b, group, offsetof(xcc_cpu_group, image),
                                   b.getPtrTy(), "image");
  Instruction *otherwise = SplitBlockAndInsertIfThen(
      b.CreateICmpNE(image, imageHeader(m)), where, /*Unreachable=*/true,
      MDBuilder(m.getContext()).createUnlikelyBranchWeights());
  IRBuilder<> other(otherwise);
  Constant *none = Constant::getNullValue(b.getPtrTy());
  other.CreateCall(
      m.getOrInsertFunction("__xcc_trap",
                            FunctionType::get(b.getVoidTy(),
                                              {b.getInt32Ty(), b.getPtrTy(),
                                               b.getPtrTy(), b.getInt32Ty()},
                                              false)),
      {b.getInt32(XCC_CPU_TRAP_ABORT),
       other.CreateGlobalString(
           "a function with block_shared variables was called by a kernel of "
           "another image, through a pointer; blocks have such variables of "
           "their own image alone"),
       none, b.getInt32(0)});
}

void dropPurity(Function &f) {
  AttributeMask stale;
  for (auto kind :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoCallback,
        Attribute::WillReturn, Attribute::NoFree, Attribute::Speculatable})
    stale.addAttribute(kind);
  f.removeFnAttrs(stale);
  for (User *u : f.users())
    if (auto *call = dyn_cast<CallBase>(u))
      call->removeFnAttrs(stale);
}

void lowerOutlinedFunction(Function &f, const SharedLayout &layout, bool asks) {
  if (!asks)
    return;

  // Split first, so that all queries are behind the place of insertion.
  BasicBlock &entry = f.getEntryBlock();
  entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "body");
  Instruction *where = entry.getTerminator();
  IRBuilder<> b(where);
  Value *thread = callCurrentThread(b, *f.getParent());
  LoadInst *group = loadConstantField(
      b, thread, offsetof(xcc_cpu_thread, group), b.getPtrTy(), "group");
  group->setMetadata(LLVMContext::MD_invariant_load, nullptr);
  if (layout.isUsedIn(f))
    checkImage(b, group, where);
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
  leaveThread(b);
  Value *service = loadService(b, m, offsetof(xcc_cpu_services, trap), "trap");
  SmallVector<Value *, 4> args(make_pointer_range(trap->args()));
  CallInst *call = b.CreateCall(trap->getFunctionType(), service, args);
  call->setDoesNotReturn();
  call->setDoesNotThrow();
  b.CreateUnreachable();
}

void defineThreadLocals(Module &m) {
  for (StringRef name : {"__xcc_thread_local", "__xcc_foreign_thread_local"}) {
    Function *find = m.getFunction(name);
    if (!find || !intrinsicOf(*find))
      continue;
    find->setLinkage(GlobalValue::InternalLinkage);
    for (auto kind : {Attribute::Memory, Attribute::NoSync,
                      Attribute::NoCallback, Attribute::WillReturn})
      find->removeFnAttr(kind);
    IRBuilder<> b(BasicBlock::Create(m.getContext(), "entry", find));
    Value *service =
        loadService(b, m, offsetof(xcc_cpu_services, thread_local_address),
                    "thread_local_address");
    CallInst *call =
        b.CreateCall(find->getFunctionType(), service, {find->getArg(0)});
    call->setDoesNotThrow();
    b.CreateRet(call);
  }
}

void defineYields(Module &m) {
  for (StringRef name : {"__xcc_yield", "__xcc_poll"}) {
    Function *yield = m.getFunction(name);
    if (!yield || !intrinsicOf(*yield))
      continue;
    yield->setLinkage(GlobalValue::InternalLinkage);
    yield->addFnAttr(Attribute::NoInline);
    IRBuilder<> b(BasicBlock::Create(m.getContext(), "entry", yield));
    Value *service =
        loadService(b, m, offsetof(xcc_cpu_services, yield), "yield");
    CallInst *call =
        b.CreateCall(yield->getFunctionType(), service, {yield->getArg(0)});
    call->setDoesNotThrow();
    b.CreateRetVoid();
  }
}

} // namespace xcc::block
