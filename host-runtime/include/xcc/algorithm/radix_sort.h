// A stable radix sort of numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_RADIX_SORT_H
#define XCC_ALGORITHM_RADIX_SORT_H

#include <xcc/algorithm/merge_sort.h>
#include <xcc/algorithm/scan.h>

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
    (std::is_integral_v<Key> && sizeof(Key) <= 8) ||
    std::is_same_v<Key, float> || std::is_same_v<Key, double>;
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
    if constexpr (std::is_floating_point_v<Key>) {
      constexpr bits infinity = sizeof(Key) == 4
                                    ? bits(0x7f800000u)
                                    : bits(std::uint64_t(0x7ff) << 52);
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
  digits_of<Key, Descending> bits;
  bool operator()(const Key &one, const Key &other) const {
    return bits(one) < bits(other);
  }
};

/// Where the elements are: half of the passes move them away, half back, and
/// one that all have the same digit in moves nothing.
template <class Key, class Value> struct radix_state {
  sorted<Key, Value> data, other;
  std::size_t count, piece, pieces;
  /// ends[digit * pieces + piece]: first how many, then, behind the last of
  /// which place in the result.
  std::size_t *ends;
  /// Before each pass: are they in `other`?
  unsigned char *away;

  std::size_t begin_of(unsigned digit, std::size_t piece_number) const {
    const std::size_t at = digit * pieces + piece_number;
    return at ? ends[at - 1] : 0;
  }
  /// Where a pass writes to; nowhere, which is null, if it has nothing to do.
  template <class Digits>
  const sorted<Key, Value> *to(unsigned pass, const Digits &digits,
                               bool first) const {
    const sorted<Key, Value> &from = away[pass] ? other : data;
    const unsigned digit = digits.digit(from.key[0], pass);
    const bool all =
        ends[digit * pieces + pieces - 1] - begin_of(digit, 0) == count;
    if (first)
      away[pass + 1] = all ? away[pass] : !away[pass];
    return all ? nullptr : away[pass] ? &data : &other;
  }
};

/// One digit after the other from the lowest on. A piece counts how many of its
/// elements have each digit; the sums say where its first of each goes.
template <class Key, class Value, bool Descending>
inline void radix_sort(const algorithm_run &run, std::size_t count,
                       sorted<Key, Value> data, sorted<Key, Value> other,
                       digits_of<Key, Descending> digits) {
  using state_type = radix_state<Key, Value>;
  constexpr unsigned passes = sizeof(Key);
  const std::size_t piece = run.piece(count);
  const std::size_t pieces = run.pieces(count, piece);
  temporary<std::size_t> ends(run, 256 * pieces);
  temporary<unsigned char> away(run, passes + 1);
  const state_type state{data,   other,     count,    piece,
                         pieces, ends.data, away.data};
  for (unsigned pass = 0; pass != passes; ++pass) {
    run.each(pieces, [=](std::size_t number) {
      if (pass == 0 && number == 0)
        state.away[0] = 0;
      const Key *const from =
          pass && state.away[pass] ? state.other.key : state.data.key;
      std::uint32_t counts[256] = {};
      const std::size_t first = number * state.piece;
      const std::size_t end = end_of_piece(first, state.piece, state.count);
      for (std::size_t index = first; index < end; ++index)
        ++counts[digits.digit(from[index], pass)];
      for (unsigned digit = 0; digit != 256; ++digit)
        state.ends[digit * state.pieces + number] = counts[digit];
    });
    scan_to<std::size_t>(run, 256 * pieces, read_of<std::size_t>{ends.data},
                         std::plus<std::size_t>(),
                         write_to<std::size_t>{ends.data});
    run.each(pieces, [=](std::size_t number) {
      const auto *const to = state.to(pass, digits, number == 0);
      if (!to)
        return;
      const sorted<Key, Value> from =
          state.away[pass] ? state.other : state.data;
      const sorted<Key, Value> into = *to;
      std::size_t next[256];
      for (unsigned digit = 0; digit != 256; ++digit)
        next[digit] = state.begin_of(digit, number);
      const std::size_t first = number * state.piece;
      const std::size_t end = end_of_piece(first, state.piece, state.count);
      for (std::size_t index = first; index < end; ++index)
        into.take(next[digits.digit(from.key[index], pass)]++, from, index);
    });
  }
  run.each(pieces, [=](std::size_t number) {
    if (!state.away[passes])
      return;
    const std::size_t first = number * state.piece;
    const std::size_t end = end_of_piece(first, state.piece, state.count);
    for (std::size_t index = first; index < end; ++index)
      state.data.take(index, state.other, index);
  });
}

/// The sort that suits the keys, their order and their number.
template <class Key, class Value, class Less>
inline void stable_sort(const algorithm_run &run, std::size_t count,
                        sorted<Key, Value> data, sorted<Key, Value> other,
                        const Less &less) {
  if constexpr (sorts_digits<Key, Less>) {
    using digits = digits_of<Key, is_descending<Key, Less>>;
    // Where passes over all are worth what each costs, as measured.
    if (count >= (!run.host ? 512u : sizeof(Key) <= 4 ? 4096u : 65536u))
      radix_sort(run, count, data, other, digits());
    else
      merge_sort(run, count, data, other,
                 less_digits<Key, is_descending<Key, Less>>());
  } else {
    merge_sort(run, count, data, other, less);
  }
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_RADIX_SORT_H
