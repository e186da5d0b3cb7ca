// The object that carries images into a link
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

void fill(Module &module, ArrayRef<DeviceImage> images, bool program) {
  LLVMContext &context = module.getContext();
  auto *ptr = PointerType::getUnqual(context);
  auto *i32 = Type::getInt32Ty(context);

  std::string bytes = packImages(images);
  Constant *data = ConstantDataArray::getString(context, bytes, false);
  auto *section =
      new GlobalVariable(module, data->getType(), true,
                         GlobalValue::InternalLinkage, data, XCC_SYMBOL_IMAGES);
  section->setSection(".llvm.offloading");
  section->setAlignment(Align(8));

  Constant *end = ConstantExpr::getGetElementPtr(
      Type::getInt8Ty(context), section,
      ConstantInt::get(Type::getInt64Ty(context), bytes.size()));
  Constant *fields = ConstantStruct::getAnon(
      context,
      {ConstantInt::get(i32, XCC_ABI_VERSION), ConstantInt::get(i32, 0),
       section, end, boundary(module, "__start_llvm_offload_entries"),
       boundary(module, "__stop_llvm_offload_entries"),
       ConstantPointerNull::get(ptr), ConstantPointerNull::get(ptr)});
  auto *record = new GlobalVariable(module, fields->getType(), false,
                                    GlobalValue::ExternalLinkage, fields,
                                    XCC_SYMBOL_BINARY);
  record->setVisibility(GlobalValue::HiddenVisibility);
  record->setAlignment(Align(8));

  if (program)
    return;
  // Before the program's own constructors, which may launch kernels.
  appendToGlobalCtors(
      module, callWith(module, "__xcc_register", "xcc_binary_register", record),
      101);
  appendToGlobalDtors(
      module, callWith(module, "__xcc_unload", "xcc_binary_unload", record),
      65535);
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

Error writeImageObject(ArrayRef<DeviceImage> images, StringRef triple,
                       StringRef path, bool program) {
  LLVMContext context;
  Module module("xcc-images", context);
  std::string message;
  Triple host(triple);
  const llvm::Target *generator = TargetRegistry::lookupTarget(host, message);
  if (!generator)
    return createStringError("LLVM cannot generate code for the host '" +
                             triple + "': " + message);
  std::unique_ptr<TargetMachine> machine(
      generator->createTargetMachine(host, "", "", TargetOptions(), Reloc::PIC_,
                                     std::nullopt, CodeGenOptLevel::None));
  module.setTargetTriple(host);
  module.setDataLayout(machine->createDataLayout());
  fill(module, images, program);

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
