// Changing grid-stride loops to loops that all threads take together
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedLoop.h"
#include "block/loops/Teams.h"

#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Gives threads without an iteration their values from before the loop.
/// \p worked says whether a thread had one.
void StridedLoop::selectResults(BasicBlock *last, Value *worked) {
  IRBuilder<> b(last->getTerminator());
  for (PHINode *phi : differing) {
    Value *idle = phi->getIncomingValueForBlock(guard->getParent());
    int index = phi->getBasicBlockIndex(last);
    phi->setIncomingValue(
        index, b.CreateSelect(worked, phi->getIncomingValue(index), idle));
  }
}

/// Computes whether no index of a thread of the block wraps in the loop,
/// including the first index past the loop's end.
Value *StridedLoop::check(IRBuilder<> &b) {
  // A margin of more threads than a block, or a team of blocks, has.
  auto limitOf = [](Type *type, bool isSigned) {
    unsigned bits = type->getIntegerBitWidth();
    APInt most =
        isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    return ConstantInt::get(type, most - 2 * MostTeamThreads);
  };
  bool isSigned = countsSigned();
  auto fits = isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  Type *type = counter->getType();
  Value *limit = limitOf(type, isSigned);
  Value *forward =
      b.CreateICmp(isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, step,
                   ConstantInt::get(type, 0));
  Value *small = b.CreateICmp(fits, step, limit);
  Value *begins;
  if (firstType->getIntegerBitWidth() > type->getIntegerBitWidth()) {
    auto *most = cast<ConstantInt>(limit);
    begins = b.CreateICmpULE(first,
                             ConstantInt::get(firstType, most->getZExtValue()));
  } else {
    begins =
        b.CreateICmp(isSignExtended ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                     first, limitOf(firstType, isSignExtended));
  }
  // Given the other conditions, this does not wrap.
  Value *last = b.CreateSub(limit, step), *ends;
  if (!wide) {
    ends = b.CreateICmp(fits, bound, last);
  } else {
    ends = b.CreateICmp(CmpInst::isSigned(predicate) ? CmpInst::ICMP_SLE
                                                     : CmpInst::ICMP_ULE,
                        bound, b.CreateZExt(last, bound->getType()));
    // An unsigned comparison takes a negative counter for a large number.
    if (isSigned && CmpInst::isUnsigned(predicate))
      begins = b.CreateAnd(
          begins,
          b.CreateICmpSGE(first, ConstantInt::get(first->getType(), 0)));
  }
  return b.CreateAnd({forward, small, begins, ends});
}

/// Keeps a copy of the loop, which runs unless \p fits because numbers wrap.
/// The guard then belongs to the other loop alone.
void StridedLoop::keepForWrapping(Value *fits, LoopInfo &loops,
                                  DominatorTree &dt,
                                  SmallPtrSetImpl<BasicBlock *> &others) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> blocks;
  BasicBlock *before = guard->getParent();
  cloneLoopWithPreheader(exit, before, &l, map, ".wrapping", &loops, &dt,
                         blocks);
  others.insert(cast<BasicBlock>(map[header]));
  if (merge == exit) {
    remapInstructionsInBlocks(blocks, map);
    for (PHINode &phi : exit->phis()) {
      Value *out = phi.getIncomingValueForBlock(latch);
      Value *copied = map.lookup(out);
      phi.addIncoming(copied ? copied : out, cast<BasicBlock>(map[latch]));
    }
  } else {
    // Copy the block behind the loop too. Both versions join where threads that
    // skip the loop arrive.
    BasicBlock *behind =
        CloneBasicBlock(exit, map, ".wrapping", before->getParent());
    map[exit] = behind;
    blocks.push_back(behind);
    remapInstructionsInBlocks(blocks, map);
    for (PHINode &phi : merge->phis()) {
      Value *out = phi.getIncomingValueForBlock(exit);
      Value *copied = map.lookup(out);
      phi.addIncoming(copied ? copied : out, behind);
    }
  }
  const bool positive = entersIfTrue();
  BasicBlock *enter = guard->getSuccessor(positive ? 0 : 1),
             *skip = guard->getSuccessor(positive ? 1 : 0);
  Value *condition = guard->getCondition();
  LLVMContext &context = before->getContext();
  auto *whole = BasicBlock::Create(context, "whole", before->getParent());
  auto *wrapping = BasicBlock::Create(context, "wrapping", before->getParent());
  IRBuilder<> b(guard);
  b.CreateCondBr(fits, whole, wrapping);
  guard->eraseFromParent();
  auto branch = [&](BasicBlock *at, BasicBlock *to) {
    b.SetInsertPoint(at);
    return positive ? b.CreateCondBr(condition, to, skip)
                    : b.CreateCondBr(condition, skip, to);
  };
  guard = branch(whole, enter);
  BranchInst *own = branch(wrapping, cast<BasicBlock>(map[preheader]));
  if (mask) {
    b.SetInsertPoint(own);
    own->setCondition(positive ? b.CreateAnd(mask, condition)
                               : b.CreateOr(b.CreateNot(mask), condition));
  }
  enter->replacePhiUsesWith(before, whole);
  for (PHINode &phi : skip->phis()) {
    int index = phi.getBasicBlockIndex(before);
    phi.setIncomingBlock(index, whole);
    phi.addIncoming(phi.getIncomingValue(index), wrapping);
  }
}

BasicBlock *StridedLoop::align(LoopInfo &loops, DominatorTree &dt,
                               SmallPtrSetImpl<BasicBlock *> &others) {
  IRBuilder<> b(place());
  Type *i64 = b.getInt64Ty();
  if (signedBound) {
    bound = b.CreateSExt(signedBound, i64);
    predicate = CmpInst::ICMP_SLT;
  }
  if (isChecked) {
    first = ConstantInt::get(firstType, 0);
    for (Value *term : firstTerms)
      first = b.CreateAdd(first, b.CreateZExtOrTrunc(term, firstType),
                          "block.first");
    for (Value *term : firstRows)
      first =
          b.CreateAdd(first,
                      b.CreateMul(b.CreateZExtOrTrunc(term, firstType),
                                  b.CreateZExtOrTrunc(rowLength, firstType)),
                      "block.first");
    Value *fits = check(b);
    keepForWrapping(fits, loops, dt, others);
    b.SetInsertPoint(place());
  }
  auto widened = [&](Value *v, bool isSigned) {
    return v->getType() == i64 ? v
           : isSigned          ? b.CreateSExt(v, i64)
                               : b.CreateZExt(v, i64);
  };
  Value *first64 = widened(first, isSignExtended);
  if (isChecked) {
    step = widened(step, countsSigned());
    bound = widened(bound, countsSigned());
  }
  // The check ensures that this does not wrap.
  if (isInclusive) {
    bound = b.CreateAdd(bound, b.getInt64(1));
    predicate = CmpInst::getStrictPredicate(predicate);
  }
  Value *enters = b.CreateICmp(predicate, first64, bound, "block.enters");
  Value *worked = guard->getCondition();
  if (!entersIfTrue())
    worked = IRBuilder<>(guard).CreateNot(worked);
  if (mask)
    worked = IRBuilder<>(guard).CreateAnd(mask, worked);
  guard->setCondition(entersIfTrue() ? enters : b.CreateNot(enters));

  // The counter of all threads; a thread's own index is computed from it.
  Instruction *next =
      cast<Instruction>(counter->getIncomingValueForBlock(latch));
  auto *repeat =
      BasicBlock::Create(header->getContext(), "together", header->getParent());
  BasicBlock *body =
      header->splitBasicBlock(header->getFirstInsertionPt(), "own");
  if (latch == header)
    latch = body;
  // A counter of 64 bits is used as it is.
  PHINode *iterations = counter;
  if (counter->getType() != i64) {
    b.SetInsertPoint(header, header->begin());
    iterations = b.CreatePHI(i64, 2, "iterations");
    iterations->addIncoming(first64, preheader);
    iterations->addIncoming(PoisonValue::get(i64), latch);
  }
  b.SetInsertPoint(header->getTerminator());
  // Indices of a team's threads past the last counted one do not wrap either.
  bool isSigned = countsSigned();
  Value *inBlock = b.CreateZExt(stripExtension(thread), i64);
  if (rowLength) {
    // Both are below 1,024, and so is the sum.
    Value *rows = stripExtension(row);
    if (plane)
      rows = b.CreateAdd(rows, plane, "", /*HasNUW=*/true, /*HasNSW=*/true);
    Value *before =
        b.CreateMul(rows, b.CreateZExtOrTrunc(rowLength, rows->getType()), "",
                    /*HasNUW=*/true, /*HasNSW=*/true);
    inBlock = b.CreateAdd(b.CreateZExt(before, i64), inBlock, "",
                          /*HasNUW=*/true, /*HasNSW=*/true);
  }
  Value *own =
      b.CreateAdd(iterations, inBlock, "own.index",
                  // With an unsigned bound, the check rejects negative indices.
                  /*HasNUW=*/!isSigned || CmpInst::isUnsigned(predicate),
                  /*HasNSW=*/isSigned || wide);
  Value *stays = b.CreateICmp(predicate, own, bound);
  if (mask)
    stays = b.CreateAnd(mask, stays);
  // All threads take a loop within this one too. Threads without an iteration
  // then run the code around that loop without effect.
  if (isRows) {
    iteration = stays;
  } else {
    b.CreateCondBr(stays, body, repeat);
    header->getTerminator()->eraseFromParent();
  }

  Instruction *oldEnd = latch->getTerminator();
  auto *compare = cast<Instruction>(oldEnd->getOperand(0));
  b.SetInsertPoint(oldEnd);
  b.CreateBr(repeat);
  oldEnd->eraseFromParent();
  if (compare->use_empty())
    compare->eraseFromParent();
  if (wide && wide->use_empty())
    wide->eraseFromParent();

  b.SetInsertPoint(repeat);
  DenseMap<Value *, Value *> merged;
  for (PHINode &phi : header->phis()) {
    if (&phi == counter || &phi == iterations)
      continue;
    Value *latest = phi.getIncomingValueForBlock(latch), *m;
    if (isRows) {
      m = b.CreateSelect(stays, latest, &phi, phi.getName());
    } else {
      PHINode *either = b.CreatePHI(phi.getType(), 2, phi.getName());
      either->addIncoming(&phi, header);
      either->addIncoming(latest, latch);
      m = either;
    }
    merged[latest] = m;
    phi.setIncomingValueForBlock(latch, m);
    phi.replaceIncomingBlockWith(latch, repeat);
  }
  for (PHINode &phi : exit->phis()) {
    phi.setIncomingValueForBlock(
        latch, merged.lookup(phi.getIncomingValueForBlock(latch)));
    phi.replaceIncomingBlockWith(latch, repeat);
  }
  Value *nextIteration = b.CreateAdd(iterations, step, "next.iteration");
  b.CreateCondBr(b.CreateICmp(predicate, nextIteration, bound), header, exit);

  // Other uses of the counter become uses of the thread's own index.
  if (iterations == counter) {
    counter->replaceUsesWithIf(own, [&](const Use &u) {
      return u.getUser() != own && u.getUser() != nextIteration;
    });
  } else {
    for (User *user : make_early_inc_range(counter->users()))
      if (isSigned ? isa<SExtInst>(user) : isa<ZExtInst>(user))
        if (user->getType() == i64)
          user->replaceAllUsesWith(own);
    b.SetInsertPoint(header->getTerminator());
    Value *narrow = b.CreateTrunc(own, counter->getType(), "own.narrow",
                                  /*IsNUW=*/!isSigned, /*IsNSW=*/isSigned);
    counter->replaceUsesWithIf(
        narrow, [&](const Use &u) { return u.getUser() != next; });
    next->replaceAllUsesWith(PoisonValue::get(next->getType()));
    next->eraseFromParent();
    counter->eraseFromParent();
    next = nullptr;
  }
  iterations->setIncomingValueForBlock(latch, nextIteration);
  iterations->replaceIncomingBlockWith(latch, repeat);
  iterations->setIncomingValueForBlock(preheader, first64);
  if (next && next->use_empty())
    next->eraseFromParent();
  selectResults(merge == exit ? repeat : exit, worked);
  return repeat;
}

} // namespace xcc::block
