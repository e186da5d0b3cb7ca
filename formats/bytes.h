// Bounds-checked views of untrusted bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reader of embedded or on-disk data goes through Bytes: it never hands
// out a range that is not inside its own, and sums that could wrap are written
// as differences.

#ifndef XCC_FORMATS_BYTES_H
#define XCC_FORMATS_BYTES_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace xcc::rt {

class Bytes {
public:
  Bytes() = default;
  Bytes(const void *data, uint64_t size)
      : begin(static_cast<const char *>(data)), length(size) {}

  const char *data() const { return begin; }
  uint64_t size() const { return length; }

  bool contains(uint64_t offset, uint64_t size) const {
    return offset <= length && size <= length - offset;
  }
  /// The range, or an empty view when it is not all inside.
  Bytes slice(uint64_t offset, uint64_t size) const {
    return contains(offset, size) ? Bytes(begin + offset, size) : Bytes();
  }
  /// Copies an object out; the bytes need no alignment.
  template <class T> bool read(uint64_t offset, T &out) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(offset, sizeof(T)))
      return false;
    memcpy(&out, begin + offset, sizeof(T));
    return true;
  }
  /// A string that ends with a zero byte inside the range; null data if none.
  std::string_view string(uint64_t offset) const {
    if (offset >= length)
      return {};
    const void *end = memchr(begin + offset, 0, length - offset);
    if (!end)
      return {};
    return {begin + offset, static_cast<size_t>(static_cast<const char *>(end) -
                                                (begin + offset))};
  }

private:
  const char *begin = nullptr;
  uint64_t length = 0;
};

/// FNV-1a, 64 bits: what "xcc.hash" holds. \p hash: of the bytes before these.
inline uint64_t hashOf(Bytes data, uint64_t hash = 0xcbf29ce484222325u) {
  for (uint64_t i = 0; i != data.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(data.data()[i])) * 0x100000001b3u;
  return hash;
}

} // namespace xcc::rt
#endif // XCC_FORMATS_BYTES_H
