// Barriers as ends of regions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Regions.h"
#include "Uniformity.h"
#include "block/Intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

static SmallVector<CallInst *, 8> barriersOf(Function &f) {
  SmallVector<CallInst *, 8> barriers;
  for (Instruction &i : instructions(f))
    if (intrinsicCalledBy(i).isBarrier())
      barriers.push_back(cast<CallInst>(&i));
  return barriers;
}

void splitAtBarriers(Function &kernel) {
  for (CallInst *barrier : barriersOf(kernel)) {
    BasicBlock *before = barrier->getParent();
    before->splitBasicBlock(std::next(barrier->getIterator()), "met");
    // A debugger that stops behind the barrier stops after all threads reached
    // it.
    before->getTerminator()->setDebugLoc(barrier->getDebugLoc());
  }
}

/// The lanes of the calling thread's warp. Only the block's last warp may have
/// fewer than all.
static Value *warpMask(IRBuilderBase &b, Module &m, Uniformity &uniform) {
  Type *i32 = b.getInt32Ty();
  auto query = [&](const char *name, bool differs) {
    Value *v = b.CreateCall(m.getOrInsertFunction(name, i32));
    if (differs)
      uniform.addDivergent(*v);
    return v;
  };
  Value *linear = query("__xcc_linear_thread", true);
  Value *threads = b.CreateMul(b.CreateMul(query("__xcc_block_dim_x", false),
                                           query("__xcc_block_dim_y", false)),
                               query("__xcc_block_dim_z", false));
  Value *first = b.CreateAnd(linear, b.getInt32(~(XCC_CPU_WARP_SIZE - 1)));
  Value *left = b.CreateSub(threads, first, "warp.left");
  Value *whole = b.CreateICmpUGE(left, b.getInt32(XCC_CPU_WARP_SIZE));
  Value *part = b.CreateNot(b.CreateShl(
      b.getInt32(-1), b.CreateAnd(left, b.getInt32(XCC_CPU_WARP_SIZE - 1))));
  Value *mask = b.CreateSelect(whole, b.getInt32(-1), part, "warp.mask");
  for (Value *v : {first, left, whole, part, mask})
    uniform.addDivergent(*v);
  return mask;
}

void removeBarriers(Function &kernel, Uniformity &uniform) {
  for (CallInst *barrier : barriersOf(kernel)) {
    if (!barrier->use_empty()) {
      BasicBlock *after = barrier->getParent()->getSingleSuccessor();
      IRBuilder<> b(after, after->getFirstInsertionPt());
      barrier->replaceAllUsesWith(warpMask(b, *kernel.getParent(), uniform));
    }
    barrier->eraseFromParent();
  }
}

bool removeWarpBarriers(Function &kernel, const RegionPlan &plan) {
  auto endsAtBarrier = [](const BasicBlock *bb) {
    const Instruction *last = bb->getTerminator()->getPrevNode();
    return last && intrinsicCalledBy(*last).kind == IntrinsicKind::BlockBarrier;
  };
  for (const Region &r : plan.regions) {
    auto leaves = [&](const BasicBlock *bb) {
      return r.next && is_contained(successors(bb), r.next);
    };
    if (any_of(r.blocks, endsAtBarrier) &&
        any_of(r.blocks, [&](const BasicBlock *bb) {
          return endsAtBarrier(bb) != leaves(bb);
        }))
      return false;
  }
  for (CallInst *barrier : barriersOf(kernel))
    if (intrinsicCalledBy(*barrier).kind == IntrinsicKind::WarpBarrier)
      barrier->eraseFromParent();
  return true;
}

} // namespace xcc::block
