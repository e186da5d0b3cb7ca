// From an address to a line of the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

namespace amdgcn {

std::string lineOf(const std::string &Elf, uint64_t Value) {
  using namespace llvm;
  auto File = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(Elf), "image"));
  if (!File) {
    consumeError(File.takeError());
    return "";
  }
  auto Context = DWARFContext::create(**File);
  auto Line = Context->getLineInfoForAddress(
      {Value, object::SectionedAddress::UndefSection});
  if (!Line || !*Line)
    return "";
  return Line->FileName + ":" + std::to_string(Line->Line);
}

} // namespace amdgcn
