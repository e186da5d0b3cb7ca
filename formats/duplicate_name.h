// What the kernels of units of one text are called
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The link gives the names, the runtime finds them.

#ifndef XCC_FORMATS_DUPLICATE_NAME_H
#define XCC_FORMATS_DUPLICATE_NAME_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace xcc::rt {

/// The name of a kernel of internal linkage: its symbol, the hash of all files that
/// the unit was compiled from, and the number of the unit among those with the same
/// hash.
inline std::string duplicateName(std::string_view symbol, uint64_t text,
                                 unsigned number) {
  char suffix[40];
  snprintf(suffix, sizeof(suffix), "__%016" PRIx64 "_%u", text, number);
  return std::string(symbol) + suffix;
}

} // namespace xcc::rt
#endif // XCC_FORMATS_DUPLICATE_NAME_H
