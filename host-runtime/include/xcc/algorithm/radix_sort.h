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
#include <xcc/warp.h>

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

/// Where the elements are: half of the passes move them away, half back, and
/// one that all have the same digit in moves nothing.
template <class Key, class Value> struct radix_state {
  sorted<Key, Value> data, other;
  division parts;
  /// ends[digit * pieces + piece]: first how many, then, after the last of
  /// which place in the result.
  std::size_t *ends;
  /// Before each pass: are they in `other`?
  unsigned char *away;

  std::size_t begin_of(unsigned digit, std::size_t number) const {
    const std::size_t at = digit * parts.pieces + number;
    return at ? ends[at - 1] : 0;
  }
  bool is_away(unsigned pass) const { return pass && away[pass]; }
  /// Does a pass have nothing to do?
  template <class Digits>
  bool is_trivial(unsigned pass, const Digits &digits) const {
    const unsigned digit =
        digits.digit((is_away(pass) ? other : data).key[0], pass);
    return ends[digit * parts.pieces + parts.pieces - 1] - begin_of(digit, 0) ==
           parts.count;
  }
};

/// Each warp of a GPU's block has a piece.
inline constexpr unsigned radix_warps = block_threads / 32;
struct radix_warp {
  std::size_t number, lane, width;
  radix_warp()
      : number(block_idx().x * (block_threads / warp_size()) +
               __xcc_thread_idx_x() / warp_size()),
        lane(lane_id()), width(warp_size()) {}
  static unsigned in_block() { return __xcc_thread_idx_x() / warp_size(); }
};
/// So many blocks suffice, whatever the width of a warp.
inline std::size_t radix_blocks(std::size_t pieces) {
  return (pieces + block_threads / 64 - 1) / (block_threads / 64);
}

/// Of each digit, how many a piece has.
template <class Key, class Digits>
inline void count_digits(const Key *from, const division &parts,
                         std::size_t *ends, unsigned pass, std::size_t number,
                         const Digits &digits) {
  if constexpr (on_gpu) {
    static block_shared<std::uint32_t[radix_warps][256]> counts;
    const radix_warp warp;
    std::uint32_t *const own = counts[radix_warp::in_block()];
    const bool some = warp.number < parts.pieces;
    for (std::size_t digit = warp.lane; digit < 256; digit += warp.width)
      own[digit] = 0;
    sync_block();
    if (some)
      for (std::size_t index = parts.first(warp.number) + warp.lane;
           index < parts.end(warp.number); index += warp.width)
        __atomic_fetch_add(own + digits.digit(from[index], pass), 1u,
                           __ATOMIC_RELAXED);
    sync_block();
    if (some)
      for (std::size_t digit = warp.lane; digit < 256; digit += warp.width)
        ends[digit * parts.pieces + warp.number] = own[digit];
  } else {
    std::uint32_t counts[256] = {};
    for (std::size_t index = parts.first(number); index < parts.end(number);
         ++index)
      ++counts[digits.digit(from[index], pass)];
    for (unsigned digit = 0; digit != 256; ++digit)
      ends[digit * parts.pieces + number] = counts[digit];
  }
}

/// Brings a piece's elements to their places by a digit.
template <class Key, class Value, class Digits>
inline void move_digits(const radix_state<Key, Value> &state,
                        const sorted<Key, Value> &from,
                        const sorted<Key, Value> &to, unsigned pass,
                        std::size_t number, const Digits &digits) {
  const division &parts = state.parts;
  if constexpr (on_gpu) {
    static block_shared<std::size_t[radix_warps][256]> places;
    const radix_warp warp;
    std::size_t *const next = places[radix_warp::in_block()];
    if (warp.number >= parts.pieces)
      return; // the whole warp, and no other waits for it
    for (std::size_t digit = warp.lane; digit < 256; digit += warp.width)
      next[digit] = state.begin_of(unsigned(digit), warp.number);
    sync_warp();
    const std::size_t end = parts.end(warp.number);
    for (std::size_t row = parts.first(warp.number); row < end;
         row += warp.width) {
      const std::size_t index = row + warp.lane;
      const bool is = index < end;
      const unsigned digit = is ? digits.digit(from.key[index], pass) : 256;
      const lane_mask same = match_any(digit);
      const std::uint64_t before =
          same.bits & ((std::uint64_t(1) << warp.lane) - 1);
      const std::size_t place = is ? next[digit] : 0;
      sync_warp();
      if (is && !before)
        next[digit] = place + same.count();
      sync_warp();
      if (is)
        to.take(place + lane_mask(before).count(), from, index);
    }
  } else {
    std::size_t next[256];
    for (unsigned digit = 0; digit != 256; ++digit)
      next[digit] = state.begin_of(digit, number);
    for (std::size_t index = parts.first(number); index < parts.end(number);
         ++index)
      to.take(next[digits.digit(from.key[index], pass)]++, from, index);
  }
}

/// One digit after the other from the lowest on. A piece counts how many of its
/// elements have each digit; the sums say where its first of each goes.
template <class Key, class Value, bool Descending>
inline void radix_sort(const algorithm_run &run, std::size_t count,
                       sorted<Key, Value> data, sorted<Key, Value> other,
                       digits_of<Key, Descending> digits) {
  constexpr unsigned passes = sizeof(Key);
  // Small pieces are for many warps to have one.
  const division parts = run.host ? run.by_thread(count)
                                  : division(count, count < 65536 ? 256 : 2048);
  const std::size_t pieces =
      run.host ? parts.pieces : radix_blocks(parts.pieces);
  temporary<std::size_t> ends(run, 256 * parts.pieces);
  temporary<unsigned char> away(run, passes + 1);
  const radix_state<Key, Value> state{data, other, parts, ends.data, away.data};
  for (unsigned pass = 0; pass != passes; ++pass) {
    run.each_block(pieces, [=](std::size_t number) {
      count_digits((state.is_away(pass) ? state.other : state.data).key,
                   state.parts, state.ends, pass, number, digits);
    });
    scan_to<std::size_t>(
        run, 256 * parts.pieces, read_of<std::size_t>{ends.data},
        std::plus<std::size_t>(), write_to<std::size_t>{ends.data});
    run.each_block(pieces, [=](std::size_t number) {
      const bool is_away = state.is_away(pass);
      const bool trivial = state.is_trivial(pass, digits);
      if (number == 0 && (!on_gpu || __xcc_thread_idx_x() == 0))
        state.away[pass + 1] = is_away != !trivial;
      if (!trivial)
        move_digits(state, is_away ? state.other : state.data,
                    is_away ? state.data : state.other, pass, number, digits);
    });
  }
  parallel_for(run.how, count, [=](std::size_t index) {
    if (state.away[passes])
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
