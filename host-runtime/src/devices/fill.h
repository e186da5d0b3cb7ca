// The element of a fill
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_DEVICES_FILL_H
#define XCC_SRC_DEVICES_FILL_H

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace xcc::rt {

/// Bytes that a fill repeats.
struct Element {
  const void *bytes;
  size_t size;

  bool isByte() const { return size == 1; }
  int byte() const { return *static_cast<const unsigned char *>(bytes); }
  /// The largest multiple of size that is at most \p limit; at least one
  /// element.
  size_t wholeWithin(size_t limit) const {
    return std::max(limit / size, size_t(1)) * size;
  }
  /// Fills host memory. \p total is a multiple of size.
  void repeat(void *to, size_t total) const {
    if (isByte()) {
      memset(to, byte(), total);
      return;
    }
    constexpr size_t cached = 16 << 10;
    auto *out = static_cast<char *>(to);
    size_t done = std::min(size, total);
    memcpy(out, bytes, done);
    while (done != total) {
      size_t part = std::min({done, wholeWithin(cached), total - done});
      memcpy(out + done, out, part);
      done += part;
    }
  }
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_FILL_H
