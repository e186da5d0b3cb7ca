// The code of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCode.h"
#include "Lanes.h"
#include "block/Intrinsics.h"
#include "block/loops/LoopKernel.h"
#include "block/loops/ThreadRange.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"
#include "block/rewrites/Interchange.h"
#include "block/rewrites/SharedAtomics.h"
#include "block/rewrites/StridedLoops.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "xcc/abi.h"

using namespace llvm;

namespace xcc::block {

/// Makes loops over lanes of a thread's code, whose barriers were split and whose
/// prologue was hoisted. False if that cannot be done.
static bool makeLoops(Function &kernel,
                      std::pair<Value *, Value *> lanes = {}) {
  SmallVector<BasicBlock *, 2> repeats = alignStridedLoops(kernel, Scope::Warp);
  auto uniform = std::make_unique<Uniformity>(kernel, Scope::Warp);
  if (divideInductions(kernel, *uniform))
    uniform = std::make_unique<Uniformity>(kernel, Scope::Warp);
  if (iterateTogether(kernel, *uniform, repeats))
    uniform = std::make_unique<Uniformity>(kernel, Scope::Warp);
  SmallVector<BasicBlock *, 4> decided(repeats.begin(), repeats.end());
  for (BasicBlock *latch : findInterchangeable(kernel, *uniform))
    if (!is_contained(decided, latch))
      decided.push_back(latch);
  std::string whyNot;
  std::optional<RegionPlan> plan =
      planRegions(kernel, *uniform, decided, repeats, whyNot);
  if (!plan || !removeWarpBarriers(kernel, *plan))
    return false;
  LiveAcross live = keepLiveAcross(kernel, *plan, *uniform);
  makeSharedAtomicsPlain(kernel, *uniform);
  buildLaneLoops(kernel, *plan, live, *uniform, lanes);
  return true;
}

static bool waitsForBlock(Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &i) {
    return intrinsicCalledBy(i).kind == IntrinsicKind::BlockBarrier;
  });
}

/// A bit for each lane in [\p low, \p high), of which there are some.
static Value *maskOf(IRBuilderBase &b, Value *low, Value *high) {
  Value *last = b.CreateSub(b.getInt32(XCC_CPU_WARP_SIZE), high);
  Value *above = b.CreateLShr(
      b.getInt32(-1), b.CreateAnd(last, b.getInt32(XCC_CPU_WARP_SIZE - 1)));
  Value *from = b.CreateShl(
      b.getInt32(-1), b.CreateAnd(low, b.getInt32(XCC_CPU_WARP_SIZE - 1)));
  return b.CreateAnd(above, from, "lanes");
}

/// The same where lanes leave at the kernel's start: twice, for warps of which
/// all lanes stay, and for those of which some do.
static bool makeLoopsInRange(Function &kernel) {
  std::unique_ptr<ThreadRange> range = ThreadRange::takeFrom(kernel);
  if (!range)
    return false;
  ValueToValueMapTy map;
  Function *whole = CloneFunction(&kernel, map);
  releaseLanes(*whole);
  BasicBlock &prologue = kernel.getEntryBlock();
  IRBuilder<> b(prologue.getTerminator());
  auto [low, high] = range->bounds(b, b.getInt32(XCC_CPU_WARP_SIZE));
  range->eraseTests();
  Value *count = b.CreateSub(high, low, "lanes.count");
  releaseLanes(kernel, maskOf(b, low, high));
  const bool made = makeLoops(*whole) && makeLoops(kernel, {low, high});
  if (made) {
    BasicBlock *some =
        prologue.splitBasicBlock(prologue.getTerminator(), "some");
    BasicBlock *all = BasicBlock::Create(b.getContext(), "all", &kernel, some);
    BasicBlock *none = BasicBlock::Create(b.getContext(), "none", &kernel);
    prologue.getTerminator()->eraseFromParent();
    b.SetInsertPoint(&prologue);
    SwitchInst *choice = b.CreateSwitch(
        b.CreateSelect(b.CreateICmpULT(low, high), count, b.getInt32(0)), some,
        2);
    choice->addCase(b.getInt32(XCC_CPU_WARP_SIZE), all);
    choice->addCase(b.getInt32(0), none);
    b.SetInsertPoint(none);
    b.CreateRetVoid();
    b.SetInsertPoint(all);
    SmallVector<Value *> arguments(make_pointer_range(kernel.args()));
    CallInst *call = b.CreateCall(whole, arguments);
    b.CreateRetVoid();
    InlineFunctionInfo how;
    InlineFunction(*call, how);
  }
  whole->eraseFromParent();
  return made;
}

bool makeWarpCode(Function &kernel, bool lanesLeave) {
  if (lanesLeave && waitsForBlock(kernel))
    return false;
  if (!lanesLeave)
    releaseLanes(kernel);
  splitIntoLanes(kernel);
  splitAtBarriers(kernel);
  hoistPrologue(kernel, Scope::Warp);
  return lanesLeave ? makeLoopsInRange(kernel) : makeLoops(kernel);
}

} // namespace xcc::block
