// What images say of shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two texts of lines, whose fields are parted by tabs. "xcc.offers", of a shared
// library, says what it has for device code of what links it:
//
//     l  name          fingerprint                 the library; the first line
//     v  symbol        size         binding  name  a variable of its images
//     f  hash          name                        a function or constant
//
// "xcc.imports" says what an image has of each of several libraries, after a
// line "l" as above:
//
//     v  symbol        size         readable name  in the order of
//                                                  XCC_SYMBOL_IMPORTS
//     f  hash          name         readable name  whose code was copied
//
// The fingerprint is a hash of the other lines of the exports: where it is the
// same, so are these. Written by the device link, read by it and the runtime.

#ifndef XCC_FORMATS_LIBRARY_ROW_H
#define XCC_FORMATS_LIBRARY_ROW_H

#include <string_view>

namespace xcc::rt {

/// A line. Fields that are not there are empty.
struct LibraryRow {
  char kind = 0;
  std::string_view fields[4];
};

/// Takes the next line off \p text; false at the end.
bool nextLibraryRow(std::string_view &text, LibraryRow &row);

/// The size of a variable; 0 if the field is no number.
unsigned long long sizeIn(std::string_view field);

/// What a library has for others, to look things up in. \p text stays.
class LibraryExports {
public:
  explicit LibraryExports(std::string_view text);

  std::string_view library, fingerprint;

  /// The line of a variable with that symbol; false when there is none.
  bool findVariable(std::string_view symbol, LibraryRow &row) const;
  /// Is there a function of this name with this hash?
  bool hasFunction(std::string_view name, std::string_view hash) const;

private:
  std::string_view lines;
};

} // namespace xcc::rt
#endif // XCC_FORMATS_LIBRARY_ROW_H
