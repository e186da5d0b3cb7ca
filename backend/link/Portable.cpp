// Portable images: device code that is generated at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Portable.h"
#include "Diagnostics.h"
#include "Embed.h"
#include "KernelGroups.h"
#include "formats/jit_interface.h"
#include "support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc {
namespace {

/// The options with which an image's code is generated, as on a command line.
std::string optionsOf(const Target &target, const DeviceCodegenOptions &how) {
  std::vector<std::string> list = keptOptions(target, how.targetOptions);
  list.push_back("-O" + utostr(how.optLevel));
  if (how.debugInfo)
    list.push_back("-g");
  return join(list, " ");
}

void readOptions(StringRef text, DeviceCodegenOptions &how) {
  for (StringRef option : split(text, ' ')) {
    StringRef level = option;
    if (option == "-g")
      how.debugInfo = true;
    else if (level.consume_front("-O"))
      level.getAsInteger(10, how.optLevel);
    else if (!option.empty())
      how.targetOptions.push_back(option.str());
  }
}

/// Generates code for its messages and kernel rows only.
Expected<DeviceImage> tryOut(const Target &target, const CodegenInput &input) {
  DeviceCodegenOptions how = input.options;
  how.saveTempsPrefix.clear();
  how.output = DeviceOutput::Image;
  how.portableTrial = true;
  std::unique_ptr<Module> copy = CloneModule(input.module);
  auto made =
      target.codegen({*copy, target.trialArch(), input.kernels, how})->run();
  if (!made)
    return made.takeError();
  return std::move(made->front());
}

Expected<std::unique_ptr<Module>> read(MemoryBufferRef bitcode,
                                       LLVMContext &context, bool whole) {
  auto module = whole ? parseBitcodeFile(bitcode, context)
                      : getLazyBitcodeModule(bitcode, context);
  if (module)
    return module;
  auto producer = getBitcodeProducerString(bitcode);
  std::string by = "an unknown compiler";
  if (producer)
    by = *producer;
  else
    consumeError(producer.takeError());
  return createStringError("the portable image cannot be read by LLVM " +
                           Twine(LLVM_VERSION_STRING) + ", it was made by " +
                           by + ": " + toString(module.takeError()));
}

/// Reads a module with the requested kernels and what they reach.
Expected<std::unique_ptr<Module>> readKernels(MemoryBufferRef bitcode,
                                              LLVMContext &context,
                                              const KernelTable &wanted) {
  auto all = read(bitcode, context, /*whole=*/false);
  if (!all)
    return all;
  auto module = std::make_unique<Module>("portable", context);
  module->setTargetTriple((*all)->getTargetTriple());
  module->setDataLayout((*all)->getDataLayout());
  for (const Kernel &kernel : wanted) {
    Function *entry = (*all)->getFunction(kernel.symbol);
    if (!entry)
      return createStringError("the portable image lacks kernel '" +
                               kernel.name + "'; rebuild the program");
    Function::Create(entry->getFunctionType(), GlobalValue::ExternalLinkage,
                     entry->getAddressSpace(), kernel.symbol, module.get());
  }
  if (Linker::linkModules(*module, std::move(*all), Linker::LinkOnlyNeeded))
    return createStringError("the portable image cannot be taken apart");
  return std::move(module);
}

/// Writes a file that only its user can read, completely or not at all.
/// Replaces a link with that name. LLVM's own temporary files would install
/// signal handlers.
Error dump(const Twine &path, function_ref<void(raw_ostream &)> fill) {
  int file;
  SmallString<128> temporary;
  std::error_code error = sys::fs::createUniqueFile(
      path + "-%%%%%%%%.tmp", file, temporary, sys::fs::OF_None,
      sys::fs::owner_read | sys::fs::owner_write);
  if (!error) {
    raw_fd_ostream os(file, /*shouldClose=*/true);
    fill(os);
    os.close();
    error = os.error();
    os.clear_error();
    if (!error)
      error = sys::fs::rename(temporary, path);
    if (error)
      sys::fs::remove(temporary);
  }
  if (error)
    return createStringError(error,
                             "cannot write '" + path + "': " + error.message());
  return Error::success();
}

/// Writes the module and its assembly.
Error dumpStages(const Target &target, const CodegenInput &input,
                 StringRef prefix) {
  if (Error error = dump(prefix + ".bc", [&](raw_ostream &os) {
        WriteBitcodeToFile(input.module, os);
      }))
    return error;
  DeviceCodegenOptions how = input.options;
  how.output = DeviceOutput::Assembly;
  std::unique_ptr<Module> copy = CloneModule(input.module);
  auto assembly =
      target.codegen({*copy, input.arch, input.kernels, how})->run();
  if (!assembly)
    return assembly.takeError();
  return dump(prefix + ".s", [&](raw_ostream &os) {
    os << assembly->front().data->getBuffer();
  });
}

} // namespace

std::string codeGeneratorFile(const DeviceCodegenOptions &how) {
  return (sys::path::parent_path(how.runtimeDirectory) + "/" XCC_JIT_LIBRARY)
      .str();
}

Expected<std::vector<DeviceImage>> makePortable(const Target &target,
                                                CodegenInput input) {
  const DeviceCodegenOptions &how = input.options;
  if (how.program)
    return createStringError("a program whose main runs on a device is not "
                             "portable; name archs with --offload-arch=");
  DeviceImage image;
  image.triple = target.triple().str();
  image.arch = input.arch.str();
  image.kind = object::IMG_Bitcode;
  image.extension = ".bc";
  SmallString<0> code;
  raw_svector_ostream os(code);
  switch (how.output) {
  case DeviceOutput::LLVMAssembly:
    input.module.print(os, nullptr);
    break;
  case DeviceOutput::Bitcode:
    WriteBitcodeToFile(input.module, os);
    break;
  case DeviceOutput::Assembly:
    return createStringError("a portable image has no assembly; -S needs "
                             "another arch, or -emit-llvm");
  case DeviceOutput::Image: {
    if (!how.saveTempsPrefix.empty()) {
      std::string name = (how.saveTempsPrefix + "-" + input.arch + ".bc").str();
      if (Error error = writeFile(name, [&](raw_ostream &out) {
            WriteBitcodeToFile(input.module, out);
          }))
        return createStringError("cannot write '" + name +
                                 "': " + toString(std::move(error)));
    }
    std::vector<bool> tied;
    std::vector<unsigned> groups =
        groupKernels(input.module, input.kernels, &tied);
    if (all_of(how.archs, isPortable)) {
      auto trial = tryOut(target, input);
      if (!trial)
        return trial.takeError();
      image.rows = std::move(trial->rows);
      image.unknownAccess = std::move(trial->unknownAccess);
    } else {
      for (const Kernel &kernel : input.kernels)
        image.rows.add(kernel.row(0, 0));
    }
    for (const auto &[kernel, group, isTied] :
         zip(input.kernels, groups, tied)) {
      image.rows.column(kernel.symbol, "group", group);
      if (isTied)
        image.rows.column(kernel.symbol, "tied", 1);
    }
    image.layouts = writeLayouts(input.kernels);
    image.options = optionsOf(target, how);
    image.library = codeGeneratorFile(how);
    code = packPortableBitcode(input.module);
    break;
  }
  }
  image.data = MemoryBuffer::getMemBufferCopy(code);
  return only(std::move(image));
}

Expected<std::vector<DeviceImage>> generatePortable(const PortableImage &image,
                                                    PortableRequest request) {
  const Target *target = findTargetByTriple(image.triple);
  if (!target)
    return createStringError("this xcc generates no code for '" + image.triple +
                             "'");
  auto arch = target->parseArch(request.arch);
  if (!arch)
    arch = target->nearestArch(request.arch);
  if (!arch)
    return createStringError("this xcc, with LLVM " +
                             Twine(LLVM_VERSION_STRING) + ", knows no arch '" +
                             request.arch + "'");
  request.arch = *arch;
  KernelTable kernels;
  if (!parseLayouts(image.layouts, kernels))
    return createStringError("the kernels' layouts are damaged");
  bool whole = request.kernels.empty();
  if (!whole) {
    StringSet<> wanted;
    wanted.insert_range(request.kernels);
    size_t all = kernels.size();
    erase_if(kernels,
             [&](const Kernel &k) { return !wanted.contains(k.symbol); });
    whole = kernels.size() == all;
  }
  DeviceCodegenOptions &how = request.codegen;
  readOptions(image.options, how);
  how.archs = {request.arch};

  auto bitcode = unpackBitcode(image.data, "portable image");
  if (!bitcode)
    return createStringError("the portable image cannot be unpacked: " +
                             toString(bitcode.takeError()));
  LLVMContext context;
  std::string errors;
  std::vector<std::string> remarks;
  context.setDiagnosticHandler(collectDiagnostics(errors, remarks, how));
  MemoryBufferRef bytes = (*bitcode)->getMemBufferRef();
  auto module = whole ? read(bytes, context, /*whole=*/true)
                      : readKernels(bytes, context, kernels);
  if (!module)
    return module.takeError();
  if (request.variant) {
    if (kernels.size() != 1)
      return createStringError("a variant is of one kernel");
    if (request.variant->optLevel)
      how.optLevel = *request.variant->optLevel;
    if (Error error =
            makeVariant(**module, kernels.front(), *target, *request.variant))
      return std::move(error);
  }
  if (!request.dump.empty())
    if (Error error = dumpStages(
            *target, {**module, request.arch, kernels, how}, request.dump))
      return std::move(error);
  auto made = target->codegen({**module, request.arch, kernels, how})->run();
  if (made && !request.dump.empty())
    if (Error error = dump(request.dump + ".image", [&](raw_ostream &os) {
          os << made->front().data->getBuffer();
        }))
      return std::move(error);
  if (!errors.empty()) {
    if (!made)
      consumeError(made.takeError());
    return createStringError(StringRef(errors).rtrim());
  }
  return made;
}

} // namespace xcc
