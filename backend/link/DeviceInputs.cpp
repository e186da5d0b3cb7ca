// Reads the device code of objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceInputs.h"
#include "Embed.h"
#include "IRObject.h"
#include "formats/offload_binary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

Error damaged(const Twine &file, const Twine &what) {
  return createStringError("cannot read the device code in '" + file + "': " +
                           what + "; is the file damaged? Compile it again");
}

/// Decompresses a section. Rejects a size in the header that compression cannot
/// reach.
Expected<SmallVector<uint8_t, 0>> decompress(StringRef bytes) {
  auto *header = reinterpret_cast<const ELF::Elf64_Chdr *>(bytes.data());
  constexpr uint64_t ratio = 1100, limit = uint64_t(1) << 32;
  if (bytes.size() < sizeof(*header) ||
      header->ch_size > std::min(limit, ratio * bytes.size()))
    return createStringError("a compressed section with a wrong size");
  Expected<Decompressor> packed =
      Decompressor::create("", bytes, /*IsLE=*/true, /*Is64Bit=*/true);
  if (!packed)
    return packed.takeError();
  SmallVector<uint8_t, 0> out;
  if (Error error = packed->resizeAndDecompress(out))
    return std::move(error);
  return std::move(out);
}

class Reader {
public:
  explicit Reader(ObjectContents &contents) : contents(contents) {}

  Error read(MemoryBufferRef buffer, const Twine &name, bool fromArchive) {
    origin = name.str();
    archived = fromArchive;
    switch (identify_magic(buffer.getBuffer())) {
    case file_magic::elf_relocatable:
      return readELF(buffer.getBuffer());
    case file_magic::elf_shared_object:
      archived = true;
      return readLibrary(buffer.getBuffer());
    case file_magic::bitcode:
      return readBitcode(buffer);
    case file_magic::archive:
      return readArchive(buffer);
    default:
      return Error::success();
    }
  }

private:
  ObjectContents &contents;
  std::string origin;
  bool archived = false;

  Error wrong(const Twine &what) { return damaged(origin, what); }

  Error readArchive(MemoryBufferRef buffer) {
    std::string file = origin;
    auto archive = Archive::create(buffer);
    if (!archive)
      return wrong(toString(archive.takeError()));
    Error error = Error::success();
    for (const Archive::Child &child : (*archive)->children(error)) {
      auto member = child.getMemoryBufferRef();
      if (!member) {
        consumeError(std::move(error));
        return damaged(file, toString(member.takeError()));
      }
      std::string name =
          file + "(" +
          sys::path::filename(member->getBufferIdentifier()).str() + ")";
      // Linkers do not read an archive within an archive.
      if (identify_magic(member->getBuffer()) == file_magic::archive)
        continue;
      if (Error inner = read(*member, name, /*fromArchive=*/true)) {
        consumeError(std::move(error));
        return inner;
      }
    }
    if (error)
      return damaged(file, toString(std::move(error)));
    return Error::success();
  }

  Error readBitcode(MemoryBufferRef buffer) {
    auto found = readIRObject(buffer);
    if (!found)
      return wrong(toString(found.takeError()));
    size_t before = contents.inputs.size();
    for (const std::string &section : found->sections)
      if (Error error = readOffloading(section))
        return error;
    if (found->hasKernels && contents.inputs.size() == before)
      contents.lacking.push_back(origin);
    return Error::success();
  }

  using ELF64 = ELFFile<ELF64LE>;

  /// Calls `visit` for each section with its name.
  Error forEachSection(
      const ELF64 &file,
      function_ref<Error(const ELF64::Elf_Shdr &, StringRef name)> visit) {
    auto sections = file.sections();
    if (!sections)
      return wrong(toString(sections.takeError()));
    if (sections->empty())
      return Error::success();
    auto names = file.getSectionStringTable(*sections);
    if (!names)
      return wrong(toString(names.takeError()));
    for (const auto &section : *sections) {
      auto name = file.getSectionName(section, *names);
      if (!name)
        return wrong(toString(name.takeError()));
      if (Error error = visit(section, *name))
        return error;
    }
    return Error::success();
  }

  Error readSection(const ELF64 &file, const ELF64::Elf_Shdr &section) {
    auto data = file.getSectionContents(section);
    if (!data)
      return wrong(toString(data.takeError()));
    StringRef text = toStringRef(*data);
    if (!(section.sh_flags & ELF::SHF_COMPRESSED))
      return readOffloading(text);
    auto unpacked = decompress(text);
    if (!unpacked)
      return wrong(toString(unpacked.takeError()));
    return readOffloading(toStringRef(ArrayRef(*unpacked)));
  }

  /// Reads what a shared library exports. Its finished images are not linked.
  Error readLibrary(StringRef bytes) {
    auto file = ELF64::create(bytes);
    if (!file)
      return wrong(toString(file.takeError()));
    return forEachSection(*file, [&](const auto &section, StringRef name) {
      return name == LibrarySection ? readSection(*file, section)
                                    : Error::success();
    });
  }

  Error readELF(StringRef bytes) {
    auto file = ELF64::create(bytes);
    if (!file)
      return wrong(toString(file.takeError()));
    size_t before = contents.inputs.size();
    bool hasEntries = false;
    if (Error error =
            forEachSection(*file, [&](const auto &section, StringRef name) {
              hasEntries |= name == "llvm_offload_entries";
              // Also match by type and by name: assemblers may not know the
              // type, and tools may rename the section.
              return name == OffloadSection || name == HostOnlySection ||
                             section.sh_type == ELF::SHT_LLVM_OFFLOADING
                         ? readSection(*file, section)
                         : Error::success();
            }))
      return error;
    if (hasEntries && contents.inputs.size() == before && hasKernels(*file))
      contents.lacking.push_back(origin);
    return Error::success();
  }

  /// Whether the file defines a descriptor of xcc: other compilers use the
  /// section too.
  static bool hasKernels(const ELFFile<ELF64LE> &file) {
    auto sections = file.sections();
    if (!sections) {
      consumeError(sections.takeError());
      return false;
    }
    for (const auto &section : *sections) {
      if (section.sh_type != ELF::SHT_SYMTAB)
        continue;
      auto symbols = file.symbols(&section);
      auto names = file.getStringTableForSymtab(section);
      if (!symbols || !names) {
        consumeError(symbols.takeError());
        consumeError(names.takeError());
        continue;
      }
      for (const auto &symbol : *symbols) {
        auto name = symbol.getName(*names);
        if (!name)
          consumeError(name.takeError());
        else if (name->starts_with(XCC_SYMBOL_INFO) && symbol.isDefined())
          return true;
      }
    }
    return false;
  }

  Error readOffloading(StringRef section) {
    rt::OffloadReader reader(rt::Bytes(section.data(), section.size()));
    rt::OffloadImage image;
    while (reader.next(image)) {
      // Other compilers' code has another offload kind.
      if (!image.ours && image.offloadKind == OFK_None)
        return wrong("it does not say what it is");
      if (image.ours)
        if (Error error = add(image))
          return error;
    }
    if (reader.error())
      return wrong(Twine("the section .llvm.offloading ") + reader.error());
    return Error::success();
  }

  Error add(const rt::OffloadImage &image) {
    if (StringRef(image.abi) != abiString())
      return createStringError("the device code in '" + origin +
                               "' was made by an xcc of ABI version " +
                               (*image.abi ? image.abi : "unknown") +
                               ", and this is version " + abiString() +
                               "; compile the file again");
    if (!image.stringsVerified || !*image.hash)
      return createStringError("the device code in '" + origin +
                               "' was made by an older xcc, which wrote no "
                               "checksum; compile the file again");
    if (!image.intact())
      return wrong("it has changed since it was written");
    // Finished images of a linked unit are not linked again.
    if ((image.imageKind != rt::ImageKindBitcode && !isHostOnly(image)) ||
        isPortable(image.arch))
      return Error::success();
    DeviceModule input;
    input.origin = origin;
    input.fromArchive = archived;
    input.exports = image.exports;
    if (!isHostOnly(image)) {
      input.target = findTargetByTriple(image.triple);
      if (!input.target)
        return createStringError("the device code in '" + origin +
                                 "' is for the unknown target '" +
                                 image.triple + "'");
    }
    if (!parseLayouts(image.layouts, input.kernels))
      return createStringError("the kernel layouts in '" + origin +
                               "' are corrupt; compile the file again");
    for (StringRef name : split(image.archs, ',')) {
      std::string canonical;
      if (const Target *target = findTarget(name, canonical))
        input.archs.push_back({target, canonical});
      else if (!name.empty())
        return createStringError("the device code in '" + origin +
                                 "' is for the unknown arch '" + name + "'");
    }
    for (StringRef option : split(image.options, ' '))
      if (!option.empty())
        input.options.push_back(option.str());
    if (input.target)
      input.packed = StringRef(image.data.data(), image.data.size());
    contents.inputs.push_back(std::move(input));
    return Error::success();
  }

  static bool isHostOnly(const rt::OffloadImage &image) {
    return StringRef(image.arch) == HostOnlyArch;
  }
};

} // namespace

Expected<ObjectContents> readObject(StringRef file) {
  ObjectContents contents;
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return contents; // the host linker reports it
  if (Error error = Reader(contents).read((*buffer)->getMemBufferRef(), file,
                                          /*fromArchive=*/false))
    return std::move(error);
  return contents;
}

} // namespace xcc
