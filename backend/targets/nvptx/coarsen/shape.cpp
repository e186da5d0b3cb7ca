// Kernels whose threads have one index each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shape.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx::coarsen {
namespace {

bool isPlace(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getCalledFunction()->getName().starts_with(
                     "llvm.nvvm.read.ptx.sreg.");
}

/// Returns the value, possibly extended to 64 bits, if it reads special
/// register `id` and has no other use.
Value *placeOf(Value *value, Intrinsic::ID id) {
  Value *read = value;
  if (value->getType()->isIntegerTy(64) && !match(value, m_ZExt(m_Value(read))))
    return nullptr;
  auto *call = dyn_cast<IntrinsicInst>(read);
  return call && call->getIntrinsicID() == id && call->hasOneUse() &&
                 (read == value || value->hasOneUse())
             ? value
             : nullptr;
}

/// block_idx * threads, of 32 or 64 bits.
bool matchBegin(Value *value, IndexedKernel &kernel) {
  Value *a, *b;
  if (!value->hasOneUse() || !match(value, m_Mul(m_Value(a), m_Value(b))))
    return false;
  for (auto [block, threads] : {std::pair(a, b), std::pair(b, a)}) {
    kernel.block = placeOf(block, Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
    kernel.threads = placeOf(threads, Intrinsic::nvvm_read_ptx_sreg_ntid_x);
    if (kernel.block && kernel.threads)
      return true;
  }
  return false;
}

/// block_idx * threads + thread_idx.
bool matchIndex(IndexedKernel &kernel) {
  Value *a, *b;
  if (!match(kernel.index, m_Add(m_Value(a), m_Value(b))))
    return false;
  for (auto [begin, thread] : {std::pair(a, b), std::pair(b, a)}) {
    kernel.thread = placeOf(thread, Intrinsic::nvvm_read_ptx_sreg_tid_x);
    if (kernel.thread && matchBegin(begin, kernel))
      return true;
  }
  return false;
}

/// Whether the entry reads only the three numbers of the index about the
/// thread's position. The head must have no side effects, because it runs only
/// once.
bool readsIndexAlone(Function &entry) {
  unsigned places = 0;
  for (const BasicBlock &block : entry)
    for (const Instruction &inst : block) {
      places += isPlace(inst);
      if (&block == &entry.getEntryBlock() && inst.mayHaveSideEffects())
        return false;
    }
  return places == 3;
}

/// Matches a branch around the body.
bool matchBlocks(Function &entry, IndexedKernel &kernel) {
  kernel.head = &entry.getEntryBlock();
  auto *branch = dyn_cast<BranchInst>(kernel.head->getTerminator());
  if (entry.size() != 3 || !branch || !branch->isConditional())
    return false;
  for (unsigned side : {0, 1}) {
    kernel.body = branch->getSuccessor(side);
    kernel.end = branch->getSuccessor(1 - side);
    kernel.whenFalse = side == 1;
    if (kernel.body->getSingleSuccessor() == kernel.end &&
        kernel.body->getSinglePredecessor() == kernel.head &&
        isa<ReturnInst>(kernel.end->front()))
      return true;
  }
  return false;
}

/// Combines the parts of the index if they were added to an address one by one.
void joinIndex(Instruction &inst) {
  Value *base, *begin, *thread;
  IndexedKernel found;
  auto *outer = dyn_cast<GetElementPtrInst>(&inst);
  auto *inner =
      outer ? dyn_cast<GetElementPtrInst>(outer->getPointerOperand()) : nullptr;
  if (!inner || !inner->hasOneUse() || outer->getNumIndices() != 1 ||
      inner->getNumIndices() != 1 ||
      outer->getSourceElementType() != inner->getSourceElementType())
    return;
  base = inner->getPointerOperand();
  begin = inner->getOperand(1);
  thread = outer->getOperand(1);
  if (!placeOf(thread, Intrinsic::nvvm_read_ptx_sreg_tid_x))
    std::swap(begin, thread);
  if (!placeOf(thread, Intrinsic::nvvm_read_ptx_sreg_tid_x) ||
      !matchBegin(begin, found) || !begin->getType()->isIntegerTy(64) ||
      begin->getType() != thread->getType())
    return;
  IRBuilder<> builder(outer);
  Value *index = builder.CreateAdd(begin, thread);
  Value *address =
      builder.CreateGEP(outer->getSourceElementType(), base, index);
  outer->replaceAllUsesWith(address);
  outer->eraseFromParent();
  inner->eraseFromParent();
}

/// The instruction that computes the index.
Instruction *findIndex(Function &entry, IndexedKernel &kernel) {
  for (Instruction &inst : make_early_inc_range(entry.getEntryBlock()))
    joinIndex(inst);
  for (Instruction &inst : entry.getEntryBlock()) {
    kernel.index = &inst;
    if ((inst.getType()->isIntegerTy(32) || inst.getType()->isIntegerTy(64)) &&
        matchIndex(kernel))
      return &inst;
  }
  return nullptr;
}

/// Extends the numbers to 64 bits.
void widen(IndexedKernel &kernel) {
  IRBuilder<> builder(kernel.head->getTerminator());
  for (Value **place : {&kernel.block, &kernel.threads, &kernel.thread})
    *place = builder.CreateZExt(*place, builder.getInt64Ty());
}

bool addComparisons(const IndexedKernel &kernel, Value *value, bool whenFalse,
                    SmallVectorImpl<Comparison> &out) {
  Value *a, *b;
  CmpPredicate predicate;
  if (match(value, m_Not(m_Value(a))))
    return addComparisons(kernel, a, !whenFalse, out);
  if (whenFalse ? match(value, m_LogicalOr(m_Value(a), m_Value(b)))
                : match(value, m_LogicalAnd(m_Value(a), m_Value(b))))
    return addComparisons(kernel, a, whenFalse, out) &&
           addComparisons(kernel, b, whenFalse, out);
  if (!match(value, m_ICmp(predicate, m_Value(a), m_Value(b))) ||
      !a->getType()->isIntegerTy() || a->getType()->getIntegerBitWidth() > 64)
    return false;
  const CmpInst::Predicate holds = whenFalse
                                       ? CmpInst::getInversePredicate(predicate)
                                       : CmpInst::Predicate(predicate);
  const auto left = growthOf(kernel, a), right = growthOf(kernel, b);
  if (!ICmpInst::isRelational(holds) || !left || !right ||
      (left->step && right->step))
    return false;
  out.push_back({holds, a, b, left->step - right->step, left->step != 0});
  return true;
}

} // namespace

bool matchLoop(Function &entry, IndexedKernel &kernel) {
  if (!matchBlocks(entry, kernel) || kernel.whenFalse)
    return false;
  auto *compare = dyn_cast<ICmpInst>(
      cast<BranchInst>(kernel.head->getTerminator())->getCondition());
  if (!compare || compare->getPredicate() != ICmpInst::ICMP_ULT)
    return false;
  kernel.index = compare->getOperand(0);
  kernel.count = compare->getOperand(1);
  if (!kernel.index->getType()->isIntegerTy(64) || !matchIndex(kernel))
    return false;
  for (const User *user : kernel.index->users())
    if (user != compare && cast<Instruction>(user)->getParent() != kernel.body)
      return false;
  return readsIndexAlone(entry);
}

bool matchGrid(Function &entry, IndexedKernel &kernel) {
  const bool guarded = entry.size() == 3;
  if (guarded ? !matchBlocks(entry, kernel) : entry.size() != 1)
    return false;
  Instruction *index = findIndex(entry, kernel);
  if (!index)
    return false;
  if (guarded) {
    kernel.guard =
        cast<BranchInst>(kernel.head->getTerminator())->getCondition();
  } else {
    kernel.head = &entry.getEntryBlock();
    kernel.body =
        kernel.head->splitBasicBlock(std::next(index->getIterator()), "body");
    kernel.end = kernel.body->splitBasicBlock(
        kernel.body->getTerminator()->getIterator(), "end");
    if (!isa<ReturnInst>(kernel.end->front()))
      return false;
  }
  if (!readsIndexAlone(entry))
    return false;
  widen(kernel);
  return true;
}

bool readGuard(const IndexedKernel &kernel, SmallVectorImpl<Comparison> &out) {
  return !kernel.guard ||
         addComparisons(kernel, kernel.guard, kernel.whenFalse, out);
}

} // namespace xcc::nvptx::coarsen
