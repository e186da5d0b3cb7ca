// Local variables with a large alignment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

void alignFrames(Module &module) {
  // `most` is the alignment of every frame. LLVM handles variables with an
  // alignment of up to 64 bytes, which are common.
  constexpr uint64_t most = 16, common = 64;
  const DataLayout &layout = module.getDataLayout();
  SmallVector<AllocaInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&inst);
          variable && variable->isStaticAlloca() &&
          variable->getAlign().value() > common)
        found.push_back(variable);
  for (AllocaInst *variable : found) {
    const uint64_t align = variable->getAlign().value();
    const uint64_t size = variable->getAllocationSize(layout)->getFixedValue();
    IRBuilder<> builder(variable);
    auto *room = builder.CreateAlloca(
        ArrayType::get(builder.getInt8Ty(), size + align - most),
        variable->getAddressSpace());
    room->setAlignment(Align(most));
    Type *word = builder.getInt32Ty();
    Value *address = builder.CreatePtrToInt(room, word);
    Value *up =
        builder.CreateAnd(builder.CreateSub(builder.getInt32(0), address),
                          builder.getInt32(align - 1));
    Value *aligned = builder.CreateInBoundsPtrAdd(room, up);
    aligned->takeName(variable);
    for (User *user : make_early_inc_range(variable->users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
        marker->eraseFromParent();
    variable->replaceAllUsesWith(aligned);
    variable->eraseFromParent();
  }
}

} // namespace xcc::amdgcn
