// Names of kernels in units with identical text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The link assigns the names, and the runtime looks for them.

#ifndef XCC_FORMATS_DUPLICATE_NAME_H
#define XCC_FORMATS_DUPLICATE_NAME_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace xcc::rt {

/// The name of a kernel with internal linkage: its symbol, the hash of all
/// files from which the unit was compiled, and the unit's number among those
/// with the same hash.
inline std::string duplicateName(std::string_view symbol, uint64_t text,
                                 unsigned number) {
  char suffix[40];
  snprintf(suffix, sizeof(suffix), "__%016" PRIx64 "_%u", text, number);
  return std::string(symbol) + suffix;
}

} // namespace xcc::rt
#endif // XCC_FORMATS_DUPLICATE_NAME_H
