//===-- block/ParallelLoops.cpp - Parallel loop metadata ------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ParallelLoops.h"

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

void markParallel(const Region &R, const ThreadLoops &Loops) {
  Function &F = *Loops.Begin->getParent();
  StackAccesses Stack(F);
  if (Stack.escaped())
    return;
  MDNode *Group = MDNode::getDistinct(F.getContext(), {});
  auto Mark = [&](BasicBlock &BB) {
    for (Instruction &I : BB) {
      if (!isOrdinaryAccess(I) || Stack.contains(I))
        continue;
      // The innermost group of a loop that was parallel already stays.
      MDNode *Old = I.getMetadata(LLVMContext::MD_access_group);
      MDNode *New = Group;
      if (Old && Old->getNumOperands() == 0)
        New = MDNode::get(F.getContext(), {Old, Group});
      else if (Old) {
        SmallVector<Metadata *, 4> Groups(Old->op_begin(), Old->op_end());
        Groups.push_back(Group);
        New = MDNode::get(F.getContext(), Groups);
      }
      I.setMetadata(LLVMContext::MD_access_group, New);
    }
  };
  for (BasicBlock *BB : R.Blocks)
    Mark(*BB);
  Mark(*Loops.Begin);
  Mark(*Loops.End);
  for (BranchInst *Latch : {Loops.XLatch, Loops.YLatch, Loops.ZLatch})
    markLoop(Latch, Group);
}

} // namespace xcc::block
