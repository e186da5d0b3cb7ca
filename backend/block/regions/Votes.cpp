// Questions to all threads of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Votes.h"
#include "block/Intrinsics.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

Value *query(IRBuilderBase &b, StringRef name) {
  Module &m = *b.GetInsertBlock()->getModule();
  return b.CreateCall(m.getOrInsertFunction(name, b.getInt32Ty()));
}

Vote vote(IRBuilderBase &b, Value *active) {
  Module &m = *b.GetInsertBlock()->getModule();
  Type *i32 = b.getInt32Ty();
  Value *slots =
      b.CreateCall(m.getOrInsertFunction("__xcc_exchange", b.getPtrTy()));
  Value *self = query(b, "__xcc_linear_thread");
  Value *lane = b.CreateAnd(self, b.getInt32(XCC_CPU_WARP_SIZE - 1));
  Value *bit = b.CreateShl(b.CreateZExt(active, i32), lane);
  b.CreateStore(
      bit, b.CreateInBoundsGEP(i32, slots, b.CreateZExt(self, b.getInt64Ty())));
  Value *here = query(b, "__xcc_warp_barrier");
  setIntrinsicAttributes(m);
  return {slots, self, here};
}

Value *anyOf(IRBuilderBase &b, Value *slots) {
  Type *i32 = b.getInt32Ty();
  Value *threads = b.CreateMul(
      b.CreateMul(query(b, "__xcc_block_dim_x"), query(b, "__xcc_block_dim_y")),
      query(b, "__xcc_block_dim_z"));
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = SplitBlock(before, &*b.GetInsertPoint());
  BasicBlock *after = SplitBlock(loop, loop->getTerminator());
  b.SetInsertPoint(loop->getTerminator());
  PHINode *n = b.CreatePHI(i32, 2), *any = b.CreatePHI(i32, 2);
  Value *slot = b.CreateLoad(
      i32, b.CreateInBoundsGEP(i32, slots, b.CreateZExt(n, b.getInt64Ty())));
  Value *more = b.CreateOr(any, slot),
        *next = b.CreateAdd(n, b.getInt32(1), "", /*HasNUW=*/true);
  b.CreateCondBr(b.CreateICmpULT(next, threads), loop, after);
  loop->getTerminator()->eraseFromParent();
  for (PHINode *phi : {n, any})
    phi->addIncoming(b.getInt32(0), before);
  n->addIncoming(next, loop);
  any->addIncoming(more, loop);
  b.SetInsertPoint(after->getTerminator());
  setIntrinsicAttributes(*after->getModule());
  return b.CreateICmpNE(more, b.getInt32(0), "any");
}

} // namespace xcc::block
