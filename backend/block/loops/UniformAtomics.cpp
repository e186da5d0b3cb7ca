// Atomic operations of all threads on one variable
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UniformAtomics.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

namespace {

class UniformAtomic {
public:
  UniformAtomic(Loop &l, const DominatorTree &dt) : l(l), dt(dt) {}

  bool matches();
  void join();

private:
  bool isOfFloats() const { return operation->getType()->isFloatingPointTy(); }
  void sumFirst(IRBuilder<> &b, AllocaInst *sum);
  void tryTogether(IRBuilder<> &b, AllocaInst *sum);

  Loop &l;
  const DominatorTree &dt;
  AtomicRMWInst *operation = nullptr;
};

} // namespace

/// Whether the loop is one over threads (ParallelLoops.h).
static bool isOverThreads(const Loop &l) {
  return findOptionMDForLoop(&l, "llvm.loop.parallel_accesses");
}

bool UniformAtomic::matches() {
  BasicBlock *latch = l.getLoopLatch();
  if (!l.isInnermost() || !isOverThreads(l) || !l.isLoopSimplifyForm() ||
      l.getExitingBlock() != latch || !l.getExitBlock())
    return false;
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb)
      if (auto *rmw = dyn_cast<AtomicRMWInst>(&i)) {
        if (operation)
          return false;
        operation = rmw;
      }
  if (!operation || !operation->use_empty() || operation->isVolatile() ||
      operation->getOrdering() != AtomicOrdering::Monotonic ||
      !l.isLoopInvariant(operation->getPointerOperand()) ||
      !dt.dominates(operation->getParent(), latch))
    return false;
  switch (operation->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    break;
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    // Exchanged as an integer.
    if (!operation->getType()->isFloatTy() &&
        !operation->getType()->isDoubleTy())
      return false;
    break;
  default:
    return false;
  }
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb) {
      if (&i == operation || !(i.mayReadOrWriteMemory() || i.isAtomic()))
        continue;
      auto *load = dyn_cast<LoadInst>(&i);
      // What is tried again must not do anything else.
      if (isOfFloats() ? !load || !load->isSimple()
                       : i.isAtomic() || !isa<LoadInst, StoreInst>(i))
        return false;
      if (!dt.dominates(&i, operation))
        return false;
    }
  // What it carries from thread to thread is computed alone.
  return true;
}

/// Of integers, the order of additions does not matter.
void UniformAtomic::sumFirst(IRBuilder<> &b, AllocaInst *sum) {
  Type *t = operation->getType();
  b.SetInsertPoint(l.getLoopPreheader()->getTerminator());
  b.CreateStore(ConstantInt::get(t, 0), sum);
  BasicBlock *exit = l.getExitBlock();
  b.SetInsertPoint(&*exit->getFirstInsertionPt());
  AtomicRMWInst *all = b.CreateAtomicRMW(
      operation->getOperation(), operation->getPointerOperand(),
      b.CreateLoad(t, sum), operation->getAlign(), operation->getOrdering(),
      operation->getSyncScopeID());
  all->setDebugLoc(operation->getDebugLoc());
  b.SetInsertPoint(operation);
  b.CreateStore(b.CreateAdd(b.CreateLoad(t, sum), operation->getValOperand()),
                sum);
}

void UniformAtomic::tryTogether(IRBuilder<> &b, AllocaInst *sum) {
  Type *t = operation->getType();
  Type *bits = b.getIntNTy(t->getScalarSizeInBits());
  Value *address = operation->getPointerOperand();
  BasicBlock *header = l.getHeader(), *preheader = l.getLoopPreheader();
  BasicBlock *exit = l.getExitBlock(), *latch = l.getLoopLatch();
  Function &f = *header->getParent();
  LLVMContext &c = f.getContext();

  b.SetInsertPoint(preheader->getTerminator());
  LoadInst *first = b.CreateAlignedLoad(bits, address, operation->getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, operation->getSyncScopeID());
  auto *start = BasicBlock::Create(c, "threads.add", &f, header);
  preheader->getTerminator()->replaceSuccessorWith(header, start);
  header->replacePhiUsesWith(preheader, start);
  b.SetInsertPoint(start);
  PHINode *old = b.CreatePHI(bits, 2, "old");
  old->addIncoming(first, preheader);
  b.CreateStore(b.CreateBitCast(old, t), sum);
  b.CreateBr(header);

  auto *end = BasicBlock::Create(c, "threads.added", &f, exit);
  latch->getTerminator()->replaceSuccessorWith(exit, end);
  exit->replacePhiUsesWith(latch, end);
  b.SetInsertPoint(end);
  AtomicCmpXchgInst *swap = b.CreateAtomicCmpXchg(
      address, old, b.CreateBitCast(b.CreateLoad(t, sum), bits),
      operation->getAlign(), AtomicOrdering::Monotonic,
      AtomicOrdering::Monotonic, operation->getSyncScopeID());
  swap->setDebugLoc(operation->getDebugLoc());
  swap->setWeak(true);
  Value *found = b.CreateExtractValue(swap, 0);
  b.CreateCondBr(b.CreateExtractValue(swap, 1), exit, start);
  old->addIncoming(found, end);

  b.SetInsertPoint(operation);
  Value *before = b.CreateLoad(t, sum);
  b.CreateStore(operation->getOperation() == AtomicRMWInst::FAdd
                    ? b.CreateFAdd(before, operation->getValOperand())
                    : b.CreateFSub(before, operation->getValOperand()),
                sum);
}

void UniformAtomic::join() {
  Function &f = *l.getHeader()->getParent();
  IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
  AllocaInst *sum = b.CreateAlloca(operation->getType(), nullptr, "sum");
  if (isOfFloats())
    tryTogether(b, sum);
  else
    sumFirst(b, sum);
  operation->eraseFromParent();
  DominatorTree now(f);
  PromoteMemToReg({sum}, now);
}

PreservedAnalyses JoinUniformAtomicsPass::run(Function &f,
                                              FunctionAnalysisManager &fam) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
    for (Loop *l : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
      UniformAtomic atomic(*l, dt);
      if (!atomic.matches())
        continue;
      atomic.join();
      changed = again = true;
      fam.invalidate(f, PreservedAnalyses::none());
      break;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
