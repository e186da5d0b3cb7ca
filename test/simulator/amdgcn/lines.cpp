// From an address to a line of the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

namespace amdgcn {

std::string lineOf(const std::string &elf, uint64_t value) {
  using namespace llvm;
  auto file = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(elf), "image"));
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  auto context = DWARFContext::create(**file);
  auto line = context->getLineInfoForAddress(
      {value, object::SectionedAddress::UndefSection});
  if (!line || !*line)
    return "";
  return line->FileName + ":" + std::to_string(line->Line);
}

} // namespace amdgcn
