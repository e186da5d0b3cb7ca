// Strength reduction in loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "strength.h"
#include "gpu/Passes.h"
#include "latches.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace xcc::nvptx {

static constexpr StringLiteral Reduction = "Loop Strength Reduction";
/// The last pass of the back end that changes IR.
static constexpr StringLiteral Last = "NVPTX specific alloca hoisting";

/// Whether \p v is a 64-bit integer that was not extended from 32 bits.
static bool isWide(const Value *v) {
  return v->getType()->isIntegerTy(64) && !isa<ZExtInst, SExtInst>(v);
}

/// Whether \p i multiplies a value that changes in \p loop, by more than a
/// shift.
static bool multiplies(const Instruction &i, const Loop &loop) {
  auto varies = [&](const Value *v) { return !loop.isLoopInvariant(v); };
  if (i.getOpcode() == Instruction::Mul && i.getType()->isIntegerTy(64)) {
    const Value *x = i.getOperand(0), *y = i.getOperand(1);
    return varies(x) != varies(y) && (isWide(x) || isWide(y));
  }
  auto *address = dyn_cast<GetElementPtrInst>(&i);
  if (!address)
    return false;
  const DataLayout &layout = i.getDataLayout();
  for (auto type = gep_type_begin(address), end = gep_type_end(address);
       type != end; ++type) {
    const Value *index = type.getOperand();
    if (type.isSequential() && !isa<Constant>(index) && varies(index) &&
        isWide(index) &&
        !isPowerOf2_64(type.getSequentialElementStride(layout)))
      return true;
  }
  return false;
}

class CodegenPasses::Choice : public FunctionPass {
public:
  static char id;
  explicit Choice(Gate &gate) : FunctionPass(id), gate(gate) {}

  StringRef getPassName() const override { return "Choice of reductions"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<LoopInfoWrapperPass>();
    usage.setPreservesAll();
  }
  bool runOnFunction(Function &function) override {
    const LoopInfo &loops = getAnalysis<LoopInfoWrapperPass>().getLoopInfo();
    gate.reduces = any_of(function, [&](const BasicBlock &block) {
      const Loop *loop = loops.getLoopFor(&block);
      if (!loop)
        return false;
      if (loop->getHeader() == &block &&
          getBooleanLoopAttribute(loop, gpu::MoreCopies))
        return true;
      return any_of(block,
                    [&](const Instruction &i) { return multiplies(i, *loop); });
    });
    return false;
  }

private:
  Gate &gate;
};
char CodegenPasses::Choice::id;

bool CodegenPasses::Gate::shouldRunPass(StringRef pass, StringRef) const {
  return reduces || pass != Reduction;
}

CodegenPasses::CodegenPasses(LLVMContext &context)
    : context(context), before(context.getOptPassGate()) {
  context.setOptPassGate(gate);
}

CodegenPasses::~CodegenPasses() { context.setOptPassGate(before); }

void CodegenPasses::add(Pass *pass) {
  if (pass->getPassName() == Reduction)
    PassManager::add(new Choice(gate));
  if (pass->getPassName() == Last)
    PassManager::add(new LatchesPass());
  PassManager::add(pass);
}

} // namespace xcc::nvptx
