// Barriers as ends of regions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Intrinsics.h"
#include "Regions.h"
#include "Uniformity.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

static SmallVector<CallInst *, 8> barriersOf(Function &F) {
  SmallVector<CallInst *, 8> Barriers;
  for (Instruction &I : instructions(F))
    if (intrinsicCalledBy(I).isBarrier())
      Barriers.push_back(cast<CallInst>(&I));
  return Barriers;
}

void splitAtBarriers(Function &Kernel) {
  for (CallInst *Barrier : barriersOf(Kernel))
    Barrier->getParent()->splitBasicBlock(std::next(Barrier->getIterator()),
                                          "met");
}

/// The lanes of the calling thread's warp: all but in the block's last warp,
/// which may be shorter.
static Value *warpMask(IRBuilderBase &B, Module &M, Uniformity &Uniform) {
  Type *I32 = B.getInt32Ty();
  auto Query = [&](const char *Name, bool Differs) {
    Value *V = B.CreateCall(M.getOrInsertFunction(Name, I32));
    if (Differs)
      Uniform.addDivergent(*V);
    return V;
  };
  Value *Linear = Query("__xcc_linear_thread", true);
  Value *Threads = B.CreateMul(B.CreateMul(Query("__xcc_block_dim_x", false),
                                           Query("__xcc_block_dim_y", false)),
                               Query("__xcc_block_dim_z", false));
  Value *First = B.CreateAnd(Linear, B.getInt32(~(XCC_CPU_WARP_SIZE - 1)));
  Value *Left = B.CreateSub(Threads, First, "warp.left");
  Value *Whole = B.CreateICmpUGE(Left, B.getInt32(XCC_CPU_WARP_SIZE));
  Value *Part = B.CreateNot(B.CreateShl(
      B.getInt32(-1), B.CreateAnd(Left, B.getInt32(XCC_CPU_WARP_SIZE - 1))));
  Value *Mask = B.CreateSelect(Whole, B.getInt32(-1), Part, "warp.mask");
  for (Value *V : {First, Left, Whole, Part, Mask})
    Uniform.addDivergent(*V);
  return Mask;
}

void removeBarriers(Function &Kernel, Uniformity &Uniform) {
  for (CallInst *Barrier : barriersOf(Kernel)) {
    if (!Barrier->use_empty()) {
      BasicBlock *After = Barrier->getParent()->getSingleSuccessor();
      IRBuilder<> B(After, After->getFirstInsertionPt());
      Barrier->replaceAllUsesWith(warpMask(B, *Kernel.getParent(), Uniform));
    }
    Barrier->eraseFromParent();
  }
}

} // namespace xcc::block
