// Reading and writing the kernel table of an image
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel_row.h"

#include <charconv>

namespace xcc::rt {

std::string_view takeField(std::string_view &text, char separator) {
  size_t end = text.find(separator);
  std::string_view part = text.substr(0, end);
  text =
      end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

template <class T> static T number(std::string_view text, int base = 10) {
  T value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

bool nextKernelRow(std::string_view &table, KernelRow &row) {
  std::string_view text;
  while (text.empty()) {
    if (table.empty())
      return false;
    text = takeField(table, '\n');
  }
  row.symbol = takeField(text, '\t');
  row.name = takeField(text, '\t');
  row.kernargSize = number<uint32_t>(takeField(text, '\t'));
  row.sharedSize = number<uint32_t>(takeField(text, '\t'));
  row.privateSize = number<uint32_t>(takeField(text, '\t'));
  row.flags = number<uint32_t>(takeField(text, '\t'));
  row.maxThreads = number<uint32_t>(takeField(text, '\t'));
  row.fingerprint = number<uint64_t>(takeField(text, '\t'), 16);
  row.columns = text;
  return true;
}

bool findKernelRow(std::string_view table, std::string_view symbol,
                   KernelRow &row) {
  while (nextKernelRow(table, row))
    if (row.symbol == symbol)
      return true;
  return false;
}

bool nextColumn(std::string_view &columns, std::string_view &key,
                std::string_view &value) {
  if (columns.empty())
    return false;
  std::string_view column = takeField(columns, '\t');
  key = takeField(column, '=');
  value = column;
  return true;
}

std::optional<std::string_view> KernelRow::column(std::string_view key) const {
  std::string_view rest = columns, found, value;
  while (nextColumn(rest, found, value))
    if (found == key)
      return value;
  return std::nullopt;
}

bool KernelRow::is(std::string_view key) const { return column(key) == "1"; }

std::string escapeField(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\t')
      out += "\\t";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

void KernelTableWriter::add(const KernelRow &row) {
  std::string text = std::string(row.symbol) + '\t' + escapeField(row.name);
  for (uint32_t field : {row.kernargSize, row.sharedSize, row.privateSize,
                         row.flags, row.maxThreads})
    text += '\t' + std::to_string(field);
  char digits[16];
  char *end = std::to_chars(digits, std::end(digits), row.fingerprint, 16).ptr;
  std::string fingerprint(digits, end);
  text += '\t' + std::string(16 - fingerprint.size(), '0') + fingerprint;
  if (!row.columns.empty())
    text += '\t' + std::string(row.columns);
  rows.push_back(std::move(text));
}

void KernelTableWriter::column(std::string_view symbol, std::string_view key,
                               std::string_view value) {
  std::string start = std::string(symbol) + '\t';
  for (std::string &row : rows)
    if (row.starts_with(start))
      row += '\t' + std::string(key) + '=' + std::string(value);
}

std::string KernelTableWriter::text() const {
  std::string all;
  for (const std::string &row : rows)
    all += row + '\n';
  return all;
}

} // namespace xcc::rt
