// Atomic operations of all threads on one variable
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UniformAtomics.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

namespace {

class UniformAtomics {
public:
  UniformAtomics(Loop &l, const DominatorTree &dt) : l(l), dt(dt) {}

  bool match();
  void join();

private:
  bool canJoin(const AtomicRMWInst &operation) const;
  bool isIsolated(const AtomicRMWInst &operation) const;
  bool mayFollow(const Instruction &i, const AtomicRMWInst &operation) const;
  void joinIntegers(IRBuilder<> &b, AtomicRMWInst &operation, AllocaInst *sum);
  void tryTogether(IRBuilder<> &b, AtomicRMWInst &operation, AllocaInst *sum);

  Loop &l;
  const DominatorTree &dt;
  SmallVector<AtomicRMWInst *, 4> operations;
};

} // namespace

/// Whether the loop is one over threads (ParallelLoops.h).
static bool isOverThreads(const Loop &l) {
  return findOptionMDForLoop(&l, "llvm.loop.parallel_accesses");
}

/// The neutral value of \p operation; null for operations whose order matters.
static Constant *neutralFor(const AtomicRMWInst &operation) {
  auto *t = dyn_cast<IntegerType>(operation.getType());
  if (!t)
    return nullptr;
  unsigned bits = t->getBitWidth();
  switch (operation.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::UMax:
    return ConstantInt::get(t, 0);
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return ConstantInt::get(t, APInt::getMaxValue(bits));
  case AtomicRMWInst::Max:
    return ConstantInt::get(t, APInt::getSignedMinValue(bits));
  case AtomicRMWInst::Min:
    return ConstantInt::get(t, APInt::getSignedMaxValue(bits));
  default:
    return nullptr;
  }
}

/// The operand with which one operation has the effect of two, of \p x and
/// \p y.
static Value *combine(IRBuilder<> &b, const AtomicRMWInst &operation, Value *x,
                      Value *y) {
  switch (operation.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return b.CreateAdd(x, y);
  case AtomicRMWInst::Or:
    return b.CreateOr(x, y);
  case AtomicRMWInst::Xor:
    return b.CreateXor(x, y);
  case AtomicRMWInst::And:
    return b.CreateAnd(x, y);
  case AtomicRMWInst::UMax:
    return b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
  case AtomicRMWInst::UMin:
    return b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
  case AtomicRMWInst::Max:
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  case AtomicRMWInst::Min:
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  default:
    llvm_unreachable("not one of neutralFor()");
  }
}

bool UniformAtomics::canJoin(const AtomicRMWInst &operation) const {
  if (!operation.use_empty() || operation.isVolatile() ||
      operation.getOrdering() != AtomicOrdering::Monotonic ||
      !l.isLoopInvariant(operation.getPointerOperand()))
    return false;
  if (neutralFor(operation))
    return true;
  switch (operation.getOperation()) {
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    // The sum is exchanged as an integer. Every thread has to add.
    return (operation.getType()->isFloatTy() ||
            operation.getType()->isDoubleTy()) &&
           dt.dominates(operation.getParent(), l.getLoopLatch());
  default:
    return false;
  }
}

/// Whether a thread may reach \p i after \p operation.
bool UniformAtomics::mayFollow(const Instruction &i,
                               const AtomicRMWInst &operation) const {
  if (dt.dominates(&i, &operation))
    return false;
  SmallPtrSet<BasicBlock *, 1> nextThread = {l.getHeader()};
  return isPotentiallyReachable(&operation, &i, &nextThread, &dt);
}

/// Whether no other access in the loop has to keep its order with \p operation.
bool UniformAtomics::isIsolated(const AtomicRMWInst &operation) const {
  bool floats = operation.getType()->isFloatingPointTy();
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb) {
      if (is_contained(operations, &i) ||
          !(i.mayReadOrWriteMemory() || i.isAtomic()))
        continue;
      auto *load = dyn_cast<LoadInst>(&i);
      // A loop that may run again must have no other effect.
      if (floats ? !load || !load->isSimple()
                 : i.isAtomic() || !isa<LoadInst, StoreInst>(i))
        return false;
      if (mayFollow(i, operation))
        return false;
    }
  return true;
}

bool UniformAtomics::match() {
  BasicBlock *latch = l.getLoopLatch();
  if (!l.isInnermost() || !isOverThreads(l) || !l.isLoopSimplifyForm() ||
      l.getExitingBlock() != latch || !l.getExitBlock())
    return false;
  for (BasicBlock *bb : l.blocks())
    for (Instruction &i : *bb)
      if (auto *rmw = dyn_cast<AtomicRMWInst>(&i)) {
        if (!canJoin(*rmw))
          return false;
        operations.push_back(rmw);
      }
  // Only integer operations can be joined independently of each other.
  if (operations.empty() ||
      (operations.size() > 1 && any_of(operations, [](AtomicRMWInst *rmw) {
         return rmw->getType()->isFloatingPointTy();
       })))
    return false;
  return all_of(operations,
                [&](AtomicRMWInst *rmw) { return isIsolated(*rmw); });
}

/// Combines integers, whose order does not matter. If no thread has reached the
/// operation, its address may be invalid, so the operation is not done.
void UniformAtomics::joinIntegers(IRBuilder<> &b, AtomicRMWInst &operation,
                                  AllocaInst *sum) {
  Type *t = operation.getType();
  Constant *neutral = neutralFor(operation);
  bool always = dt.dominates(operation.getParent(), l.getLoopLatch());
  b.SetInsertPoint(l.getLoopPreheader()->getTerminator());
  b.CreateStore(neutral, sum);
  b.SetInsertPoint(&operation);
  b.CreateStore(
      combine(b, operation, b.CreateLoad(t, sum), operation.getValOperand()),
      sum);
  b.SetInsertPoint(&*l.getExitBlock()->getFirstInsertionPt());
  Value *result = b.CreateLoad(t, sum);
  if (!always)
    b.SetInsertPoint(SplitBlockAndInsertIfThen(b.CreateICmpNE(result, neutral),
                                               b.GetInsertPoint(),
                                               /*Unreachable=*/false));
  AtomicRMWInst *all =
      b.CreateAtomicRMW(operation.getOperation(), operation.getPointerOperand(),
                        result, operation.getAlign(), operation.getOrdering(),
                        operation.getSyncScopeID());
  all->setDebugLoc(operation.getDebugLoc());
}

void UniformAtomics::tryTogether(IRBuilder<> &b, AtomicRMWInst &operation,
                                 AllocaInst *sum) {
  Type *t = operation.getType();
  Type *bits = b.getIntNTy(t->getScalarSizeInBits());
  Value *address = operation.getPointerOperand();
  BasicBlock *header = l.getHeader(), *preheader = l.getLoopPreheader();
  BasicBlock *exit = l.getExitBlock(), *latch = l.getLoopLatch();
  Function &f = *header->getParent();
  LLVMContext &c = f.getContext();

  b.SetInsertPoint(preheader->getTerminator());
  LoadInst *first = b.CreateAlignedLoad(bits, address, operation.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, operation.getSyncScopeID());
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
      operation.getAlign(), AtomicOrdering::Monotonic,
      AtomicOrdering::Monotonic, operation.getSyncScopeID());
  swap->setDebugLoc(operation.getDebugLoc());
  swap->setWeak(true);
  Value *found = b.CreateExtractValue(swap, 0);
  b.CreateCondBr(b.CreateExtractValue(swap, 1), exit, start);
  old->addIncoming(found, end);

  b.SetInsertPoint(&operation);
  Value *before = b.CreateLoad(t, sum);
  b.CreateStore(operation.getOperation() == AtomicRMWInst::FAdd
                    ? b.CreateFAdd(before, operation.getValOperand())
                    : b.CreateFSub(before, operation.getValOperand()),
                sum);
}

void UniformAtomics::join() {
  Function &f = *l.getHeader()->getParent();
  SmallVector<AllocaInst *, 4> sums;
  for (AtomicRMWInst *operation : operations) {
    IRBuilder<> b(&f.getEntryBlock(), f.getEntryBlock().begin());
    sums.push_back(b.CreateAlloca(operation->getType(), nullptr, "sum"));
    if (operation->getType()->isFloatingPointTy())
      tryTogether(b, *operation, sums.back());
    else
      joinIntegers(b, *operation, sums.back());
  }
  for (AtomicRMWInst *operation : operations)
    operation->eraseFromParent();
  DominatorTree now(f);
  PromoteMemToReg(sums, now);
}

PreservedAnalyses JoinUniformAtomicsPass::run(Function &f,
                                              FunctionAnalysisManager &fam) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
    for (Loop *l : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
      UniformAtomics atomics(*l, dt);
      if (!atomics.match())
        continue;
      atomics.join();
      changed = again = true;
      fam.invalidate(f, PreservedAnalyses::none());
      break;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace xcc::block
