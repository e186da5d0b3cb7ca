// Sanitizers and coverage in code of the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "instrument.h"
#include "xcc/abi.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Object/ELF.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/InstrProfiling.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc::cpu {
namespace {

bool anyHas(const Module &module, Attribute::AttrKind kind) {
  return any_of(module, [&](const Function &function) {
    return !function.isDeclaration() && function.hasFnAttribute(kind);
  });
}

/// Whether this is a function of a sanitizer's library. Coverage and profile
/// functions are not: each image has its own.
bool isOfSanitizer(StringRef name) {
  return name.starts_with("__ubsan_") || name.starts_with("__asan_") ||
         name.starts_with("__tsan_") || name.starts_with("__sanitizer_");
}

} // namespace

bool isInstrumented(const Function &function) {
  return function.hasFnAttribute(Attribute::SanitizeAddress) ||
         function.hasFnAttribute(Attribute::SanitizeThread);
}

bool hasCounters(const Module &module) {
  return any_of(module, [](const Function &function) {
    return is_contained({Intrinsic::instrprof_increment,
                         Intrinsic::instrprof_increment_step,
                         Intrinsic::instrprof_cover},
                        function.getIntrinsicID());
  });
}

void addCounters(Module &module, ModuleAnalysisManager &analyses) {
  if (!hasCounters(module))
    return;
  InstrProfOptions how;
  how.Atomic = true; // blocks run on many cores
  InstrProfilingLoweringPass(how, /*IsCS=*/false).run(module, analyses);
  Type *byte = Type::getInt8Ty(module.getContext());
  SmallVector<Constant *> bounds;
  for (InstrProfSectKind kind : {IPSK_data, IPSK_cnts, IPSK_name})
    for (StringRef prefix : {"__start_", "__stop_"}) {
      auto *bound = cast<GlobalVariable>(module.getOrInsertGlobal(
          (prefix +
           getInstrProfSectionName(kind, Triple::ELF, /*AddSegmentInfo=*/false))
              .str(),
          byte));
      bound->setVisibility(GlobalValue::HiddenVisibility);
      bounds.push_back(bound);
    }
  auto *type = ArrayType::get(bounds.front()->getType(), bounds.size());
  // Each part of an image defines it.
  appendToUsed(module, {new GlobalVariable(module, type, /*isConstant=*/true,
                                           GlobalValue::WeakAnyLinkage,
                                           ConstantArray::get(type, bounds),
                                           XCC_SYMBOL_COUNTERS)});
}

void addInstrumentation(PassBuilder &builder, Module &module) {
  if (anyHas(module, Attribute::SanitizeAddress)) {
    AddressSanitizerOptions how;
    how.UseAfterScope = true;
    how.Recover = module.getModuleFlag("xcc.asan-recover") != nullptr;
    builder.registerOptimizerLastEPCallback(
        [how](ModulePassManager &mpm, OptimizationLevel, ThinOrFullLTOPhase) {
          // The host has variables of the same names.
          mpm.addPass(AddressSanitizerPass(how, /*UseGlobalGC=*/false,
                                           /*UseOdrIndicator=*/false));
        });
  }
  if (anyHas(module, Attribute::SanitizeThread))
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &mpm, OptimizationLevel, ThinOrFullLTOPhase) {
          mpm.addPass(ModuleThreadSanitizerPass());
          mpm.addPass(createModuleToFunctionPassAdaptor(ThreadSanitizerPass()));
        });
}

void makeWeak(Module &module) {
  for (GlobalObject &object : module.global_objects())
    if (object.isDeclaration() && isOfSanitizer(object.getName()))
      object.setLinkage(GlobalValue::ExternalWeakLinkage);
}

Expected<std::unique_ptr<MemoryBuffer>>
makeStrong(std::unique_ptr<MemoryBuffer> image) {
  using File = object::ELF64LEFile;
  Expected<File> file = File::create(image->getBuffer());
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  SmallVector<size_t> places; // of the bytes with the symbols' bindings
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM)
      continue;
    auto names = file->getStringTableForSymtab(section);
    auto symbols = file->symbols(&section);
    if (!names || !symbols)
      return joinErrors(names.takeError(), symbols.takeError());
    for (const File::Elf_Sym &symbol : *symbols) {
      Expected<StringRef> name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (symbol.isUndefined() && symbol.getBinding() == llvm::ELF::STB_WEAK &&
          isOfSanitizer(*name))
        places.push_back(reinterpret_cast<const char *>(&symbol.st_info) -
                         image->getBufferStart());
    }
  }
  if (places.empty())
    return std::move(image);
  auto changed =
      WritableMemoryBuffer::getNewUninitMemBuffer(image->getBufferSize());
  llvm::copy(image->getBuffer(), changed->getBufferStart());
  for (size_t place : places) {
    char &info = changed->getBufferStart()[place];
    info = char(llvm::ELF::STB_GLOBAL << 4 | (info & 0xf));
  }
  return std::move(changed);
}

} // namespace xcc::cpu
