// Writes and reads device code as OffloadBinary
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Embed.h"
#include "PackedBitcode.h"
#include "formats/offload_binary.h"
#include "support/ResultCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace llvm::object;

namespace xcc {
namespace {

std::string hexOf(uint64_t hash) {
  return utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

/// Adds the hashes that readers check: of the image's bytes, and of all
/// strings.
SmallString<0> writeSummed(OffloadBinary::OffloadingImage &image) {
  StringRef bytes = image.Image->getBuffer();
  std::string hash = hexOf(rt::hashOf(rt::Bytes(bytes.data(), bytes.size())));
  image.StringData[XCC_STRING_HASH] = hash;
  uint64_t sum = rt::beginStrings(image.TheImageKind, image.TheOffloadKind);
  for (const auto &[key, value] : image.StringData)
    sum += rt::hashOfString(key, value);
  std::string strings = hexOf(sum);
  image.StringData[XCC_STRING_STRINGS] = strings;
  return OffloadBinary::write(image);
}

SmallString<0> pack(StringRef triple, StringRef arch, StringRef bitcode,
                    const KernelTable &layouts, const CompiledFor &how,
                    StringRef exports = "") {
  std::string abi = abiString(), table = writeLayouts(layouts);
  std::string archs = join(how.archs, ","), options = join(how.options, " ");
  OffloadBinary::OffloadingImage image;
  image.TheImageKind = bitcode.empty() ? IMG_None : IMG_Bitcode;
  image.TheOffloadKind = OFK_None;
  image.StringData["triple"] = triple;
  image.StringData["arch"] = arch;
  image.StringData[XCC_STRING_ABI] = abi;
  image.StringData[XCC_STRING_ARCHS] = archs;
  if (!options.empty())
    image.StringData[XCC_STRING_OPTIONS] = options;
  if (!table.empty())
    image.StringData[XCC_STRING_LAYOUTS] = table;
  if (!exports.empty())
    image.StringData[XCC_STRING_EXPORTS] = exports;
  image.Image = MemoryBuffer::getMemBuffer(bitcode, "", false);
  return writeSummed(image);
}

/// Marks packed bitcode. Plain bitcode starts with other bytes.
constexpr StringLiteral PackedMagic = "XCCR";
/// The content of an object's section until the device code replaces it.
constexpr StringLiteral Reserved = "xcc:here";

} // namespace

std::string abiString() { return utostr(XCC_ABI_VERSION); }

static SmallVector<char, 0> bitcodeOf(const Module &module) {
  SmallVector<char, 0> bitcode;
  // Without the symbol table, which linkers of bitcode read.
  BitcodeWriter writer(bitcode);
  writer.writeModule(module);
  writer.writeStrtab();
  return bitcode;
}

static SmallString<0> packBytes(StringRef bitcode, PackWith with) {
  Expected<SmallString<0>> packed = packRecords(bitcode, with);
  if (!packed) {
    consumeError(packed.takeError());
    return bitcode;
  }
  packed->insert(packed->begin(), PackedMagic.begin(), PackedMagic.end());
  return std::move(*packed);
}

SmallString<0> packBitcode(const Module &module) {
  SmallVector<char, 0> bitcode = bitcodeOf(module);
  return packBytes(toStringRef(bitcode), PackWith::Dictionary);
}

SmallString<0> packPortableBitcode(const Module &module) {
  SmallVector<char, 0> bitcode = bitcodeOf(module);
  return packBytes(toStringRef(bitcode), PackWith::Nothing);
}

SmallString<0> packModule(const Target &target, StringRef bitcode,
                          const KernelTable &layouts, const CompiledFor &how) {
  return pack(target.triple(), "generic", bitcode, layouts, how);
}

SmallString<0> packExports(const Target &target, Module &module,
                           StringRef exports, const CompiledFor &how) {
  return pack(target.triple(), "generic", packBitcode(module), {}, how,
              exports);
}

Expected<std::unique_ptr<MemoryBuffer>> unpackBitcode(StringRef data,
                                                      StringRef origin) {
  if (!data.consume_front(PackedMagic))
    return MemoryBuffer::getMemBufferCopy(data, origin);
  auto bitcode = unpackRecords(data);
  if (!bitcode)
    return bitcode.takeError();
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(*bitcode), origin);
}

SmallString<0> packHostOnly(const KernelTable &layouts) {
  return pack("none", HostOnlyArch, "", layouts, {});
}

/// The name under which generated code is stored. Unlike "xcc.hash", which
/// detects damage, it is different for any two images.
static std::string digestOf(const DeviceImage &portable) {
  CacheKey key("portable image 1");
  key.add(portable.data->getBuffer());
  key.add(portable.layouts);
  return key.text();
}

SmallString<0> packImage(const DeviceImage &device) {
  std::string abi = abiString(), rows = device.rows.text(), digest;

  OffloadBinary::OffloadingImage image;
  image.TheImageKind = device.kind;
  image.TheOffloadKind = OFK_None;
  image.StringData["triple"] = device.triple;
  image.StringData["arch"] = device.arch;
  image.StringData[XCC_STRING_ABI] = abi;
  if (!device.features.empty())
    image.StringData[XCC_STRING_FEATURES] = device.features;
  image.StringData[XCC_STRING_KERNELS] = rows;
  if (!device.layouts.empty()) {
    image.StringData[XCC_STRING_LAYOUTS] = device.layouts;
    image.StringData[XCC_STRING_OPTIONS] = device.options;
    digest = digestOf(device);
    image.StringData[XCC_STRING_DIGEST] = digest;
  }
  if (!device.library.empty())
    image.StringData[XCC_STRING_LIBRARY] = device.library;
  if (!device.exports.empty())
    image.StringData[XCC_STRING_EXPORTS] = device.exports;
  if (!device.imports.empty())
    image.StringData[XCC_STRING_IMPORTS] = device.imports;
  if (!device.lacks.empty())
    image.StringData[XCC_STRING_LACKS] = device.lacks;
  image.Image =
      MemoryBuffer::getMemBuffer(device.data->getMemBufferRef(), false);
  return writeSummed(image);
}

void embedForLink(Module &module, StringRef blob, StringRef section,
                  bool foreignAssembler) {
  if (foreignAssembler) {
    std::string text;
    raw_string_ostream os(text);
    os << "\t.pushsection " << section << ",\"e\",@"
       << unsigned(ELF::SHT_LLVM_OFFLOADING) << "\n\t.p2align 3\n";
    for (; !blob.empty();
         blob = blob.drop_front(std::min<size_t>(64, blob.size()))) {
      os << "\t.ascii \"";
      for (unsigned char byte : blob.take_front(64))
        os << '\\' << char('0' + byte / 64) << char('0' + byte / 8 % 8)
           << char('0' + byte % 8);
      os << "\"\n";
    }
    os << "\t.popsection\n";
    module.appendModuleInlineAsm(text);
    return;
  }
  embedBufferInModule(module, MemoryBufferRef(blob, "xcc"), section, Align(8));
}

void reserveForLink(Module &module) {
  embedForLink(module, Reserved, OffloadSection, /*foreignAssembler=*/false);
}

Error fillReserved(SmallVectorImpl<char> &object,
                   ArrayRef<SmallString<0>> blobs) {
  using File = ELFFile<ELF64LE>;
  auto file = File::create(StringRef(object.data(), object.size()));
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_LLVM_OFFLOADING)
      continue;
    auto contents = file->getSectionContents(section);
    if (!contents)
      return contents.takeError();
    if (toStringRef(*contents) != Reserved)
      continue;
    size_t header = reinterpret_cast<const char *>(&section) - object.data();
    object.resize(alignTo(object.size(), 8));
    uint64_t begin = object.size();
    for (const SmallString<0> &blob : blobs)
      object.append(blob.begin(), blob.end());
    auto *found = reinterpret_cast<File::Elf_Shdr *>(object.data() + header);
    found->sh_offset = begin;
    found->sh_size = object.size() - begin;
    return Error::success();
  }
  return Error::success();
}

} // namespace xcc
