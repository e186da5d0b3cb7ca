// Writing, lowering and removing positions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are two intrinsics. `ptr __xcc_position()`, at the start of a function,
// returns where the words of this call go: behind those of its caller.
// `__xcc_at(position, words...)`, before a call, writes the words and sets the
// end of the position behind them.

#include "Positions.h"
#include "FunctionNeeds.h"
#include "SourceOrder.h"
#include "block/Intrinsics.h"
#include "block/abi/Abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::block {

namespace {

class Writer {
public:
  Writer(Module &m, const FunctionNeeds &r) : m(m), r(r), b(m.getContext()) {
    Type *ptr = b.getPtrTy();
    position = m.getOrInsertFunction("__xcc_position", ptr);
    at = m.getOrInsertFunction(
        "__xcc_at", FunctionType::get(b.getVoidTy(), {ptr}, /*isVarArg=*/true));
  }
  void write(Function &f);

private:
  Value *iterationOf(const SourceOrder::Loop &loop);

  Module &m;
  const FunctionNeeds &r;
  IRBuilder<> b;
  FunctionCallee position, at;
  unsigned called = 0; ///< functions numbered so far
  DenseMap<const SourceOrder::Loop *, AllocaInst *> iterations;
};

} // namespace

static bool isAddressTaken(const Function &f) {
  return f.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                           /*IgnoreAssumeLikeCalls=*/true,
                           /*IgnoreLLVMUsed=*/true);
}

void Writer::write(Function &f) {
  SourceOrder order(f, [&](const Instruction &i) {
    auto *call = dyn_cast<CallBase>(&i);
    return call &&
           (intrinsicCalledBy(*call).kind == IntrinsicKind::WarpBarrier ||
            (r.of(*call) & NeedsWarp));
  });
  // A function that is called indirectly has a word that identifies it.
  bool isCalledIndirectly = isAddressTaken(f) && !order.points().empty();
  if (!isCalledIndirectly &&
      all_of(order.points(), [](const auto &p) { return p.row.empty(); }))
    return;
  unsigned number = ++called;

  iterations.clear();
  BasicBlock &entry = f.getEntryBlock();
  b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  b.SetCurrentDebugLocation({});
  CallInst *start = b.CreateCall(position, {}, "position");
  for (const auto &loop : order.loops()) {
    b.SetInsertPoint(&entry, entry.begin());
    AllocaInst *iteration = iterations[loop.get()] =
        b.CreateAlloca(b.getInt64Ty(), nullptr, "iteration");
    for (BasicBlock *bb : loop->before) {
      b.SetInsertPoint(bb->getTerminator());
      b.CreateStore(b.getInt64(0), iteration);
    }
    b.SetInsertPoint(loop->header, loop->header->getFirstInsertionPt());
    b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), iteration),
                              b.getInt64(1), "iteration"),
                  iteration);
  }
  auto say = [&](ArrayRef<SourceOrder::Word> row) {
    SmallVector<Value *, 8> words = {start};
    if (isCalledIndirectly)
      words.push_back(b.getInt64(number));
    for (const SourceOrder::Word &w : row)
      words.push_back(
          w.iteration ? b.CreateLoad(b.getInt64Ty(), iterations[w.iteration])
                      : cast<Value>(b.getInt64(w.number)));
    if (words.size() > 1)
      b.CreateCall(at, words);
  };
  for (const SourceOrder::Point &p : order.points()) {
    b.SetInsertPoint(p.at);
    say(p.row);
  }
  if (!isCalledIndirectly)
    return;
  // A library function may call this function again before the caller
  // continues, so drop this call's words here.
  for (BasicBlock &bb : f)
    if (isa<ReturnInst>(bb.getTerminator()) &&
        !bb.getTerminatingMustTailCall()) {
      b.SetInsertPoint(bb.getTerminator());
      b.CreateCall(at, {start});
    }
}

void addPositions(Module &m, const FunctionNeeds &r) {
  Writer w(m, r);
  for (Function &f : m)
    if (!f.isDeclaration() && (r.all(f) & NeedsWarp))
      w.write(f);
  setIntrinsicAttributes(m);
}

static SmallVector<CallInst *, 16> callsOf(Function &f, IntrinsicKind kind) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &i : instructions(f))
    if (intrinsicCalledBy(i).kind == kind)
      calls.push_back(cast<CallInst>(&i));
  return calls;
}

void removePositions(Function &kernel) {
  SmallVector<WeakTrackingVH, 16> words;
  for (CallInst *at : callsOf(kernel, IntrinsicKind::At)) {
    append_range(words, at->args());
    at->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(words);
  for (CallInst *start : callsOf(kernel, IntrinsicKind::Position)) {
    start->replaceAllUsesWith(PoisonValue::get(start->getType()));
    start->eraseFromParent();
  }
  // The iteration counters have no other uses.
  for (BasicBlock &bb : kernel)
    DeleteDeadPHIs(&bb);
}

void lowerPositions(Function &f, Value *thread, Instruction *where) {
  IRBuilder<> b(where);
  Value *field = byteOffset(b, thread, offsetof(xcc_cpu_thread, position));
  for (CallInst *start : callsOf(f, IntrinsicKind::Position)) {
    b.SetInsertPoint(start);
    Value *v = b.CreateAlignedLoad(b.getPtrTy(), field, Align(8), "position");
    start->replaceAllUsesWith(v);
    start->eraseFromParent();
  }
  for (CallInst *at : callsOf(f, IntrinsicKind::At)) {
    b.SetInsertPoint(at);
    Value *start = at->getArgOperand(0);
    uint64_t offset = 0;
    for (Value *word : drop_begin(at->args())) {
      b.CreateAlignedStore(word, byteOffset(b, start, offset), Align(8));
      offset += sizeof(uint64_t);
    }
    b.CreateAlignedStore(byteOffset(b, start, offset), field, Align(8));
    at->eraseFromParent();
  }
}

} // namespace xcc::block
