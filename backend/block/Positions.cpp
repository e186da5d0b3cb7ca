// Writing, lowering and removing positions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two intrinsics. `ptr __xcc_position()`, at the start of a function, is where
// the words of this call of it go: behind those of its caller.
// `__xcc_at(position, words...)`, before a call, writes them and ends the
// position behind them.

#include "Positions.h"
#include "Abi.h"
#include "Intrinsics.h"
#include "Reach.h"
#include "SourceOrder.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

namespace {

class Writer {
public:
  Writer(Module &M, const Reach &R) : M(M), R(R), B(M.getContext()) {
    Type *Ptr = B.getPtrTy();
    Position = M.getOrInsertFunction("__xcc_position", Ptr);
    At = M.getOrInsertFunction(
        "__xcc_at", FunctionType::get(B.getVoidTy(), {Ptr}, /*isVarArg=*/true));
  }
  void write(Function &F);

private:
  Value *turnOf(const SourceOrder::Loop &Loop);

  Module &M;
  const Reach &R;
  IRBuilder<> B;
  FunctionCallee Position, At;
  unsigned Called = 0; ///< functions with an address so far
  DenseMap<const SourceOrder::Loop *, AllocaInst *> Turns;
};

} // namespace

static bool isAddressTaken(const Function &F) {
  return F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                           /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true);
}

void Writer::write(Function &F) {
  SourceOrder Order(F, [&](const CallBase &Call) {
    return intrinsicCalledBy(Call).Kind == IntrinsicKind::WarpBarrier ||
           (R.of(Call) & NeedsWarp);
  });
  // Which function an indirect call runs is a word of its own.
  bool IsCalledIndirectly = isAddressTaken(F) && !Order.points().empty();
  if (!IsCalledIndirectly &&
      all_of(Order.points(), [](const auto &P) { return P.Row.empty(); }))
    return;
  unsigned Number = ++Called;

  Turns.clear();
  BasicBlock &Entry = F.getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.SetCurrentDebugLocation({});
  CallInst *Start = B.CreateCall(Position, {}, "position");
  for (const auto &Loop : Order.loops()) {
    B.SetInsertPoint(&Entry, Entry.begin());
    AllocaInst *Turn = Turns[Loop.get()] =
        B.CreateAlloca(B.getInt64Ty(), nullptr, "turn");
    for (BasicBlock *BB : Loop->Before) {
      B.SetInsertPoint(BB->getTerminator());
      B.CreateStore(B.getInt64(0), Turn);
    }
    B.SetInsertPoint(Loop->Header, Loop->Header->getFirstInsertionPt());
    B.CreateStore(
        B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Turn), B.getInt64(1), "turn"),
        Turn);
  }
  auto Say = [&](ArrayRef<SourceOrder::Word> Row) {
    SmallVector<Value *, 8> Words = {Start};
    if (IsCalledIndirectly)
      Words.push_back(B.getInt64(Number));
    for (const SourceOrder::Word &W : Row)
      Words.push_back(W.Turn ? B.CreateLoad(B.getInt64Ty(), Turns[W.Turn])
                             : cast<Value>(B.getInt64(W.Number)));
    if (Words.size() > 1)
      B.CreateCall(At, Words);
  };
  for (const SourceOrder::Point &P : Order.points()) {
    B.SetInsertPoint(P.Call);
    Say(P.Row);
  }
  if (!IsCalledIndirectly)
    return;
  // A library's function may call it again before its caller goes on.
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()) &&
        !BB.getTerminatingMustTailCall()) {
      B.SetInsertPoint(BB.getTerminator());
      B.CreateCall(At, {Start});
    }
}

void addPositions(Module &M, const Reach &R) {
  Writer W(M, R);
  for (Function &F : M)
    if (!F.isDeclaration() && (R.all(F) & NeedsWarp))
      W.write(F);
  setIntrinsicAttributes(M);
}

static SmallVector<CallInst *, 16> callsOf(Function &F, IntrinsicKind Kind) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (intrinsicCalledBy(I).Kind == Kind)
      Calls.push_back(cast<CallInst>(&I));
  return Calls;
}

void removePositions(Function &Kernel) {
  SmallVector<WeakTrackingVH, 16> Words;
  for (CallInst *At : callsOf(Kernel, IntrinsicKind::At)) {
    append_range(Words, At->args());
    At->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Words);
  for (CallInst *Start : callsOf(Kernel, IntrinsicKind::Position)) {
    Start->replaceAllUsesWith(PoisonValue::get(Start->getType()));
    Start->eraseFromParent();
  }
  // Counters of turns now count for nobody.
  for (BasicBlock &BB : Kernel)
    DeleteDeadPHIs(&BB);
}

void lowerPositions(Function &F, Value *Thread, Instruction *Where) {
  IRBuilder<> B(Where);
  Value *Field = byteOffset(B, Thread, offsetof(xcc_cpu_thread, position));
  for (CallInst *Start : callsOf(F, IntrinsicKind::Position)) {
    B.SetInsertPoint(Start);
    Value *V = B.CreateAlignedLoad(B.getPtrTy(), Field, Align(8), "position");
    Start->replaceAllUsesWith(V);
    Start->eraseFromParent();
  }
  for (CallInst *At : callsOf(F, IntrinsicKind::At)) {
    B.SetInsertPoint(At);
    Value *Start = At->getArgOperand(0);
    uint64_t Offset = 0;
    for (Value *Word : drop_begin(At->args())) {
      B.CreateAlignedStore(Word, byteOffset(B, Start, Offset), Align(8));
      Offset += sizeof(uint64_t);
    }
    B.CreateAlignedStore(byteOffset(B, Start, Offset), Field, Align(8));
    At->eraseFromParent();
  }
}

} // namespace xcc::block
