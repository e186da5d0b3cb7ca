// Writes the object that adds images to a host link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ImageObject.h"
#include "Embed.h"
#include "Records.h"
#include "support/Files.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc {
namespace {

GlobalVariable *boundary(Module &module, StringRef name) {
  auto *global =
      new GlobalVariable(module, Type::getInt8Ty(module.getContext()), true,
                         GlobalValue::ExternalWeakLinkage, nullptr, name);
  global->setVisibility(GlobalValue::HiddenVisibility);
  return global;
}

GlobalVariable *bytesOf(Module &module, StringRef bytes, StringRef name) {
  Constant *data =
      ConstantDataArray::getString(module.getContext(), bytes, false);
  auto *variable = new GlobalVariable(module, data->getType(), true,
                                      GlobalValue::InternalLinkage, data, name);
  variable->setAlignment(Align(8));
  return variable;
}

void addImages(Module &module, const DeviceLinkResult &linked, bool program) {
  LLVMContext &context = module.getContext();
  auto *ptr = PointerType::getUnqual(context);
  auto *i32 = Type::getInt32Ty(context);

  std::string bytes = packImages(linked.images);
  GlobalVariable *section = bytesOf(module, bytes, XCC_SYMBOL_IMAGES);
  section->setSection(".llvm.offloading");

  Constant *end = ConstantExpr::getGetElementPtr(
      Type::getInt8Ty(context), section,
      ConstantInt::get(Type::getInt64Ty(context), bytes.size()));
  Constant *fields = ConstantStruct::getAnon(
      context, {ConstantInt::get(i32, XCC_ABI_VERSION),
                ConstantInt::get(i32, linked.renamed ? XCC_BINARY_DUPLICATES
                                                     : XCC_BINARY_PLAIN),
                section, end, boundary(module, "__start_llvm_offload_entries"),
                boundary(module, "__stop_llvm_offload_entries"),
                ConstantPointerNull::get(ptr), ConstantPointerNull::get(ptr)});
  auto *record = new GlobalVariable(module, fields->getType(), false,
                                    GlobalValue::ExternalLinkage, fields,
                                    XCC_SYMBOL_BINARY);
  record->setVisibility(GlobalValue::HiddenVisibility);
  record->setAlignment(Align(8));
  GlobalAlias::create(record->getValueType(), 0, GlobalValue::ExternalLinkage,
                      XCC_SYMBOL_LINKED, record, &module)
      ->setVisibility(GlobalValue::HiddenVisibility);

  if (program)
    return;
  // Register before the program's own constructors, which may launch kernels.
  appendToGlobalCtors(
      module, callWith(module, "__xcc_register", "xcc_binary_register", record),
      101);
  // Unload after its destructors, which may use kernels too. Destructors of
  // static variables run in the compiler's own entry of .fini_array. That has
  // no priority, so it runs before entries with one.
  appendToGlobalDtors(
      module, callWith(module, "__xcc_unload", "xcc_binary_unload", record), 2);
}

void addExports(Module &module, ArrayRef<DeviceLinkResult::Export> exports) {
  std::string code, text;
  for (const DeviceLinkResult::Export &each : exports) {
    code.append(each.code.begin(), each.code.end());
    code.resize(alignTo(code.size(), 8));
    text += each.triple + "\n" + each.text;
  }
  GlobalVariable *section = bytesOf(module, code, "__xcc_device");
  section->setSection(LibrarySection);
  // The runtime reads it if the library has no image for a device.
  GlobalVariable *symbol = bytesOf(module, text + '\0', XCC_SYMBOL_EXPORTS);
  symbol->setLinkage(GlobalValue::ExternalLinkage);
  symbol->setVisibility(GlobalValue::ProtectedVisibility);
  appendToUsed(module, {section, symbol});
}

/// Puts constructors into .init_array, which every linker and C library uses.
/// lld and mold do not support LLVM's default, .ctors.
TargetOptions hostOptions() {
  TargetOptions options;
  options.UseInitArray = true;
  return options;
}

} // namespace

std::string packImages(ArrayRef<DeviceImage> images) {
  std::string bytes;
  for (const DeviceImage &image : images) {
    SmallString<0> blob = packImage(image);
    bytes.append(blob.begin(), blob.end());
    bytes.resize(alignTo(bytes.size(), 8));
  }
  return bytes;
}

Error writeImageObject(const DeviceLinkResult &linked, bool hasRecord,
                       StringRef triple, StringRef path, bool program) {
  LLVMContext context;
  Module module("xcc-images", context);
  std::string message;
  Triple host(triple);
  const llvm::Target *generator = TargetRegistry::lookupTarget(host, message);
  if (!generator)
    return createStringError("LLVM cannot generate code for the host '" +
                             triple + "': " + message);
  std::unique_ptr<TargetMachine> machine(
      generator->createTargetMachine(host, "", "", hostOptions(), Reloc::PIC_,
                                     std::nullopt, CodeGenOptLevel::None));
  module.setTargetTriple(host);
  module.setDataLayout(machine->createDataLayout());
  if (hasRecord)
    addImages(module, linked, program);
  if (!linked.exports.empty())
    addExports(module, linked.exports);

  SmallString<0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, os, nullptr,
                                   CodeGenFileType::ObjectFile))
    return createStringError("LLVM cannot write objects for the host");
  codegen.run(module);
  if (Error error = writeFile(path, [&](raw_ostream &out) { out << bytes; }))
    return createStringError("cannot write '" + path +
                             "': " + toString(std::move(error)));
  return Error::success();
}

} // namespace xcc
