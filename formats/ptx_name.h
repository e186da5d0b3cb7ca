// Names of symbols in PTX
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifiers in C++, and so symbols, may contain letters that are not ASCII.
// PTX does not allow those: `größe` becomes `gr$C3$B6$C3$9Fe`. The compiler
// writes such names, and the runtime looks for them. Tables contain the symbol.

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

/// The name of a kernel's second entry, whose threads process several indices
/// each. Its last argument is the number of blocks of the grid.
inline std::string coarseName(std::string_view symbol) {
  return std::string(symbol) + "$coarse";
}

} // namespace xcc

#endif // XCC_FORMATS_PTX_NAME_H
