// Exports and imports of shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "library_row.h"

#include <charconv>

namespace xcc::rt {

bool nextLibraryRow(std::string_view &text, LibraryRow &row) {
  if (text.empty())
    return false;
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() + (line.size() < text.size()));
  row = LibraryRow();
  row.kind = line.empty() ? 0 : line.front();
  for (std::string_view &field : row.fields) {
    size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
      break;
    line.remove_prefix(tab + 1);
    field = line.substr(0, line.find('\t'));
  }
  return true;
}

unsigned long long sizeIn(std::string_view field) {
  unsigned long long size = 0;
  auto [end, error] =
      std::from_chars(field.data(), field.data() + field.size(), size);
  return error == std::errc() && end == field.data() + field.size() ? size : 0;
}

LibraryExports::LibraryExports(std::string_view text) {
  LibraryRow row;
  if (nextLibraryRow(text, row) && row.kind == 'l') {
    library = row.fields[0];
    fingerprint = row.fields[1];
    lines = text;
  }
}

bool LibraryExports::findVariable(std::string_view symbol,
                                  LibraryRow &row) const {
  for (std::string_view text = lines; nextLibraryRow(text, row);)
    if (row.kind == 'v' && row.fields[0] == symbol)
      return true;
  return false;
}

bool LibraryExports::hasFunction(std::string_view name,
                                 std::string_view hash) const {
  LibraryRow row;
  for (std::string_view text = lines; nextLibraryRow(text, row);)
    if (row.kind == 'f' && row.fields[0] == hash && row.fields[1] == name)
      return true;
  return false;
}

} // namespace xcc::rt
