// LLVM's code generators, and what they write
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc {

Expected<std::unique_ptr<TargetMachine>>
createMachine(Module &module, StringRef triple, StringRef processor,
              StringRef features, std::optional<Reloc::Model> relocation,
              unsigned optLevel, StringRef devices) {
  std::string error;
  const llvm::Target *backend =
      TargetRegistry::lookupTarget(llvm::Triple(triple), error);
  if (!backend)
    return createStringError("LLVM has no code generator for " + devices +
                             " (" + error + "); install llvm-22");
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  std::unique_ptr<TargetMachine> machine(backend->createTargetMachine(
      llvm::Triple(triple), processor, features, options, relocation,
      std::nullopt,
      optLevel ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::None));
  module.setDataLayout(machine->createDataLayout());
  return machine;
}

Error emit(Module &module, TargetMachine &machine, DeviceOutput output,
           SmallVectorImpl<char> &out) {
  raw_svector_ostream os(out);
  switch (output) {
  case DeviceOutput::LLVMAssembly:
    module.print(os, nullptr);
    return Error::success();
  case DeviceOutput::Bitcode:
    WriteBitcodeToFile(module, os);
    return Error::success();
  case DeviceOutput::Assembly:
  case DeviceOutput::Image:
    break;
  }
  legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, os, nullptr,
                                  output == DeviceOutput::Assembly
                                      ? CodeGenFileType::AssemblyFile
                                      : CodeGenFileType::ObjectFile))
    return createStringError("the code generator of " +
                             module.getTargetTriple().str() +
                             " cannot write this kind of file");
  codegen.run(module);
  return Error::success();
}

} // namespace xcc
