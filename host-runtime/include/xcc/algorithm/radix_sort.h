// A stable radix sort of numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_RADIX_SORT_H
#define XCC_ALGORITHM_RADIX_SORT_H

#include <xcc/algorithm/merge_sort.h>
#include <xcc/algorithm/merge_tiles.h>
#include <xcc/algorithm/radix_tiles.h>
#include <xcc/algorithm/scan.h>

namespace xcc {
namespace detail {

/// Where the elements are on the CPU device: half of the passes move them away,
/// half back, and one that all have the same digit in moves nothing.
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

/// Of each digit, how many a piece has.
template <class Key, class Digits>
inline void count_digits(const Key *from, const division &parts,
                         std::size_t *ends, unsigned pass, std::size_t number,
                         const Digits &digits) {
  std::uint32_t counts[256] = {};
  for (std::size_t index = parts.first(number); index < parts.end(number);
       ++index)
    ++counts[digits.digit(from[index], pass)];
  for (unsigned digit = 0; digit != 256; ++digit)
    ends[digit * parts.pieces + number] = counts[digit];
}

/// Brings a piece's elements to their places by a digit.
template <class Key, class Value, class Digits>
inline void move_digits(const radix_state<Key, Value> &state,
                        const sorted<Key, Value> &from,
                        const sorted<Key, Value> &to, unsigned pass,
                        std::size_t number, const Digits &digits) {
  std::size_t next[256];
  for (unsigned digit = 0; digit != 256; ++digit)
    next[digit] = state.begin_of(digit, number);
  for (std::size_t index = state.parts.first(number);
       index < state.parts.end(number); ++index)
    to.take(next[digits.digit(from.key[index], pass)]++, from, index);
}

/// The same, from where the elements are, unless all have the same digit.
template <class Key, class Value, class Digits>
inline void move_piece(const radix_state<Key, Value> &state, unsigned pass,
                       std::size_t number, const Digits &digits) {
  const bool is_away = state.is_away(pass);
  const bool trivial = state.is_trivial(pass, digits);
  if (number == 0)
    state.away[pass + 1] = is_away != !trivial;
  if (!trivial)
    move_digits(state, is_away ? state.other : state.data,
                is_away ? state.data : state.other, pass, number, digits);
}

/// One digit after the other from the lowest on. A piece counts how many of its
/// elements have each digit; the sums say where its first of each goes. A thread
/// of the CPU device has a piece.
template <class Key, class Value, bool Descending>
inline void radix_sort_pieces(const algorithm_run &run, std::size_t count,
                              sorted<Key, Value> data, sorted<Key, Value> other,
                              digits_of<Key, Descending> digits) {
  constexpr unsigned passes = sizeof(Key);
  const division parts = run.by_thread(count);
  temporary<std::size_t> ends(run, 256 * parts.pieces);
  temporary<unsigned char> away(run, passes + 1);
  const radix_state<Key, Value> state{data, other, parts, ends.data, away.data};
  for (unsigned pass = 0; pass != passes; ++pass) {
    run.each(parts.pieces, [=](std::size_t number) {
      captured(state, pass, digits);
      if constexpr (!on_gpu)
        count_digits((state.is_away(pass) ? state.other : state.data).key,
                     state.parts, state.ends, pass, number, digits);
    });
    scan_to<std::size_t, false>(
        run, 256 * parts.pieces, read_of<std::size_t>{ends.data},
        std::plus<std::size_t>(), write_to<std::size_t>{ends.data});
    run.each(parts.pieces, [=](std::size_t number) {
      captured(state, pass, digits);
      if constexpr (!on_gpu)
        move_piece(state, pass, number, digits);
    });
  }
  parallel_for(run.how, count, [=](std::size_t index) {
    captured(state);
    if constexpr (!on_gpu)
      if (state.away[passes])
        state.data.take(index, state.other, index);
  });
}

/// The merge sort that suits the device.
template <class Key, class Value, class Less>
inline void merge_sort_on(const algorithm_run &run, std::size_t count,
                          sorted<Key, Value> data, sorted<Key, Value> other,
                          const Less &less) {
  if constexpr (merges_tiles<Key>)
    if (!run.host)
      return merge_sort_tiles(run, count, data, other, less);
  merge_sort(run, count, data, other, less);
}

/// The sort that suits the keys, their order and their number.
template <class Key, class Value, class Less>
inline void stable_sort(const algorithm_run &run, std::size_t count,
                        sorted<Key, Value> data, sorted<Key, Value> other,
                        const Less &less) {
  if constexpr (sorts_digits<Key, Less>) {
    using digits = digits_of<Key, is_descending<Key, Less>>;
    const less_digits<Key, is_descending<Key, Less>> less_number{};
    // Where passes over all are worth what each costs, as measured.
    if (run.host && count >= (sizeof(Key) <= 4 ? 4096u : 65536u)) {
      radix_sort_pieces(run, count, data, other, digits());
    } else if (run.host) {
      merge_sort(run, count, data, other, less_number);
    } else if (count >= 512) {
      radix_sort_tiles(run, count, data, other, digits());
    } else {
      static_assert(merge_tile<Key> >= 512);
      sort_tiles(run, count, data, other, less_number);
      take_all(run, count, data, other);
    }
  } else {
    merge_sort_on(run, count, data, other, less);
  }
}

/// The same, of keys alone, with temporary memory of its own.
template <class Key, class Less>
inline void sort_whole(const algorithm_run &run, std::size_t count, Key *data,
                       const Less &less) {
  temporary<Key> other(run, count);
  stable_sort(run, count, sorted<Key, no_values>{data, nullptr},
              sorted<Key, no_values>{other.data, nullptr}, less);
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_RADIX_SORT_H
