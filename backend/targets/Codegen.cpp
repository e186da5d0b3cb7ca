// From a linked device module to images of one arch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Codegen.h"
#include "access/KernelAccess.h"
#include "support/CompileLimit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc {

Codegen::Codegen(const CodegenInput &input)
    : module(input.module), arch(input.arch), kernels(input.kernels),
      options(input.options), isPart(input.isPart), parts(input.parts) {
  image.arch = arch.str();
}

Expected<std::vector<DeviceImage>> Codegen::run() {
  Expected<GeneratedPart> whole = generate();
  if (!whole)
    return whole.takeError();
  if (options.output == DeviceOutput::Image)
    return link(*whole);
  image.data = MemoryBuffer::getMemBufferCopy(whole->code);
  return only(std::move(image));
}

Expected<GeneratedPart> Codegen::generate() {
  Expected<Machine> chosen = chooseMachine();
  if (!chosen)
    return chosen.takeError();
  image.triple = chosen->triple.str();
  if (Error error = createMachine(*chosen))
    return std::move(error);
  if (Error error = lower(*chosen))
    return std::move(error);
  if (Error error = emit(options.output, part.code))
    return std::move(error);
  describe();
  access::markAccess(part, module);
  return std::move(part);
}

Expected<std::vector<DeviceImage>>
Codegen::link(ArrayRef<GeneratedPart> parts) {
  Expected<Machine> chosen = chooseMachine();
  if (!chosen)
    return chosen.takeError();
  image.triple = chosen->triple.str();
  SmallVector<StringRef> code;
  StringMap<StringRef> rows;
  for (const GeneratedPart &each : parts) {
    code.push_back(each.code);
    image.features = each.features;
    for (StringRef row : split(each.rows, '\n'))
      rows[row.split('\t').first] = row;
  }
  for (const Kernel &kernel : kernels)
    if (StringRef row = rows.lookup(kernel.symbol); !row.empty())
      image.rows.addText(row);
  auto images = finish(code);
  if (images)
    for (DeviceImage &made : *images)
      for (const GeneratedPart &each : parts) {
        for (const KernelColumn &column : each.columns)
          made.rows.column(column.symbol, column.key, column.value);
        for (const auto &why : each.unknownAccess)
          made.unknownAccess.insert({why.getKey(), why.getValue()});
      }
  return images;
}

Error Codegen::createMachine(const Machine &chosen) {
  llvm::Triple triple(chosen.triple);
  std::string error;
  const llvm::Target *generator = TargetRegistry::lookupTarget(triple, error);
  if (!generator)
    return createStringError("LLVM has no code generator for " +
                             chosen.devices + " (" + error +
                             "); install llvm-22");
  TargetOptions how;
  how.AllowFPOpFusion = FPOpFusion::Standard;
  how.UseInitArray = true;
  // The optimiser may remove all code of a function with undefined behaviour.
  // Without a trap, its threads would continue into the code behind it.
  how.TrapUnreachable = true;
  how.NoTrapAfterNoreturn = true;
  machine.reset(generator->createTargetMachine(
      triple, chosen.processor, chosen.features, how, chosen.relocation,
      std::nullopt,
      options.optLevel ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::None));
  module.setDataLayout(machine->createDataLayout());
  return Error::success();
}

Error Codegen::emit(DeviceOutput output, SmallVectorImpl<char> &out) {
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
  std::unique_ptr<legacy::PassManager> passes = makePassManager();
  if (machine->addPassesToEmitFile(*passes, os, nullptr,
                                   output == DeviceOutput::Assembly
                                       ? CodeGenFileType::AssemblyFile
                                       : CodeGenFileType::ObjectFile))
    return createStringError("the code generator of " +
                             module.getTargetTriple().str() +
                             " cannot write this kind of file");
  CompileLimit::watch(module.getContext());
  passes->run(module);
  return Error::success();
}

std::unique_ptr<legacy::PassManager> Codegen::makePassManager() {
  return std::make_unique<legacy::PassManager>();
}

} // namespace xcc
