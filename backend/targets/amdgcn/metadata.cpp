// Reading the metadata of code objects
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

/// The document in a code object's note; empty when there is none.
static std::string readNote(StringRef bytes) {
  auto file = object::ELFFile<object::ELF64LE>::create(bytes);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  auto sections = file->sections();
  if (!sections) {
    consumeError(sections.takeError());
    return "";
  }
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_NOTE)
      continue;
    Error error = Error::success();
    for (auto note : file->notes(section, error))
      if (note.getType() == ELF::NT_AMDGPU_METADATA) {
        consumeError(std::move(error));
        return note.getDescAsStringRef(section.sh_addralign).str();
      }
    consumeError(std::move(error));
  }
  return "";
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
