// Numbers as digits to sort by
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_RADIX_DIGITS_H
#define XCC_ALGORITHM_RADIX_DIGITS_H

#include <xcc/warp.h>

#include <cstdint>
#include <functional>
#include <type_traits>

namespace xcc {
namespace detail {

/// The unsigned integer of a size.
template <std::size_t Bytes> struct bits_of_size;
template <> struct bits_of_size<1> {
  using type = std::uint8_t;
};
template <> struct bits_of_size<2> {
  using type = std::uint16_t;
};
template <> struct bits_of_size<4> {
  using type = std::uint32_t;
};
template <> struct bits_of_size<8> {
  using type = std::uint64_t;
};

/// Is it less or greater of numbers whose digits can be sorted by?
template <class Key>
inline constexpr bool has_digits =
    (std::is_integral_v<Key> || is_floating<Key>) && sizeof(Key) <= 8;
template <class Key, class Less>
inline constexpr bool is_ascending =
    std::is_same_v<Less, std::less<Key>> || std::is_same_v<Less, std::less<>>;
template <class Key, class Less>
inline constexpr bool is_descending = std::is_same_v<Less, std::greater<Key>> ||
                                      std::is_same_v<Less, std::greater<>>;
template <class Key, class Less>
inline constexpr bool sorts_digits =
    has_digits<Key> && (is_ascending<Key, Less> || is_descending<Key, Less>);

/// Bits in whose order, as those of an unsigned integer, the keys are sorted:
/// -0.0 is as 0.0, and NaNs are as one number above all others.
template <class Key, bool Descending> struct digits_of {
  using bits = typename bits_of_size<sizeof(Key)>::type;
  static constexpr bits top = bits(bits(1) << (8 * sizeof(Key) - 1));

  static bits ascending(Key key) {
    bits value;
    __builtin_memcpy(&value, &key, sizeof(Key));
    if constexpr (is_floating<Key>) {
      const Key endless = static_cast<Key>(__builtin_huge_valf());
      bits infinity;
      __builtin_memcpy(&infinity, &endless, sizeof(Key));
      const bits flipped = value & top ? bits(~value) : bits(value | top);
      if (bits(value & ~top) > infinity)
        return bits(~bits(0));
      return value == top ? top : flipped;
    } else {
      return std::is_signed_v<Key> ? bits(value ^ top) : value;
    }
  }
  bits operator()(Key key) const {
    return Descending ? bits(~ascending(key)) : ascending(key);
  }
  unsigned digit(Key key, unsigned pass) const {
    return unsigned((*this)(key) >> (8 * pass)) & 255;
  }
};
/// That order.
template <class Key, bool Descending> struct less_digits {
  bool operator()(const Key &one, const Key &other) const {
    return Descending ? ascending(other, one) : ascending(one, other);
  }

private:
  static bool ascending(const Key &one, const Key &other) {
    if constexpr (is_floating<Key>)
      return bool(one == one) & !(one >= other); // a NaN is above all numbers
    else
      return one < other;
  }
};

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_RADIX_DIGITS_H
