// Replaces small copies by loads and stores
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX back end copies memory in words of at most eight bytes, and
// never through the read-only cache, because it expands copies after all passes
// that could join words or prove that they are constant. With loads and stores,
// a structure of 16 aligned bytes is one vector, as with nvcc, and a temporary
// for a swap stays in registers.

#include "gpu/Passes.h"
#include "support/Preserved.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

/// The largest copy, which the back end would expand without a loop; and the
/// largest part of it that is in registers at a time.
constexpr uint64_t MostBytes = 128, PartBytes = 64;

/// The type of the next word of a copy.
Type *wordOf(LLVMContext &context, uint64_t bytes, uint64_t align) {
  Type *word = Type::getInt32Ty(context);
  if (bytes >= 16 && align >= 16)
    return FixedVectorType::get(word, 4);
  if (bytes >= 8 && align >= 8)
    return FixedVectorType::get(word, 2);
  if (bytes >= 4)
    return word;
  return bytes >= 2 ? Type::getInt16Ty(context) : Type::getInt8Ty(context);
}

void expand(MemCpyInst &copy, uint64_t bytes, Align align,
            const DataLayout &layout) {
  IRBuilder<> builder(&copy);
  AAMDNodes notes = copy.getAAMetadata();
  // The fields' types do not apply to words.
  notes.TBAA = notes.TBAAStruct = nullptr;
  struct Word {
    LoadInst *value;
    uint64_t at;
  };
  for (uint64_t at = 0; at < bytes;) {
    SmallVector<Word, 16> words;
    for (uint64_t end = std::min(bytes, at + PartBytes); at < end;) {
      Align here = commonAlignment(align, at);
      Type *type = wordOf(builder.getContext(), end - at, here.value());
      LoadInst *value = builder.CreateAlignedLoad(
          type, builder.CreatePtrAdd(copy.getSource(), builder.getInt64(at)),
          here);
      value->setAAMetadata(notes);
      words.push_back({value, at});
      at += layout.getTypeStoreSize(type);
    }
    for (const Word &word : words)
      builder
          .CreateAlignedStore(
              word.value,
              builder.CreatePtrAdd(copy.getDest(), builder.getInt64(word.at)),
              word.value->getAlign())
          ->setAAMetadata(notes);
  }
  copy.eraseFromParent();
}

} // namespace

PreservedAnalyses SmallCopiesPass::run(Function &function,
                                       FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<MemCpyInst *> copies;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      if (auto *copy = dyn_cast<MemCpyInst>(&inst);
          copy && !copy->isVolatile() && isa<ConstantInt>(copy->getLength()))
        copies.push_back(copy);
  bool changed = false;
  for (MemCpyInst *copy : copies) {
    uint64_t bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
    Align align = std::min(copy->getSourceAlign().valueOrOne(),
                           copy->getDestAlign().valueOrOne());
    if (!bytes || bytes > MostBytes || align < 4)
      continue;
    expand(*copy, bytes, align, layout);
    changed = true;
  }
  return keepingBranches(changed);
}

} // namespace xcc::gpu
