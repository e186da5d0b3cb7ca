// Large copies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For copies of 128 bytes or more, the back end makes a loop that copies one
// byte at a time, whatever the alignment is. This makes a loop that copies as
// many bytes as one load can read.

#include "workarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

/// The size from which the back end makes a loop.
constexpr uint64_t Loop = 128;

/// The type of one load for this alignment. Null if a load only reads one or
/// two bytes.
Type *wordOf(LLVMContext &context, Align align) {
  Type *word = Type::getInt32Ty(context);
  if (align < 4)
    return nullptr;
  return align < 8 ? word : FixedVectorType::get(word, align < 16 ? 2 : 4);
}

void expand(MemCpyInst &copy, uint64_t bytes, Align align, Type *word) {
  Value *to = copy.getRawDest(), *from = copy.getRawSource();
  const uint64_t size = copy.getDataLayout().getTypeStoreSize(word);
  IRBuilder<> builder(&copy);
  if (uint64_t rest = bytes % size) {
    uint64_t done = bytes - rest;
    builder.CreateMemCpy(
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), to, done),
        commonAlignment(align, done),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, done),
        commonAlignment(align, done), rest);
  }
  auto [body, index] = SplitBlockAndInsertSimpleForLoop(
      builder.getInt64(bytes / size), copy.getIterator());
  builder.SetInsertPoint(body);
  Align each = std::min(align, Align(size));
  Value *value = builder.CreateAlignedLoad(
      word, builder.CreateInBoundsGEP(word, from, index), each);
  builder.CreateAlignedStore(value, builder.CreateInBoundsGEP(word, to, index),
                             each);
  copy.eraseFromParent();
}

} // namespace

void copyInWords(Module &module) {
  SmallVector<MemCpyInst *> found;
  for (Function &function : module)
    if (!function.hasOptNone())
      for (Instruction &inst : instructions(function))
        if (auto *copy = dyn_cast<MemCpyInst>(&inst);
            copy && !copy->isVolatile() && isa<ConstantInt>(copy->getLength()))
          found.push_back(copy);
  for (MemCpyInst *copy : found) {
    uint64_t bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
    Align align = std::min(copy->getDestAlign().valueOrOne(),
                           copy->getSourceAlign().valueOrOne());
    if (Type *word = wordOf(module.getContext(), align); word && bytes >= Loop)
      expand(*copy, bytes, align, word);
  }
}

} // namespace xcc::nvptx
