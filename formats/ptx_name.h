// Names of symbols in PTX
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifiers in C++ may have letters that are not ASCII, and so have symbols.
// Those of PTX may not: `größe` is `gr$C3$B6$C3$9Fe` there. The compiler writes
// such names, and the runtime looks for them; tables have the symbol.

#ifndef XCC_FORMATS_PTX_NAME_H
#define XCC_FORMATS_PTX_NAME_H

#include <string>
#include <string_view>

namespace xcc {

inline std::string ptxName(std::string_view symbol) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string name;
  for (unsigned char c : symbol) {
    if (c < 0x80)
      name += char(c);
    else
      name += {'$', digits[c >> 4], digits[c & 15]};
  }
  return name;
}

/// A kernel's second entry, whose threads take several indices each and whose
/// last argument is the number of the grid's blocks.
inline std::string coarseName(std::string_view symbol) {
  return std::string(symbol) + "$coarse";
}

} // namespace xcc

#endif // XCC_FORMATS_PTX_NAME_H
