// Exports and imports of shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two texts of lines with fields separated by tabs. "xcc.offers" of a shared
// library lists its exports to device code of programs that link it:
//
//     l  name          fingerprint                 the library; the first line
//     v  symbol        size         binding  name  a variable of its images
//     f  hash          name                        a function or constant
//
// "xcc.imports" of an image lists its imports. For each library there is a line
// "l" as above, followed by
//
//     v  symbol        size         readable name  in the order of
//                                                  XCC_SYMBOL_IMPORTS
//     f  hash          name         readable name  whose code was copied
//
// The fingerprint is a hash of the other lines of the exports, so equal
// fingerprints mean equal exports. The device link writes these texts; the link
// and the runtime read them.

#ifndef XCC_FORMATS_LIBRARY_ROW_H
#define XCC_FORMATS_LIBRARY_ROW_H

#include <string_view>

namespace xcc::rt {

/// A line. Missing fields are empty.
struct LibraryRow {
  char kind = 0;
  std::string_view fields[4];
};

/// Takes the next line off \p text. Returns false at the end.
bool nextLibraryRow(std::string_view &text, LibraryRow &row);

/// The size of a variable; 0 if the field is not a number.
unsigned long long sizeIn(std::string_view field);

/// Finds exports of a library. \p text must outlive this object.
class LibraryExports {
public:
  explicit LibraryExports(std::string_view text);

  std::string_view library, fingerprint;

  /// Finds the line of a variable. Returns false if there is none.
  bool findVariable(std::string_view symbol, LibraryRow &row) const;
  /// Whether there is a function with this name and hash.
  bool hasFunction(std::string_view name, std::string_view hash) const;

private:
  std::string_view lines;
};

} // namespace xcc::rt
#endif // XCC_FORMATS_LIBRARY_ROW_H
