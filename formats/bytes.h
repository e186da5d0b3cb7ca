// Bounds-checked views of untrusted bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All readers of embedded or on-disk data use Bytes. It never returns a range
// beyond its own, and sums that could overflow are written as differences.

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
  /// Returns the range, or an empty view if it is not completely inside.
  Bytes slice(uint64_t offset, uint64_t size) const {
    return contains(offset, size) ? Bytes(begin + offset, size) : Bytes();
  }
  /// Copies an object; the bytes need no alignment.
  template <class T> bool read(uint64_t offset, T &out) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(offset, sizeof(T)))
      return false;
    memcpy(&out, begin + offset, sizeof(T));
    return true;
  }
  /// Returns a string that ends with a zero byte inside the range, or one with
  /// null data.
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

/// FNV-1a with 64 bits, as in "xcc.hash". \p hash is the hash of preceding
/// bytes.
inline uint64_t hashOf(Bytes data, uint64_t hash = 0xcbf29ce484222325u) {
  for (uint64_t i = 0; i != data.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(data.data()[i])) * 0x100000001b3u;
  return hash;
}

} // namespace xcc::rt
#endif // XCC_FORMATS_BYTES_H
