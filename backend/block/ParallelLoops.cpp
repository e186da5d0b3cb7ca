// Parallel loop metadata
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParallelLoops.h"
#include "SharedAtomics.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace xcc::block {

namespace {

/// Finds the accesses to allocas of a function by following their addresses.
class StackAccesses {
public:
  explicit StackAccesses(Function &F) {
    for (Instruction &I : instructions(F))
      if (isa<AllocaInst>(I))
        follow(I);
  }

  bool contains(const Instruction &I) const { return Accesses.contains(&I); }
  /// Some stack address is known elsewhere: any access may be to the stack.
  bool escaped() const { return Escaped; }

private:
  void follow(Value &Address) {
    for (Use &U : Address.uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<LoadInst>(I) ||
          (isa<StoreInst>(I) &&
           U.getOperandNo() == StoreInst::getPointerOperandIndex())) {
        Accesses.insert(I);
      } else if (isa<GetElementPtrInst, PHINode, SelectInst, CastInst,
                     FreezeInst>(I)) {
        if (Seen.insert(I).second)
          follow(*I);
      } else if (isa<MemIntrinsic>(I)) {
        Accesses.insert(I);
      } else if (!isa<LifetimeIntrinsic, ICmpInst>(I)) {
        Escaped = true;
      }
    }
  }

  SmallPtrSet<const Instruction *, 16> Accesses;
  SmallPtrSet<const Instruction *, 16> Seen;
  bool Escaped = false;
};

} // namespace

static bool isOrdinaryAccess(const Instruction &I) {
  if (I.getMetadata(SerialAccess))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple();
  return false;
}

static void markLoop(BranchInst *Latch, MDNode *Group) {
  LLVMContext &C = Latch->getContext();
  Metadata *Accesses[] = {MDString::get(C, "llvm.loop.parallel_accesses"),
                          Group};
  Metadata *Progress[] = {MDString::get(C, "llvm.loop.mustprogress")};
  MDNode *Id = MDNode::getDistinct(
      C, {nullptr, MDNode::get(C, Accesses), MDNode::get(C, Progress)});
  Id->replaceOperandWith(0, Id);
  Latch->setMetadata(LLVMContext::MD_loop, Id);
}

/// Adds \p Group to the access groups of \p I.
static void addToGroup(Instruction &I, MDNode *Group) {
  MDNode *Old = I.getMetadata(LLVMContext::MD_access_group);
  if (!Old) {
    I.setMetadata(LLVMContext::MD_access_group, Group);
    return;
  }
  SmallVector<Metadata *, 4> Groups;
  if (Old->getNumOperands() == 0)
    Groups.push_back(Old);
  else
    append_range(Groups, Old->operands());
  Groups.push_back(Group);
  I.setMetadata(LLVMContext::MD_access_group,
                MDNode::get(I.getContext(), Groups));
}

void markParallel(Function &F, const RegionPlan &Plan,
                  ArrayRef<ThreadLoops> LoopsOf) {
  StackAccesses Stack(F);
  if (Stack.escaped())
    return;
  for (auto [R, Loops] : zip_equal(Plan.Regions, LoopsOf)) {
    if (!Loops.isLoop())
      continue;
    MDNode *Group = MDNode::getDistinct(F.getContext(), {});
    SmallVector<BasicBlock *, 16> Blocks(R.Blocks.begin(), R.Blocks.end());
    Blocks.push_back(Loops.Begin);
    Blocks.push_back(Loops.End);
    for (BasicBlock *BB : Blocks)
      for (Instruction &I : *BB)
        if (isOrdinaryAccess(I) && !Stack.contains(I))
          addToGroup(I, Group);
    for (BranchInst *Latch : {Loops.XLatch, Loops.YLatch, Loops.ZLatch})
      markLoop(Latch, Group);
  }
}

} // namespace xcc::block
