// A stable merge sort
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_MERGE_SORT_H
#define XCC_ALGORITHM_MERGE_SORT_H

#include <xcc/algorithm/run.h>

namespace xcc {
namespace detail {

/// Keys, and what goes with each of them, if anything does.
struct no_values {};
template <class Key, class Value> struct sorted {
  Key *key;
  Value *value;
  void take(std::size_t to, const sorted &from, std::size_t at) const {
    key[to] = from.key[at];
    if constexpr (!std::is_same_v<Value, no_values>)
      value[to] = from.value[at];
  }
};

/// How many of the first `rank` elements that two sorted arrays have together
/// come from the first.
template <class Key, class Less>
inline std::size_t merge_path(const Key *one, std::size_t ones,
                              const Key *other, std::size_t others,
                              std::size_t rank, const Less &less) {
  std::size_t low = rank > others ? rank - others : 0;
  std::size_t high = rank < ones ? rank : ones;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(other[rank - middle - 1], one[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Merges neighbouring runs of `width` elements; of their merged sequence, the
/// part from `first` up to `end`, which is within one pair of runs or more.
template <class Key, class Value, class Less>
inline void merge_part(const sorted<Key, Value> &from,
                       const sorted<Key, Value> &to, std::size_t count,
                       std::size_t width, std::size_t first, std::size_t end,
                       const Less &less) {
  while (first < end) {
    const std::size_t start = first - first % (2 * width);
    const std::size_t middle = count - start < width ? count : start + width;
    const std::size_t stop =
        count - start < 2 * width ? count : start + 2 * width;
    const std::size_t last = end < stop ? end : stop;
    std::size_t in_one =
        start + merge_path(from.key + start, middle - start, from.key + middle,
                           stop - middle, first - start, less);
    std::size_t in_other = middle + (first - start) - (in_one - start);
    // Which one is next cannot be predicted: no branch asks.
    for (; first < last && in_one < middle && in_other < stop; ++first) {
      const bool later = less(from.key[in_other], from.key[in_one]);
      to.take(first, from, later ? in_other : in_one);
      in_one += !later;
      in_other += later;
    }
    for (; first < last && in_one < middle; ++first)
      to.take(first, from, in_one++);
    for (; first < last; ++first)
      to.take(first, from, in_other++);
  }
}

/// A stable merge sort: runs within each piece, then all pieces of each round.
template <class Key, class Value, class Less>
inline void merge_sort(const algorithm_run &run, std::size_t count,
                       sorted<Key, Value> data, sorted<Key, Value> other,
                       Less less) {
  constexpr std::size_t run_length = 16;
  // Runs that double reach the piece's length.
  std::size_t piece = run_length;
  while (piece < run.piece(count))
    piece *= 2;
  const std::size_t pieces = run.pieces(count, piece);
  run.each(pieces, [=](std::size_t number) {
    const std::size_t first = number * piece;
    const std::size_t left = count - first;
    const std::size_t length = left < piece ? left : piece;
    sorted<Key, Value> from{data.key + first, nullptr};
    sorted<Key, Value> to{other.key + first, nullptr};
    if constexpr (!std::is_same_v<Value, no_values>) {
      from.value = data.value + first;
      to.value = other.value + first;
    }
    for (std::size_t begin = 0; begin < length; begin += run_length) {
      const std::size_t end =
          length - begin < run_length ? length : begin + run_length;
      for (std::size_t index = begin + 1; index < end; ++index) {
        const Key key = from.key[index];
        std::size_t at = index;
        if constexpr (std::is_same_v<Value, no_values>) {
          for (; at > begin && less(key, from.key[at - 1]); --at)
            from.take(at, from, at - 1);
          from.key[at] = key;
        } else {
          const Value value = from.value[index];
          for (; at > begin && less(key, from.key[at - 1]); --at)
            from.take(at, from, at - 1);
          from.key[at] = key;
          from.value[at] = value;
        }
      }
    }
    bool here = true;
    for (std::size_t width = run_length; width < length; width *= 2) {
      if (here)
        merge_part(from, to, length, width, 0, length, less);
      else
        merge_part(to, from, length, width, 0, length, less);
      here = !here;
    }
    if (!here)
      for (std::size_t index = 0; index < length; ++index)
        from.take(index, to, index);
  });
  bool here = true;
  for (std::size_t width = piece; width < count; width *= 2) {
    const sorted<Key, Value> from = here ? data : other;
    const sorted<Key, Value> to = here ? other : data;
    run.each(pieces, [=](std::size_t number) {
      const std::size_t first = number * piece;
      const std::size_t left = count - first;
      merge_part(from, to, count, width, first,
                 first + (left < piece ? left : piece), less);
    });
    here = !here;
  }
  if (!here)
    run.each(pieces, [=](std::size_t number) {
      const std::size_t first = number * piece;
      const std::size_t left = count - first;
      const std::size_t end = first + (left < piece ? left : piece);
      for (std::size_t index = first; index < end; ++index)
        data.take(index, other, index);
    });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_MERGE_SORT_H
