// A stable merge sort
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_MERGE_SORT_H
#define XCC_ALGORITHM_MERGE_SORT_H

#include <xcc/algorithm/run.h>

#include <algorithm>

namespace xcc {
namespace detail {

/// Keys, and what goes with each of them, if anything does.
struct no_values {};
template <class Key, class Value> struct sorted {
  Key *key;
  Value *value;
  sorted at(std::size_t first) const {
    if constexpr (std::is_same_v<Value, no_values>)
      return {key + first, nullptr};
    else
      return {key + first, value + first};
  }
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

/// One of two numbers, without a branch: which one cannot be predicted.
inline std::size_t choose(bool second, std::size_t one, std::size_t other) {
#ifdef __x86_64__
  std::size_t mask = -static_cast<std::size_t>(second);
  asm("" : "+r"(mask)); // or it becomes a branch again
  return one ^ (mask & (one ^ other));
#else
  return second ? other : one;
#endif
}

/// Does steps of all fronts in turn while sure(front) of them are possible. Each
/// step of a front waits for the one before it, and not for other fronts'.
template <class Less, class Sure, class... Front>
inline void step_together(const Less &less, const Sure &sure,
                          Front &...fronts) {
  while (const std::size_t steps = std::min({sure(fronts)...}))
    for (std::size_t step = 0; step != steps; ++step)
      (fronts.step(less), ...);
}

/// Two sorted runs on their way into one, up to `end`: what comes next of each,
/// and where.
template <class Key, class Value> struct merging {
  sorted<Key, Value> from, to;
  std::size_t in_one, in_other, out, end;

  template <class Less> void step(const Less &less) {
    const bool later = less(from.key[in_other], from.key[in_one]);
    to.take(out++, from, choose(later, in_one, in_other));
    in_one += !later;
    in_other += later;
  }
  template <class Less>
  void finish(std::size_t one_end, std::size_t other_end, const Less &less) {
    while (out < end && in_one < one_end && in_other < other_end)
      step(less);
    while (out < end && in_one < one_end)
      to.take(out++, from, in_one++);
    while (out < end)
      to.take(out++, from, in_other++);
  }
};

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
    const auto cut = [&](std::size_t rank, std::size_t end) {
      const std::size_t ones =
          start + merge_path(from.key + start, middle - start,
                             from.key + middle, stop - middle, rank - start,
                             less);
      return merging<Key, Value>{
          from, to, ones, middle + (rank - start) - (ones - start), rank, end};
    };
    const std::size_t part = (last - first) / 4;
    if (part < 16) {
      cut(first, last).finish(middle, stop, less);
    } else {
      merging<Key, Value> one = cut(first, first + part),
                          two = cut(one.end, one.end + part),
                          three = cut(two.end, two.end + part),
                          four = cut(three.end, last);
      step_together(
          less,
          [&](const merging<Key, Value> &front) {
            return std::min({middle - front.in_one, stop - front.in_other,
                             front.end - front.out});
          },
          one, two, three, four);
      for (merging<Key, Value> *front : {&one, &two, &three, &four})
        front->finish(middle, stop, less);
    }
    first = last;
  }
}

/// So many elements an insertion sort sorts.
inline constexpr std::size_t sorted_run = 16;
template <class Key, class Value, class Less>
inline void insertion_sort(const sorted<Key, Value> &data, std::size_t begin,
                           std::size_t end, const Less &less) {
  for (std::size_t index = begin + 1; index < end; ++index) {
    const Key key = data.key[index];
    std::size_t at = index;
    if constexpr (std::is_same_v<Value, no_values>) {
      for (; at > begin && less(key, data.key[at - 1]); --at)
        data.take(at, data, at - 1);
      data.key[at] = key;
    } else {
      const Value value = data.value[index];
      for (; at > begin && less(key, data.key[at - 1]); --at)
        data.take(at, data, at - 1);
      data.key[at] = key;
      data.value[at] = value;
    }
  }
}

/// Larger keys have no place in the shared memory of a block; see
/// merge_sort_tiles.
template <class Key> inline constexpr bool merges_tiles = sizeof(Key) <= 128;

/// A thread's part of a merge sort: sorts a piece. The result is in the other
/// place unless `to_here`.
template <class Key, class Value, class Less>
inline void sort_piece(const sorted<Key, Value> &from,
                       const sorted<Key, Value> &to, std::size_t length,
                       std::size_t chunk, bool to_here, const Less &less) {
  for (std::size_t begin = 0; begin < length; begin += chunk) {
    const std::size_t size = length - begin < chunk ? length - begin : chunk;
    const sorted<Key, Value> one = from.at(begin), two = to.at(begin);
    for (std::size_t next = 0; next < size; next += sorted_run)
      insertion_sort(one, next,
                     size - next < sorted_run ? size : next + sorted_run, less);
    for (std::size_t width = sorted_run; width < size; width *= 4) {
      merge_part(one, two, size, width, 0, size, less);
      merge_part(two, one, size, width * 2, 0, size, less);
    }
  }
  bool here = true;
  for (std::size_t width = chunk; width < length; width *= 2) {
    merge_part(here ? from : to, here ? to : from, length, width, 0, length,
               less);
    here = !here;
  }
  if (here != to_here) {
    const sorted<Key, Value> source = here ? from : to;
    const sorted<Key, Value> target = here ? to : from;
    for (std::size_t index = 0; index < length; ++index)
      target.take(index, source, index);
  }
}

/// A stable merge sort: runs within each piece, then all pieces of each round.
/// GPUs have code for it only where a block cannot merge tiles.
template <class Key, class Value, class Less>
inline void merge_sort(const algorithm_run &run, std::size_t count,
                       sorted<Key, Value> data, sorted<Key, Value> other,
                       Less less) {
  constexpr bool has_code = !on_gpu || !merges_tiles<Key>;
  // Runs that double reach the length of a chunk, which a cache holds, and then
  // that of the piece.
  constexpr std::size_t chunk_bytes = 64 << 10;
  std::size_t chunk = sorted_run;
  while (chunk * 2 * sizeof(Key) <= chunk_bytes)
    chunk *= 4; // the rounds in a chunk go there and back
  const division parts = run.by_thread(count);
  const std::size_t pieces = parts.pieces;
  // Each round moves everything: the pieces begin where the last one ends here.
  bool here = true;
  for (std::size_t width = parts.piece; width < count; width *= 2)
    here = !here;
  run.each(pieces, [=, to_here = here](std::size_t number) {
    captured(parts, data, other, chunk, to_here, less);
    if constexpr (has_code) {
      const std::size_t first = parts.first(number);
      sort_piece(data.at(first), other.at(first), parts.end(number) - first,
                 chunk, to_here, less);
    }
  });
  for (std::size_t width = parts.piece; width < count; width *= 2) {
    const sorted<Key, Value> from = here ? data : other;
    const sorted<Key, Value> to = here ? other : data;
    run.each(pieces, [=](std::size_t number) {
      captured(from, to, count, width, parts, less);
      if constexpr (has_code)
        merge_part(from, to, count, width, parts.first(number),
                   parts.end(number), less);
    });
    here = !here;
  }
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_MERGE_SORT_H
