// The kernel table of an image: one row for each kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler writes the table, and the runtime reads it before it loads the
// image. Both use this file. <xcc/abi.h> describes the format.

#ifndef XCC_FORMATS_KERNEL_ROW_H
#define XCC_FORMATS_KERNEL_ROW_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcc::rt {

/// One row. A reader's texts are views into the table; a writer's belong to the
/// caller.
struct KernelRow {
  std::string_view symbol = {};
  std::string_view name = {}; ///< readable name, escaped by escapeField
  uint32_t kernargSize = 0;
  uint32_t sharedSize = 0;       ///< bytes of static block-shared memory
  uint32_t privateSize = 0;      ///< bytes for each thread
  uint32_t flags = 0;            ///< enum xcc_cpu_kernel_flags
  uint32_t maxThreads = 0;       ///< launch bound; 0: none
  uint64_t fingerprint = 0;      ///< as in xcc_kernel_info
  std::string_view columns = {}; ///< key=value, separated by tabs

  /// Returns the value of a column, or nothing if there is no such column.
  std::optional<std::string_view> column(std::string_view key) const;
  /// Whether a flag column exists and is 1.
  bool is(std::string_view key) const;
};

/// Takes the first row off \p table. Returns false at the end. If fields are
/// missing or invalid, the row contains only the other fields.
bool nextKernelRow(std::string_view &table, KernelRow &row);

/// Takes the text before the next separator off \p text.
std::string_view takeField(std::string_view &text, char separator);

/// Finds the row of a symbol. Returns false if there is none.
bool findKernelRow(std::string_view table, std::string_view symbol,
                   KernelRow &row);

/// Takes the first column off \p columns: its key, and its value, which is
/// empty if there is no '='. Returns false at the end.
bool nextColumn(std::string_view &columns, std::string_view &key,
                std::string_view &value);

/// Escapes tabs, newlines and backslashes.
std::string escapeField(std::string_view text);

/// Collects rows. Not thread-safe.
class KernelTableWriter {
public:
  /// Adds a row and escapes its name.
  void add(const KernelRow &row);
  /// Adds a row from another writer's text().
  void addText(std::string_view row) { rows.emplace_back(row); }
  /// Adds a column to the row of a symbol, if that row exists.
  void column(std::string_view symbol, std::string_view key,
              std::string_view value);
  void column(std::string_view symbol, std::string_view key, uint64_t value) {
    column(symbol, key, std::string_view(std::to_string(value)));
  }
  /// Returns the table: the string "xcc.kernels" of an image.
  std::string text() const;

private:
  std::vector<std::string> rows; ///< each begins with its symbol and a tab
};

} // namespace xcc::rt
#endif // XCC_FORMATS_KERNEL_ROW_H
