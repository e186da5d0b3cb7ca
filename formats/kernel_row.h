// The kernel table of an image: one row for each kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler writes the table, the runtime reads it before the image is
// loaded; both with what is here. <xcc/abi.h> draws the format.

#ifndef XCC_FORMATS_KERNEL_ROW_H
#define XCC_FORMATS_KERNEL_ROW_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcc::rt {

/// One row. A reader's texts are views into the table; a writer's are its
/// caller's.
struct KernelRow {
  std::string_view symbol = {};
  std::string_view name = {}; ///< readable, escaped as escapeField does
  uint32_t kernargSize = 0;
  uint32_t sharedSize = 0;       ///< bytes of static block-shared memory
  uint32_t privateSize = 0;      ///< bytes for each thread
  uint32_t flags = 0;            ///< enum xcc_cpu_kernel_flags
  uint32_t maxThreads = 0;       ///< launch bound, 0 when none
  uint64_t fingerprint = 0;      ///< as in xcc_kernel_info
  std::string_view columns = {}; ///< key=value, tabs between

  /// The value of a column, nothing where there is none of that key.
  std::optional<std::string_view> column(std::string_view key) const;
  /// Whether a column that is a flag is set: there, and 1.
  bool is(std::string_view key) const;
};

/// Takes the first row off \p table. False at its end; a row with missing or
/// unreadable fields gives what could be read.
bool nextKernelRow(std::string_view &table, KernelRow &row);

/// Takes what stands before the next separator off \p text.
std::string_view takeField(std::string_view &text, char separator);

/// The row of a symbol; false where the table has none.
bool findKernelRow(std::string_view table, std::string_view symbol,
                   KernelRow &row);

/// Takes the first column off \p columns: its key and its value, empty where
/// there is no '='. False at their end.
bool nextColumn(std::string_view &columns, std::string_view &key,
                std::string_view &value);

/// Text as a field: without tabs, newlines and backslashes of its own.
std::string escapeField(std::string_view text);

/// Collects rows. Not thread-safe.
class KernelTableWriter {
public:
  /// Adds a row; its name is escaped here.
  void add(const KernelRow &row);
  /// Adds a row that another writer's text() holds.
  void addText(std::string_view row) { rows.emplace_back(row); }
  /// Adds a column to the row of a symbol, if there is one.
  void column(std::string_view symbol, std::string_view key,
              std::string_view value);
  void column(std::string_view symbol, std::string_view key, uint64_t value) {
    column(symbol, key, std::string_view(std::to_string(value)));
  }
  /// The table: the string "xcc.kernels" of an image.
  std::string text() const;

private:
  std::vector<std::string> rows; ///< each begins with its symbol and a tab
};

} // namespace xcc::rt
#endif // XCC_FORMATS_KERNEL_ROW_H
