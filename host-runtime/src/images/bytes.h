// Bounds-checked views of untrusted bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every reader of embedded or on-disk data goes through Bytes: it never hands
// out a range that is not inside its own, and sums that could wrap are written
// as differences.

#ifndef XCC_SRC_BYTES_H
#define XCC_SRC_BYTES_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace xcc::rt {

class Bytes {
public:
  Bytes() = default;
  Bytes(const void *Data, uint64_t Size)
      : Begin(static_cast<const char *>(Data)), Length(Size) {}

  const char *data() const { return Begin; }
  uint64_t size() const { return Length; }

  bool contains(uint64_t Offset, uint64_t Size) const {
    return Offset <= Length && Size <= Length - Offset;
  }
  /// The range, or an empty view when it is not all inside.
  Bytes slice(uint64_t Offset, uint64_t Size) const {
    return contains(Offset, Size) ? Bytes(Begin + Offset, Size) : Bytes();
  }
  /// Copies an object out; the bytes need no alignment.
  template <class T> bool read(uint64_t Offset, T &Out) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(Offset, sizeof(T)))
      return false;
    memcpy(&Out, Begin + Offset, sizeof(T));
    return true;
  }
  /// A string that ends with a zero byte inside the range; null data if none.
  std::string_view string(uint64_t Offset) const {
    if (Offset >= Length)
      return {};
    const void *End = memchr(Begin + Offset, 0, Length - Offset);
    if (!End)
      return {};
    return {Begin + Offset, static_cast<size_t>(static_cast<const char *>(End) -
                                                (Begin + Offset))};
  }

private:
  const char *Begin = nullptr;
  uint64_t Length = 0;
};

/// FNV-1a, 64 bits: what "xcc.hash" holds.
inline uint64_t hashOf(Bytes Data) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (uint64_t I = 0; I != Data.size(); ++I)
    Hash = (Hash ^ static_cast<unsigned char>(Data.data()[I])) * 0x100000001b3u;
  return Hash;
}

} // namespace xcc::rt
#endif // XCC_SRC_BYTES_H
