// Loops over blocks and over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadLoops.h"
#include "block/abi/Abi.h"

using namespace llvm;

namespace xcc::block {

static Value *mulNoWrap(IRBuilderBase &b, Value *x, Value *y,
                        const Twine &name = "") {
  return b.CreateMul(x, y, name, /*HasNUW=*/true, /*HasNSW=*/true);
}

static Value *addNoWrap(IRBuilderBase &b, Value *x, Value *y,
                        const Twine &name = "") {
  return b.CreateAdd(x, y, name, /*HasNUW=*/true, /*HasNSW=*/true);
}

LaunchShape LaunchShape::load(IRBuilderBase &b, Value *group) {
  LaunchShape shape;
  GroupFields g{group};
  for (unsigned d = 0; d < 3; ++d) {
    shape.gridDim[d] = g.gridDim(b, d);
    shape.blockDim[d] = g.blockDim(b, d);
  }
  Value *xy = mulNoWrap(b, shape.blockDim[0], shape.blockDim[1]);
  Value *xyz = mulNoWrap(b, xy, shape.blockDim[2]);
  shape.threads = b.CreateZExt(xyz, b.getInt64Ty(), "threads");
  return shape;
}

Value *LaunchShape::blocksOf(IRBuilderBase &b, uint64_t most,
                             const TeamForm &form) const {
  Value *blocks = b.CreateUDiv(b.getInt64(most), threads);
  if (form.isNarrow) {
    Value *row = b.CreateZExt(blockDim[0], b.getInt64Ty());
    blocks = b.CreateSelect(b.CreateICmpEQ(row, threads), blocks,
                            b.CreateUDiv(b.getInt64(NarrowTeamThreads), row));
  }
  if (form.blockSize)
    blocks =
        b.CreateSelect(b.CreateICmpEQ(blockDim[0], b.getInt32(form.blockSize)),
                       blocks, b.getInt64(1));
  return b.CreateTrunc(
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, blocks, b.getInt64(1)),
      b.getInt32Ty(), "team.most");
}

void LaunchShape::countWarps(IRBuilderBase &b) {
  blockDim[0] =
      b.CreateUDiv(blockDim[0], b.getInt32(XCC_CPU_WARP_SIZE), "warps");
  threads = b.CreateUDiv(threads, b.getInt64(XCC_CPU_WARP_SIZE));
}

BlockLoop BlockLoop::create(Function &f, BasicBlock *entry,
                            const LaunchShape &shape, Value *mostBlocks) {
  LLVMContext &c = f.getContext();
  Value *first = f.getArg(1), *last = f.getArg(2);
  BlockLoop l;
  auto *setup = BasicBlock::Create(c, "blocks.setup", &f);
  l.header = BasicBlock::Create(c, "block", &f);
  l.latch = BasicBlock::Create(c, "block.end", &f);
  auto *exit = BasicBlock::Create(c, "blocks.done", &f);

  // An empty range has no coordinates.
  entry->getTerminator()->eraseFromParent();
  IRBuilder<> b(entry);
  b.CreateCondBr(b.CreateICmpULT(first, last), setup, exit);

  // Divide once; the loop counts on from there.
  b.SetInsertPoint(setup);
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  Value *gx = b.CreateZExt(shape.gridDim[0], i64);
  Value *gy = b.CreateZExt(shape.gridDim[1], i64);
  Value *row = b.CreateUDiv(first, gx);
  Value *start[3] = {b.CreateTrunc(b.CreateURem(first, gx), i32),
                     b.CreateTrunc(b.CreateURem(row, gy), i32),
                     b.CreateTrunc(b.CreateUDiv(row, gy), i32)};
  b.CreateBr(l.header);

  b.SetInsertPoint(l.header);
  static const char *const names[] = {"block.x", "block.y", "block.z"};
  PHINode *index = b.CreatePHI(i64, 2, "block.linear");
  index->addIncoming(first, setup);
  PHINode *idx[3];
  for (unsigned d = 0; d < 3; ++d) {
    l.blockIdx[d] = idx[d] = b.CreatePHI(i32, 2, names[d]);
    idx[d]->addIncoming(start[d], setup);
  }
  // A team ends at the end of its row, of the given range, or at mostBlocks.
  Value *team = b.getInt32(1);
  l.width = shape.blockDim[0];
  if (mostBlocks) {
    auto min = [&](Value *x, Value *y) {
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y);
    };
    Value *inRow = b.CreateSub(shape.gridDim[0], idx[0], "", /*HasNUW=*/true);
    Value *left = min(b.CreateSub(last, index, "", /*HasNUW=*/true),
                      b.CreateZExt(mostBlocks, i64));
    team = min(inRow, b.CreateTrunc(left, i32, "", /*IsNUW=*/true,
                                    /*IsNSW=*/true));
    team->setName("team");
    l.width = mulNoWrap(b, team, shape.blockDim[0], "team.width");
  }

  b.SetInsertPoint(l.latch);
  Value *carry = team;
  Value *next[3];
  for (unsigned d = 0; d < 3; ++d) {
    Value *plus = b.CreateAdd(idx[d], d ? b.CreateZExt(carry, i32) : carry);
    if (d == 2) {
      next[d] = plus;
      break;
    }
    carry = b.CreateICmpEQ(plus, shape.gridDim[d]);
    next[d] = b.CreateSelect(carry, b.getInt32(0), plus);
  }
  Value *nextIndex = b.CreateNUWAdd(index, b.CreateZExt(team, i64));
  b.CreateCondBr(b.CreateICmpULT(nextIndex, last), l.header, exit);
  index->addIncoming(nextIndex, l.latch);
  for (unsigned d = 0; d < 3; ++d)
    idx[d]->addIncoming(next[d], l.latch);

  b.SetInsertPoint(exit);
  b.CreateRetVoid();
  return l;
}

BlockLoop BlockLoop::createTeam(Function &f, BasicBlock *entry) {
  LLVMContext &c = f.getContext();
  BlockLoop l;
  l.header = BasicBlock::Create(c, "team", &f);
  l.latch = BasicBlock::Create(c, "team.end", &f);
  entry->getTerminator()->eraseFromParent();
  BranchInst::Create(l.header, entry);
  ReturnInst::Create(c, l.latch);
  for (unsigned d = 0; d < 3; ++d)
    l.blockIdx[d] = f.getArg(1 + d);
  l.width = f.getArg(4);
  return l;
}

ThreadLoops ThreadLoops::createOnce(Function &f, const Twine &name) {
  LLVMContext &c = f.getContext();
  ThreadLoops l = {};
  l.preheader = BasicBlock::Create(c, name, &f);
  l.begin = BasicBlock::Create(c, name + ".once", &f);
  l.end = BasicBlock::Create(c, name + ".end", &f);
  l.exit = BasicBlock::Create(c, name + ".done", &f);
  BranchInst::Create(l.begin, l.preheader);
  BranchInst::Create(l.exit, l.end);
  return l;
}

ThreadLoops ThreadLoops::createRow(Function &f, Value *count,
                                   const Twine &name) {
  LLVMContext &c = f.getContext();
  ThreadLoops l = {};
  l.preheader = BasicBlock::Create(c, name, &f);
  l.before = BasicBlock::Create(c, name + ".row", &f);
  l.begin = BasicBlock::Create(c, name + ".x", &f);
  l.end = BasicBlock::Create(c, name + ".x.end", &f);
  l.exit = BasicBlock::Create(c, name + ".done", &f);
  BranchInst::Create(l.before, l.preheader);
  BranchInst::Create(l.begin, l.before);
  IRBuilder<> b(l.begin);
  l.low = b.getInt32(0);
  l.high = count;
  PHINode *x = b.CreatePHI(b.getInt32Ty(), 2, "thread.x");
  b.SetInsertPoint(l.end);
  Value *next = addNoWrap(b, x, b.getInt32(1));
  l.xLatch = b.CreateCondBr(b.CreateICmpULT(next, l.high), l.begin, l.exit);
  x->addIncoming(l.low, l.before);
  x->addIncoming(next, l.end);
  l.threadIdx[0] = l.linear = x;
  return l;
}

ThreadLoops ThreadLoops::createLanes(Function &f, const Twine &name) {
  IRBuilder<> b(f.getContext());
  ThreadLoops l = createRow(f, b.getInt32(XCC_CPU_WARP_SIZE), name);
  l.linear->setName("lane");
  return l;
}

ThreadLoops ThreadLoops::create(Function &f, const LaunchShape &shape,
                                const Twine &name) {
  LLVMContext &c = f.getContext();
  auto block = [&](const char *suffix) {
    return BasicBlock::Create(c, name + suffix, &f);
  };
  ThreadLoops l;
  l.preheader = block("");
  BasicBlock *z = block(".z"), *y = block(".y");
  l.begin = block(".x");
  l.end = block(".x.end");
  BasicBlock *yEnd = block(".y.end"), *zEnd = block(".z.end");
  l.exit = block(".done");

  IRBuilder<> b(l.preheader);
  Type *i32 = b.getInt32Ty();
  Value *zero = b.getInt32(0), *one = b.getInt32(1);
  b.CreateBr(z);

  auto counter = [&](BasicBlock *header, BasicBlock *from, const char *text) {
    b.SetInsertPoint(header);
    PHINode *phi = b.CreatePHI(i32, 2, text);
    phi->addIncoming(zero, from);
    return phi;
  };
  PHINode *tz = counter(z, l.preheader, "thread.z");
  Value *plane = mulNoWrap(b, tz, shape.blockDim[1]);
  b.CreateBr(y);
  PHINode *ty = counter(y, z, "thread.y");
  Value *row =
      mulNoWrap(b, addNoWrap(b, plane, ty), shape.blockDim[0], "thread.row");
  b.CreateBr(l.begin);
  PHINode *tx = counter(l.begin, y, "thread.x");
  l.linear = addNoWrap(b, row, tx, "thread.linear");

  auto count = [&](BasicBlock *latch, PHINode *phi, unsigned dim,
                   BasicBlock *header, BasicBlock *after) {
    b.SetInsertPoint(latch);
    Value *next = addNoWrap(b, phi, one);
    phi->addIncoming(next, latch);
    return b.CreateCondBr(b.CreateICmpULT(next, shape.blockDim[dim]), header,
                          after);
  };
  l.xLatch = count(l.end, tx, 0, l.begin, yEnd);
  l.yLatch = count(yEnd, ty, 1, y, zEnd);
  l.zLatch = count(zEnd, tz, 2, z, l.exit);
  l.before = y;
  l.low = zero;
  l.high = shape.blockDim[0];
  l.threadIdx[0] = tx;
  l.threadIdx[1] = ty;
  l.threadIdx[2] = tz;
  return l;
}

void ThreadLoops::restrictX(Value *newLow, Value *newHigh) {
  low = newLow;
  high = newHigh;
  auto *x = cast<PHINode>(threadIdx[0]);
  BasicBlock *after = xLatch->getSuccessor(1);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> b(before);
  b.CreateCondBr(b.CreateICmpULT(low, high), begin, after);
  x->setIncomingValueForBlock(before, low);
  cast<ICmpInst>(xLatch->getCondition())->setOperand(1, high);
}

} // namespace xcc::block
