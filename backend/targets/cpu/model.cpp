// The CPU model that code can query
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

/// The compiler's own copy. Its first words are the kind of CPU, as in libgcc,
/// and Clang's library has the same layout.
extern "C" [[gnu::visibility("hidden")]] struct {
  unsigned vendor, type, subtype, features[1];
} __cpu_model;

namespace xcc::cpu {
namespace {

struct Feature {
  StringLiteral name;
  unsigned bit;
};

constexpr Feature Features[] = {
#define X86_FEATURE_COMPAT(ENUM, NAME, PRIORITY, BIT) {NAME, BIT},
#define X86_MICROARCH_LEVEL(ENUM, NAME, PRIORITY, BIT) {NAME, BIT},
#include "llvm/TargetParser/X86TargetParser.def"
};

/// The bits of all features, 32 to a word.
std::array<uint32_t, 4> featureWords() {
  StringMap<bool> has = sys::getHostCPUFeatures();
  std::array<uint32_t, 4> words = {};
  auto set = [&](StringRef name) {
    for (const Feature &feature : Features)
      if (feature.name == name && feature.bit < 128)
        words[feature.bit / 32] |= 1u << feature.bit % 32;
  };
  for (const auto &[name, on] : has)
    if (on)
      set(name);
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64"))
    set("x86-64");
  if (__builtin_cpu_supports("x86-64-v2"))
    set("x86-64-v2");
  if (__builtin_cpu_supports("x86-64-v3"))
    set("x86-64-v3");
  if (__builtin_cpu_supports("x86-64-v4"))
    set("x86-64-v4");
  return words;
}

/// Defines a declared variable with as many of the words as its type has.
void define(Module &module, StringRef name, ArrayRef<uint32_t> words) {
  GlobalVariable *old = module.getGlobalVariable(name);
  if (!old || !old->isDeclaration())
    return;
  SmallVector<uint32_t> all(words);
  all.resize(module.getDataLayout().getTypeAllocSize(old->getValueType()) / 4);
  Constant *value = ConstantDataArray::get(module.getContext(), all);
  auto *made = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                  GlobalValue::InternalLinkage, value, "", old);
  made->takeName(old);
  made->setAlignment(Align(4));
  old->replaceAllUsesWith(made);
  old->eraseFromParent();
}

} // namespace

void defineModel(Module &module) {
  Function *initialise = module.getFunction("__cpu_indicator_init");
  if (!initialise && !module.getGlobalVariable("__cpu_model") &&
      !module.getGlobalVariable("__cpu_features2"))
    return;
  std::array<uint32_t, 4> words = featureWords();
  define(module, "__cpu_model",
         {__cpu_model.vendor, __cpu_model.type, __cpu_model.subtype, words[0]});
  define(module, "__cpu_features2", ArrayRef(words).drop_front());
  if (initialise && initialise->isDeclaration()) {
    initialise->setLinkage(GlobalValue::InternalLinkage);
    initialise->setDLLStorageClass(GlobalValue::DefaultStorageClass);
    initialise->setDSOLocal(true);
    IRBuilder<> builder(
        BasicBlock::Create(module.getContext(), "", initialise));
    if (initialise->getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(Constant::getNullValue(initialise->getReturnType()));
  }
}

} // namespace xcc::cpu
