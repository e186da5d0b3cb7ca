// Parallel loop metadata
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParallelLoops.h"
#include "block/Diagnose.h"
#include "block/rewrites/SharedAtomics.h"
#include "block/simd/ColdPaths.h"
#include "block/simd/Pass.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/iterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace xcc::block {

namespace {

/// Whether \p i is the address of a thread_local variable of the machine
/// thread.
bool isThreadLocalAddress(const Instruction &i) {
  auto *call = dyn_cast<IntrinsicInst>(&i);
  return call && call->getIntrinsicID() == Intrinsic::threadlocal_address;
}

/// Finds the accesses to allocas of a function by following their addresses.
class StackAccesses {
public:
  StackAccesses(Function &f, ArrayRef<const AllocaInst *> except,
                const simd::Blocks &cold)
      : cold(cold) {
    for (Instruction &i : instructions(f))
      if (auto *a = dyn_cast<AllocaInst>(&i); a && !is_contained(except, a))
        follow(i);
  }

  bool contains(const Instruction &i) const { return accesses.contains(&i); }
  /// Whether a stack address escapes, so that any access may be to the stack,
  /// or escapes in cold paths, so that only their accesses may.
  bool escaped() const { return escaped_; }
  bool escapedInColdPaths() const { return escapedInColdPaths_; }

private:
  void follow(Value &address) {
    for (Use &u : address.uses()) {
      auto *i = cast<Instruction>(u.getUser());
      if (isa<LoadInst>(i) ||
          (isa<StoreInst>(i) &&
           u.getOperandNo() == StoreInst::getPointerOperandIndex())) {
        accesses.insert(i);
      } else if (isa<GetElementPtrInst, PHINode, SelectInst, CastInst,
                     FreezeInst>(i)) {
        if (seen.insert(i).second)
          follow(*i);
      } else if (isa<MemIntrinsic>(i)) {
        accesses.insert(i);
      } else if (!isa<LifetimeIntrinsic, ICmpInst>(i)) {
        (isCold(*i) ? escapedInColdPaths_ : escaped_) = true;
      }
    }
  }

  /// Whether only cold paths may use the address that escapes in \p i. A store
  /// to a thread_local variable is one such case; usesThreadLocals finds hot
  /// readers.
  bool isCold(const Instruction &i) const {
    auto *store = dyn_cast<StoreInst>(&i);
    auto *place =
        store ? dyn_cast<Instruction>(store->getPointerOperand()) : nullptr;
    return cold.contains(i.getParent()) ||
           (place && isThreadLocalAddress(*place));
  }

  const simd::Blocks &cold;
  SmallPtrSet<const Instruction *, 16> accesses;
  SmallPtrSet<const Instruction *, 16> seen;
  bool escaped_ = false, escapedInColdPaths_ = false;
};

} // namespace

static bool isOrdinaryAccess(const Instruction &i) {
  if (i.getMetadata(SerialAccess))
    return false;
  if (auto *load = dyn_cast<LoadInst>(&i))
    return load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&i))
    return store->isSimple();
  return false;
}

/// Marks a loop over threads as parallel. Remarks about the loop name \p place.
/// Iterations of the innermost loop are threads \p sideBySide. In a short one,
/// interleaving would leave most threads to the scalar remainder. The other
/// loops repeat vector code; unrolling them would only add size.
static void markLoop(BranchInst *latch, MDNode *group, DILocation *place,
                     bool sideBySide, bool isShort) {
  LLVMContext &c = latch->getContext();
  Metadata *accesses[] = {MDString::get(c, "llvm.loop.parallel_accesses"),
                          group};
  Metadata *progress[] = {MDString::get(c, "llvm.loop.mustprogress")};
  SmallVector<Metadata *, 4> properties = {nullptr};
  if (place)
    properties.push_back(place);
  properties.push_back(MDNode::get(c, accesses));
  properties.push_back(MDNode::get(c, progress));
  if (sideBySide)
    properties.push_back(MDNode::get(c, MDString::get(c, ThreadLoopMark)));
  else
    properties.push_back(
        MDNode::get(c, MDString::get(c, "llvm.loop.unroll.runtime.disable")));
  Metadata *interleave[] = {
      MDString::get(c, "llvm.loop.interleave.count"),
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), 1))};
  if (sideBySide && isShort)
    properties.push_back(MDNode::get(c, interleave));
  MDNode *id = MDNode::getDistinct(c, properties);
  id->replaceOperandWith(0, id);
  latch->setMetadata(LLVMContext::MD_loop, id);
}

/// Adds \p group to the access groups of \p i.
static void addToGroup(Instruction &i, MDNode *group) {
  MDNode *old = i.getMetadata(LLVMContext::MD_access_group);
  if (!old) {
    i.setMetadata(LLVMContext::MD_access_group, group);
    return;
  }
  SmallVector<Metadata *, 4> groups;
  if (old->getNumOperands() == 0)
    groups.push_back(old);
  else
    append_range(groups, old->operands());
  groups.push_back(group);
  i.setMetadata(LLVMContext::MD_access_group,
                MDNode::get(i.getContext(), groups));
}

/// Marks \p latch as that of a loop over threads that depend on each other only
/// in cold paths. The accesses are in \p group.
static void markHotLoop(BranchInst *latch, MDNode *group, DILocation *place) {
  LLVMContext &c = latch->getContext();
  Metadata *accesses[] = {MDString::get(c, HotAccesses), group};
  SmallVector<Metadata *, 4> properties = {nullptr};
  if (place)
    properties.push_back(place);
  properties.push_back(MDNode::get(c, accesses));
  properties.push_back(MDNode::get(c, MDString::get(c, HotThreadLoopMark)));
  MDNode *id = MDNode::getDistinct(c, properties);
  id->replaceOperandWith(0, id);
  latch->setMetadata(LLVMContext::MD_loop, id);
}

/// Whether a hot path of \p f uses the address of a thread_local variable,
/// other than to store to it.
static bool usesThreadLocals(const Function &f, const simd::Blocks &cold) {
  return any_of(instructions(f), [&](const Instruction &i) {
    return isThreadLocalAddress(i) && any_of(i.uses(), [&](const Use &use) {
             auto *user = cast<Instruction>(use.getUser());
             return !cold.contains(user->getParent()) &&
                    !(isa<StoreInst>(user) &&
                      use.getOperandNo() ==
                          StoreInst::getPointerOperandIndex());
           });
  });
}

void markParallel(Function &f, const RegionPlan &plan,
                  ArrayRef<ThreadLoops> loopsOf,
                  ArrayRef<const AllocaInst *> ofThreads) {
  const simd::Blocks cold = simd::coldBlocks(f);
  StackAccesses stack(f, ofThreads, cold);
  const bool takesTurns = any_of(instructions(f), isThreadLocalAddress);
  const bool hotOnly = stack.escapedInColdPaths() || takesTurns;
  if (stack.escaped() || (hotOnly && usesThreadLocals(f, cold)))
    return;
  auto isOwn = [&](const Instruction &i) {
    auto *place = dyn_cast<Instruction>(getLoadStorePointerOperand(&i));
    return stack.contains(i) || (place && isThreadLocalAddress(*place));
  };
  for (auto [r, loops] : zip_equal(plan.regions, loopsOf)) {
    if (!loops.isLoop())
      continue;
    MDNode *group = MDNode::getDistinct(f.getContext(), {});
    SmallVector<BasicBlock *, 16> blocks(r.blocks.begin(), r.blocks.end());
    blocks.push_back(loops.begin);
    blocks.push_back(loops.end);
    for (BasicBlock *bb : blocks)
      for (Instruction &i : *bb)
        if (isOrdinaryAccess(i) && !isOwn(i))
          addToGroup(i, group);
    DILocation *place = placeOfAll(make_pointee_range(r.blocks));
    if (hotOnly) {
      markHotLoop(loops.xLatch, group, place);
      continue;
    }
    for (BranchInst *latch : {loops.xLatch, loops.yLatch, loops.zLatch})
      if (latch)
        markLoop(latch, group, place, latch == loops.xLatch, loops.hasRows);
  }
}

} // namespace xcc::block
