// Loops over blocks and over threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadLoops.h"
#include "Abi.h"

using namespace llvm;

namespace xcc::block {

static Value *mulNoWrap(IRBuilderBase &B, Value *X, Value *Y,
                        const Twine &Name = "") {
  return B.CreateMul(X, Y, Name, /*HasNUW=*/true, /*HasNSW=*/true);
}

static Value *addNoWrap(IRBuilderBase &B, Value *X, Value *Y,
                        const Twine &Name = "") {
  return B.CreateAdd(X, Y, Name, /*HasNUW=*/true, /*HasNSW=*/true);
}

LaunchShape LaunchShape::load(IRBuilderBase &B, Value *Group) {
  LaunchShape Shape;
  GroupFields G{Group};
  for (unsigned D = 0; D < 3; ++D) {
    Shape.GridDim[D] = G.gridDim(B, D);
    Shape.BlockDim[D] = G.blockDim(B, D);
  }
  Value *XY = mulNoWrap(B, Shape.BlockDim[0], Shape.BlockDim[1]);
  Value *XYZ = mulNoWrap(B, XY, Shape.BlockDim[2]);
  Shape.Threads = B.CreateZExt(XYZ, B.getInt64Ty(), "threads");
  return Shape;
}

BlockLoop BlockLoop::create(Function &F, BasicBlock *Entry,
                            const LaunchShape &Shape) {
  LLVMContext &C = F.getContext();
  Value *First = F.getArg(1), *Last = F.getArg(2);
  BlockLoop L;
  auto *Setup = BasicBlock::Create(C, "blocks.setup", &F);
  L.Header = BasicBlock::Create(C, "block", &F);
  L.Latch = BasicBlock::Create(C, "block.end", &F);
  auto *Exit = BasicBlock::Create(C, "blocks.done", &F);

  // An empty range has no coordinates.
  Entry->getTerminator()->eraseFromParent();
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateICmpULT(First, Last), Setup, Exit);

  // Divide once; the loop counts on from there.
  B.SetInsertPoint(Setup);
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  Value *GX = B.CreateZExt(Shape.GridDim[0], I64);
  Value *GY = B.CreateZExt(Shape.GridDim[1], I64);
  Value *Row = B.CreateUDiv(First, GX);
  Value *Start[3] = {B.CreateTrunc(B.CreateURem(First, GX), I32),
                     B.CreateTrunc(B.CreateURem(Row, GY), I32),
                     B.CreateTrunc(B.CreateUDiv(Row, GY), I32)};
  B.CreateBr(L.Header);

  B.SetInsertPoint(L.Header);
  static const char *const Names[] = {"block.x", "block.y", "block.z"};
  PHINode *Index = B.CreatePHI(I64, 2, "block.linear");
  Index->addIncoming(First, Setup);
  PHINode *Idx[3];
  for (unsigned D = 0; D < 3; ++D) {
    L.BlockIdx[D] = Idx[D] = B.CreatePHI(I32, 2, Names[D]);
    Idx[D]->addIncoming(Start[D], Setup);
  }

  B.SetInsertPoint(L.Latch);
  Value *Carry = B.getTrue();
  Value *Next[3];
  for (unsigned D = 0; D < 3; ++D) {
    Value *Plus = B.CreateAdd(Idx[D], B.CreateZExt(Carry, I32));
    if (D == 2) {
      Next[D] = Plus;
      break;
    }
    Carry = B.CreateICmpEQ(Plus, Shape.GridDim[D]);
    Next[D] = B.CreateSelect(Carry, B.getInt32(0), Plus);
  }
  Value *NextIndex = B.CreateNUWAdd(Index, B.getInt64(1));
  B.CreateCondBr(B.CreateICmpULT(NextIndex, Last), L.Header, Exit);
  Index->addIncoming(NextIndex, L.Latch);
  for (unsigned D = 0; D < 3; ++D)
    Idx[D]->addIncoming(Next[D], L.Latch);

  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
  return L;
}

ThreadLoops ThreadLoops::createOnce(Function &F, const Twine &Name) {
  LLVMContext &C = F.getContext();
  ThreadLoops L = {};
  L.Preheader = BasicBlock::Create(C, Name, &F);
  L.Begin = BasicBlock::Create(C, Name + ".once", &F);
  L.End = BasicBlock::Create(C, Name + ".end", &F);
  L.Exit = BasicBlock::Create(C, Name + ".done", &F);
  BranchInst::Create(L.Begin, L.Preheader);
  BranchInst::Create(L.Exit, L.End);
  return L;
}

ThreadLoops ThreadLoops::create(Function &F, const LaunchShape &Shape,
                                const Twine &Name) {
  LLVMContext &C = F.getContext();
  auto Block = [&](const char *Suffix) {
    return BasicBlock::Create(C, Name + Suffix, &F);
  };
  ThreadLoops L;
  L.Preheader = Block("");
  BasicBlock *Z = Block(".z"), *Y = Block(".y");
  L.Begin = Block(".x");
  L.End = Block(".x.end");
  BasicBlock *YEnd = Block(".y.end"), *ZEnd = Block(".z.end");
  L.Exit = Block(".done");

  IRBuilder<> B(L.Preheader);
  Type *I32 = B.getInt32Ty();
  Value *Zero = B.getInt32(0), *One = B.getInt32(1);
  B.CreateBr(Z);

  auto Counter = [&](BasicBlock *Header, BasicBlock *From, const char *Text) {
    B.SetInsertPoint(Header);
    PHINode *Phi = B.CreatePHI(I32, 2, Text);
    Phi->addIncoming(Zero, From);
    return Phi;
  };
  PHINode *TZ = Counter(Z, L.Preheader, "thread.z");
  Value *Plane = mulNoWrap(B, TZ, Shape.BlockDim[1]);
  B.CreateBr(Y);
  PHINode *TY = Counter(Y, Z, "thread.y");
  Value *Row =
      mulNoWrap(B, addNoWrap(B, Plane, TY), Shape.BlockDim[0], "thread.row");
  B.CreateBr(L.Begin);
  PHINode *TX = Counter(L.Begin, Y, "thread.x");
  L.Linear = addNoWrap(B, Row, TX, "thread.linear");

  auto Count = [&](BasicBlock *Latch, PHINode *Phi, unsigned Dim,
                   BasicBlock *Header, BasicBlock *After) {
    B.SetInsertPoint(Latch);
    Value *Next = addNoWrap(B, Phi, One);
    Phi->addIncoming(Next, Latch);
    return B.CreateCondBr(B.CreateICmpULT(Next, Shape.BlockDim[Dim]), Header,
                          After);
  };
  L.XLatch = Count(L.End, TX, 0, L.Begin, YEnd);
  L.YLatch = Count(YEnd, TY, 1, Y, ZEnd);
  L.ZLatch = Count(ZEnd, TZ, 2, Z, L.Exit);
  L.Before = Y;
  L.Low = Zero;
  L.High = Shape.BlockDim[0];
  L.ThreadIdx[0] = TX;
  L.ThreadIdx[1] = TY;
  L.ThreadIdx[2] = TZ;
  return L;
}

void ThreadLoops::restrictX(Value *NewLow, Value *NewHigh) {
  Low = NewLow;
  High = NewHigh;
  auto *X = cast<PHINode>(ThreadIdx[0]);
  BasicBlock *After = XLatch->getSuccessor(1);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.CreateCondBr(B.CreateICmpULT(Low, High), Begin, After);
  X->setIncomingValueForBlock(Before, Low);
  cast<ICmpInst>(XLatch->getCondition())->setOperand(1, High);
}

} // namespace xcc::block
