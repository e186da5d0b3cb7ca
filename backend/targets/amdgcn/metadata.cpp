// Reads and joins the metadata of code objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "metadata.h"
#include "gpu/checks/Parameters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc::amdgcn {

using File = object::ELFFile<object::ELF64LE>;

/// The metadata documents in the notes of a section.
static std::vector<std::string> readNotes(const File &file,
                                          const File::Elf_Shdr &section) {
  std::vector<std::string> documents;
  if (section.sh_type != ELF::SHT_NOTE)
    return documents;
  Error error = Error::success();
  for (auto note : file.notes(section, error))
    if (note.getType() == ELF::NT_AMDGPU_METADATA)
      documents.push_back(note.getDescAsStringRef(section.sh_addralign).str());
  consumeError(std::move(error));
  return documents;
}

/// The document in a code object's note, or an empty string.
static std::string readNote(StringRef bytes) {
  auto file = File::create(bytes);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  auto sections = file->sections();
  if (!sections) {
    consumeError(sections.takeError());
    return "";
  }
  for (const auto &section : *sections)
    if (auto documents = readNotes(*file, section); !documents.empty())
      return std::move(documents.front());
  return "";
}

/// Makes a note that contains the document.
static std::string writeNote(StringRef document) {
  constexpr StringRef owner("AMDGPU", sizeof("AMDGPU"));
  char header[12];
  support::endian::write32le(header, owner.size());
  support::endian::write32le(header + 4, document.size());
  support::endian::write32le(header + 8, ELF::NT_AMDGPU_METADATA);
  std::string note(header, sizeof(header));
  note += owner;
  note.resize(alignTo(note.size(), 4));
  note += document;
  note.resize(alignTo(note.size(), 4));
  return note;
}

Error joinNotes(MutableArrayRef<char> codeObject) {
  StringRef bytes(codeObject.data(), codeObject.size());
  auto file = File::create(bytes);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  auto segments = file->program_headers();
  if (!segments)
    return segments.takeError();
  for (const auto &section : *sections) {
    std::vector<std::string> documents = readNotes(*file, section);
    if (documents.size() < 2)
      continue;
    msgpack::Document all;
    for (StringRef document : documents)
      if (!all.readFromBlob(document, /*Multi=*/false,
                            [](msgpack::DocNode *into, msgpack::DocNode from,
                               msgpack::DocNode key) -> int {
                              // Lists of kernels are joined. Everything else is
                              // the same in all documents.
                              bool kernels =
                                  into->isArray() && from.isArray() &&
                                  key.isString() &&
                                  key.getString() == "amdhsa.kernels";
                              return kernels ? into->getArray().size() : 0;
                            }))
        return createStringError("the metadata cannot be joined");
    std::string joined;
    all.writeToBlob(joined);
    std::string note = writeNote(joined);
    if (note.size() > section.sh_size)
      return createStringError("the joined metadata is too large");
    // The rest of the section is filled with zeros.
    char *place = codeObject.data() + section.sh_offset;
    std::fill(std::copy(note.begin(), note.end(), place),
              place + section.sh_size, 0);
    for (const auto &segment : *segments)
      if (segment.p_type == ELF::PT_NOTE &&
          segment.p_offset == section.sh_offset) {
        auto &header = const_cast<File::Elf_Phdr &>(segment);
        header.p_filesz = note.size();
        header.p_memsz = note.size();
      }
    const_cast<File::Elf_Shdr &>(section).sh_size = note.size();
  }
  return Error::success();
}

uint32_t KernelMetadata::number(StringRef key) {
  auto found = map.find(key);
  if (found == map.end())
    return 0;
  if (found->second.getKind() == msgpack::Type::UInt)
    return found->second.getUInt();
  if (found->second.getKind() == msgpack::Type::Int)
    return found->second.getInt();
  if (found->second.getKind() == msgpack::Type::Boolean)
    return found->second.getBool();
  return 0;
}

StringRef KernelMetadata::text(StringRef key) {
  auto found = map.find(key);
  return found != map.end() && found->second.getKind() == msgpack::Type::String
             ? found->second.getString()
             : StringRef();
}

void KernelMetadata::args(function_ref<void(KernelMetadata)> visit) {
  auto found = map.find(".args");
  if (found == map.end() || !found->second.isArray())
    return;
  for (msgpack::DocNode &arg : found->second.getArray())
    if (arg.isMap())
      visit(KernelMetadata(arg.getMap()));
}

bool Metadata::read(StringRef codeObject) {
  blob = readNote(codeObject);
  if (blob.empty() || !document.readFromBlob(blob, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return false;
  msgpack::MapDocNode root = document.getRoot().getMap();
  auto list = root.find("amdhsa.kernels");
  if (list == root.end() || !list->second.isArray())
    return true;
  for (msgpack::DocNode &node : list->second.getArray())
    if (node.isMap())
      kernels.insert_or_assign(KernelMetadata(node.getMap()).text(".name"),
                               node.getMap());
  return true;
}

std::optional<KernelMetadata> Metadata::kernel(StringRef symbol) const {
  auto found = kernels.find(symbol);
  if (found == kernels.end())
    return std::nullopt;
  return KernelMetadata(found->second);
}

std::string differenceInMetadata(KernelMetadata &data, const Kernel &kernel) {
  std::vector<gpu::PlacedParameter> placed;
  data.args([&](KernelMetadata arg) {
    if (!arg.text(".value_kind").starts_with("hidden_"))
      placed.push_back({arg.number(".offset"), arg.number(".size")});
  });
  return gpu::parameterDifference(placed, kernel);
}

std::string columns(KernelMetadata &data) {
  std::string hidden;
  data.args([&](KernelMetadata arg) {
    StringRef kind = arg.text(".value_kind");
    if (kind.consume_front("hidden_") && kind != "none")
      hidden += (hidden.empty() ? "" : ",") + kind.str() + ":" +
                utostr(arg.number(".offset")) + ":" +
                utostr(arg.number(".size"));
  });
  std::string text;
  raw_string_ostream os(text);
  os << "kernarg_segment=" << data.number(".kernarg_segment_size")
     << "\tkernarg_align=" << data.number(".kernarg_segment_align")
     << "\twave=" << data.number(".wavefront_size");
  if (data.number(".uses_dynamic_stack"))
    os << "\tdynamic_stack=1";
  if (!hidden.empty())
    os << "\thidden=" << hidden;
  os << "\tvgprs=" << data.number(".vgpr_count")
     << "\tsgprs=" << data.number(".sgpr_count") << "\tspills="
     << data.number(".vgpr_spill_count") + data.number(".sgpr_spill_count");
  return text;
}

} // namespace xcc::amdgcn
