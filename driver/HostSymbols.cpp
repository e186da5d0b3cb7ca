// Finds the file of a link that defines a symbol which device code lacks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostSymbols.h"
#include "LinkInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/IRObjectFile.h"

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

/// Calls `found` with each symbol that a file defines for others. Files that
/// cannot be read are skipped: the linker reports them.
void forEachDefinition(MemoryBufferRef buffer,
                       function_ref<void(StringRef)> found) {
  // An object of -flto is bitcode with a symbol table.
  if (identify_magic(buffer.getBuffer()) == file_magic::bitcode) {
    Expected<IRSymtabFile> table = readIRSymtab(buffer);
    if (!table)
      return consumeError(table.takeError());
    for (const auto &symbol : table->TheReader.symbols())
      if (symbol.isGlobal() && !symbol.isUndefined())
        found(symbol.getName());
    return;
  }
  auto object = ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    consumeError(object.takeError());
    return;
  }
  const auto *file = cast<ELFObjectFileBase>(object->get());
  bool shared = file->getEType() == ELF::ET_DYN;
  auto look = [&](const ELFSymbolRef &symbol) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (flags && name && (*flags & SymbolRef::SF_Global) &&
        !(*flags & SymbolRef::SF_Undefined))
      found(*name);
    if (!flags)
      consumeError(flags.takeError());
    if (!name)
      consumeError(name.takeError());
  };
  if (shared)
    for (const ELFSymbolRef &symbol : file->getDynamicSymbolIterators())
      look(symbol);
  else
    for (const ELFSymbolRef &symbol : file->symbols())
      look(symbol);
}

} // namespace

static bool isAssembly(StringRef name) {
  return name.ends_with(".s") || name.ends_with(".S");
}

std::string HostSymbols::sourceOf(const std::string &file) const {
  for (const CompileStep &step : plan.compiles)
    if (step.output == file)
      return step.input;
  // An assembler of this command may have made the file.
  for (const CommandStep &command : plan.commands)
    if (is_contained(command.args, file))
      for (const std::string &arg : command.args)
        if (isAssembly(arg))
          return arg == file ? file : sourceOf(arg);
  return file;
}

void HostSymbols::readFile(const std::string &file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return;
  auto add = [&](MemoryBufferRef bytes, StringRef name, bool shared) {
    forEachDefinition(bytes, [&](StringRef symbol) {
      definitions.try_emplace(symbol, Definition{name.str(), file, shared});
    });
  };
  file_magic magic = identify_magic((*buffer)->getBuffer());
  if (magic != file_magic::archive) {
    add((*buffer)->getMemBufferRef(), sourceOf(file),
        magic == file_magic::elf_shared_object);
    return;
  }
  auto archive = Archive::create((*buffer)->getMemBufferRef());
  if (!archive) {
    consumeError(archive.takeError());
    return;
  }
  forEachMember(**archive, file,
                [&](const std::string &name, MemoryBufferRef member) {
                  add(member, name, /*shared=*/false);
                });
}

void HostSymbols::readAll() {
  if (std::exchange(read, true) || !plan.link)
    return;
  for (const LinkedFile &file : findLinkedFiles(*plan.link))
    readFile(file.path);
}

std::string HostSymbols::noteOf(StringRef symbol, const DeviceArch &arch) {
  std::lock_guard<std::mutex> lock(reading);
  readAll();
  auto found = definitions.find(symbol);
  if (found == definitions.end())
    return "";
  const Definition &definition = found->second;
  std::string note = "note: '" + definition.name + "' defines it for the host";
  if (isAssembly(definition.name))
    return note + ", in assembly, which is no device code\n";
  auto contents = readObject(definition.file);
  if (!contents) {
    std::string why = toString(contents.takeError());
    return note + (definition.shared ? ": " + why : "") + "\n";
  }
  // For a library: recompile its objects, then link it again.
  StringRef what = definition.shared ? "its objects" : "it";
  StringRef again = definition.shared ? ", and link it with xcc" : "";
  std::string others;
  for (const DeviceModule &input : contents->inputs) {
    if (input.origin != definition.name || !input.target)
      continue;
    if (input.target == arch.target)
      return (note + ", and its device code is without it: compile " + what +
              " without -fno-offload-export, or mark it XCC_EXPORT" + again +
              "\n")
          .str();
    if (others.empty())
      for (const DeviceArch &other : input.archs)
        others += (others.empty() ? "" : ",") + other.arch;
  }
  if (!others.empty())
    return (note + " and for " + others + ": compile " + what +
            " with --offload-arch=" + others + "," + arch.arch + again + "\n")
        .str();
  return (note + ": compile " + what + " with -foffload-export" + again +
          (definition.shared ? " (if that was done, something removed its "
                               "section " XCC_SECTION_DEVICE "), or compile "
                               "this with -foffload-host-calls"
                             : "") +
          "\n")
      .str();
}

} // namespace xcc
