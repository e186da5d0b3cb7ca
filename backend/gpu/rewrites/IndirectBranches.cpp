// Replaces goto *p by a switch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs cannot branch to an address. So a label's address becomes its number in
// the function, starting at 1, and the branch becomes a switch. Other uses of
// such addresses are not changed: the difference of two labels is the
// difference of their numbers.

#include "gpu/stages/BeforePipeline.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// Returns the blocks whose address is taken, in order, and replaces their
/// addresses by numbers.
SmallVector<BasicBlock *> numberLabels(Function &function) {
  SmallVector<BasicBlock *> labels;
  auto *number = Type::getInt64Ty(function.getContext());
  for (BasicBlock &block : function) {
    BlockAddress *address = BlockAddress::lookup(&block);
    if (!address)
      continue;
    labels.push_back(&block);
    address->replaceAllUsesWith(ConstantExpr::getIntToPtr(
        ConstantInt::get(number, labels.size()), address->getType()));
    address->destroyConstant();
  }
  return labels;
}

void chooseByNumber(IndirectBrInst &branch, ArrayRef<BasicBlock *> labels) {
  Function &function = *branch.getFunction();
  BasicBlock *from = branch.getParent();
  auto *nowhere =
      BasicBlock::Create(function.getContext(), "no.label", &function);
  new UnreachableInst(function.getContext(), nowhere);
  IRBuilder<> builder(&branch);
  Value *number =
      builder.CreatePtrToInt(branch.getAddress(), builder.getInt64Ty());
  SwitchInst *choice = builder.CreateSwitch(number, nowhere, labels.size());
  // A destination may be listed several times, and its phis have an entry for
  // each.
  SmallPtrSet<BasicBlock *, 8> seen;
  for (unsigned i = 0; i < branch.getNumDestinations(); ++i) {
    BasicBlock *to = branch.getDestination(i);
    const auto *at = find(labels, to);
    if (at == labels.end() || !seen.insert(to).second)
      to->removePredecessor(from, /*KeepOneInputPHIs=*/true);
    else
      choice->addCase(builder.getInt64(at - labels.begin() + 1), to);
  }
  branch.eraseFromParent();
}

} // namespace

void lowerIndirectBranches(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    SmallVector<BasicBlock *> labels = numberLabels(function);
    SmallVector<IndirectBrInst *> branches;
    for (BasicBlock &block : function)
      if (auto *branch = dyn_cast<IndirectBrInst>(block.getTerminator()))
        branches.push_back(branch);
    for (IndirectBrInst *branch : branches)
      chooseByNumber(*branch, labels);
  }
}

} // namespace xcc::gpu
