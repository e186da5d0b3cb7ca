// From an address to a line of the source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

#include <set>

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

std::set<std::pair<std::string, int>> linesOf(const std::string &elf) {
  using namespace llvm;
  std::set<std::pair<std::string, int>> all;
  auto file = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(elf), "image"));
  if (!file) {
    consumeError(file.takeError());
    return all;
  }
  auto context = DWARFContext::create(**file);
  for (const auto &unit : context->compile_units()) {
    const DWARFDebugLine::LineTable *table =
        context->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    for (const DWARFDebugLine::Row &row : table->Rows) {
      std::string name;
      if (row.Line && !row.EndSequence &&
          table->getFileNameByIndex(
              row.File, unit->getCompilationDir(),
              DILineInfoSpecifier::FileLineInfoKind::RawValue, name))
        all.insert({name, int(row.Line)});
    }
  }
  return all;
}

} // namespace amdgcn
