// A stable merge sort on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. A block sorts a tile in its shared memory; then
// runs of tiles are merged in rounds, of which each reads and writes an element
// once. Of two runs, each block makes a tile of the result: it finds by merge_path
// which elements of both that are, and each of its threads then does the same for
// some of them (Green, McColl and Bader, "GPU Merge Path", 2012).

#ifndef XCC_ALGORITHM_MERGE_TILES_H
#define XCC_ALGORITHM_MERGE_TILES_H

#include <xcc/algorithm/merge_sort.h>

#include <cstdint>

namespace xcc {
namespace detail {

/// How many elements a thread has of a tile.
template <class Key>
inline constexpr unsigned merge_items = sizeof(Key) <= 4    ? 15
                                        : sizeof(Key) <= 8  ? 11
                                        : sizeof(Key) <= 16 ? 7
                                        : sizeof(Key) <= 32 ? 3
                                                            : 1;
template <class Key>
inline constexpr std::size_t merge_tile =
    std::size_t(block_threads) * merge_items<Key>;

/// The integers that a key is copied as: of its alignment, so that neighbouring
/// threads have neighbouring ones. void if the key is one access anyway.
template <class Key>
using key_word = std::conditional_t<
    (sizeof(Key) > alignof(Key) && alignof(Key) >= 4),
    std::conditional_t<alignof(Key) == 4, std::uint32_t, std::uint64_t>, void>;
/// Copies as words, which may be parts of anything.
template <class Word>
inline void copy_word(void *to, const void *from, std::size_t at) {
  using part [[gnu::may_alias]] = Word;
  static_cast<part *>(to)[at] = static_cast<const part *>(from)[at];
}

/// Two neighbouring runs, and a tile of what they become.
struct merged_runs {
  std::size_t start, middle, stop; ///< of the runs
  std::size_t base;                ///< of the tile
  unsigned count;

  merged_runs(std::size_t all, std::size_t width, std::size_t tile,
              std::size_t number)
      : base(number * tile),
        count(unsigned(all - base < tile ? all - base : tile)) {
    start = base - base % (2 * width);
    middle = all - start < width ? all : start + width;
    stop = all - start < 2 * width ? all : start + 2 * width;
  }
};

/// A block's work on a tile.
template <class Key, class Value, class Less> class tile_merge {
  static constexpr unsigned items = merge_items<Key>;
  static constexpr bool has_values = !std::is_same_v<Value, no_values>;
  struct memory {
    alignas(Key) unsigned char keys[sizeof(Key) * merge_tile<Key>];
    /// Of what goes with a key: where that was in the tile as it was read.
    std::uint16_t places[has_values ? merge_tile<Key> : 1];
    std::size_t begins[2]; ///< of the tile, in the first run
  };
  union slot {
    Key key;
    slot() {}
  };

  const sorted<Key, Value> &from, &to;
  const Less &less;
  memory *here;
  Key *keys;
  const unsigned thread = __xcc_thread_idx_x(), own = thread * items;

  /// Calls body(at) for the elements that this thread reads and writes.
  template <class Body>
  void for_striped(unsigned count, const Body &body) const {
    for (unsigned at = thread; at < count; at += block_threads)
      body(at);
  }
  /// Copies neighbouring keys, in all threads of the block.
  void copy_keys(Key *out, const Key *in, unsigned count) const {
    using part = key_word<Key>;
    if constexpr (std::is_void_v<part>)
      for_striped(count, [&](unsigned at) { out[at] = in[at]; });
    else
      for_striped(unsigned(count * (sizeof(Key) / sizeof(part))),
                  [&](unsigned at) { copy_word<part>(out, in, at); });
  }
  void keep_places(unsigned count) const {
    if constexpr (has_values)
      for_striped(count,
                  [&](unsigned at) { here->places[at] = std::uint16_t(at); });
  }
  void swap_back(unsigned at) const {
    slot moved;
    moved.key = keys[at];
    const std::uint16_t place = has_values ? here->places[at] : 0;
    unsigned to = at;
    for (; to > own && less(moved.key, keys[to - 1]); --to) {
      keys[to] = keys[to - 1];
      if constexpr (has_values)
        here->places[to] = here->places[to - 1];
    }
    keys[to] = moved.key;
    if constexpr (has_values)
      here->places[to] = place;
  }
  /// Merges the runs of a tile, of which the first begins at `start`. All threads
  /// of the block come here.
  void merge(unsigned start, unsigned middle, unsigned stop) {
    slot out[items];
    std::uint16_t places[items];
    const unsigned end = own + items < stop ? own + items : stop;
    if (own < end) {
      const unsigned rank = own - start;
      unsigned one =
          unsigned(merge_path(keys + start, middle - start, keys + middle,
                              stop - middle, rank, less));
      unsigned other = middle + rank - one;
      one += start;
#pragma clang loop unroll(full)
      for (unsigned item = 0; item != items; ++item)
        if (own + item < end) {
          const bool second =
              one == middle || (other != stop && less(keys[other], keys[one]));
          const unsigned at = second ? other++ : one++;
          out[item].key = keys[at];
          if constexpr (has_values)
            places[item] = here->places[at];
        }
    }
    sync_block();
    if (own < end)
#pragma clang loop unroll(full)
      for (unsigned item = 0; item != items; ++item)
        if (own + item < end) {
          keys[own + item] = out[item].key;
          if constexpr (has_values)
            here->places[own + item] = places[item];
        }
    sync_block();
  }
  /// Writes the tile. Origin says where a place of the tile is in `from`.
  template <class Origin>
  void write(std::size_t base, unsigned count, const Origin &origin) const {
    copy_keys(to.key + base, keys, count);
    if constexpr (has_values)
      for_striped(count, [&](unsigned at) {
        to.value[base + at] = from.value[origin(here->places[at])];
      });
    sync_block();
  }

public:
  tile_merge(const sorted<Key, Value> &from, const sorted<Key, Value> &to,
             const Less &less)
      : from(from), to(to), less(less) {
    static block_shared<memory> bytes;
    here = &bytes.get();
    keys = reinterpret_cast<Key *>(here->keys);
  }

  /// Sorts a tile.
  void sort(std::size_t base, unsigned count) {
    copy_keys(keys, from.key + base, count);
    keep_places(count);
    sync_block();
    for (unsigned at = own + 1; at < own + items && at < count; ++at)
      swap_back(at);
    sync_block();
    for (unsigned width = items; width < count; width *= 2) {
      const unsigned start = own - own % (2 * width);
      merge(start,
            count - start < width || start >= count ? count : start + width,
            start >= count || count - start < 2 * width ? count
                                                        : start + 2 * width);
    }
    write(base, count, [base](unsigned at) { return base + at; });
  }

  /// Makes a tile of two runs.
  void merge(const merged_runs &runs) {
    const std::size_t ones = runs.middle - runs.start;
    if (thread < 2)
      here->begins[thread] =
          merge_path(from.key + runs.start, ones, from.key + runs.middle,
                     runs.stop - runs.middle,
                     runs.base - runs.start + (thread ? runs.count : 0), less);
    sync_block();
    const std::size_t one = runs.start + here->begins[0];
    const unsigned of_one = unsigned(here->begins[1] - here->begins[0]);
    const std::size_t other =
        runs.middle + (runs.base - runs.start) - here->begins[0];
    const auto origin = [=](unsigned at) {
      return at < of_one ? one + at : other + (at - of_one);
    };
    copy_keys(keys, from.key + one, of_one);
    copy_keys(keys + of_one, from.key + other, runs.count - of_one);
    keep_places(runs.count);
    sync_block();
    merge(0, of_one, runs.count);
    write(runs.base, runs.count, origin);
  }
  /// Makes a tile of two ranges in different places, where keys have no values.
  void merge(const Key *one, std::size_t ones, const Key *other,
             std::size_t others, std::size_t base, unsigned count) {
    static_assert(!has_values);
    if (thread < 2)
      here->begins[thread] = merge_path(one, ones, other, others,
                                        base + (thread ? count : 0), less);
    sync_block();
    const std::size_t first = here->begins[0], second = base - first;
    const unsigned of_one = unsigned(here->begins[1] - first);
    copy_keys(keys, one + first, of_one);
    copy_keys(keys + of_one, other + second, count - of_one);
    sync_block();
    merge(0, of_one, count);
    write(base, count, [](unsigned at) { return at; });
  }
};

/// Each block sorts a tile of `data` into `other`.
template <class Key, class Value, class Less>
inline void sort_tiles(const algorithm_run &run, std::size_t count,
                       sorted<Key, Value> data, sorted<Key, Value> other,
                       Less less) {
  const division parts(count, merge_tile<Key>);
  run.each_block(parts.pieces, [=](std::size_t number) {
    captured(data, other, parts, less);
    if constexpr (on_gpu)
      tile_merge<Key, Value, Less>(data, other, less)
          .sort(parts.first(number),
                unsigned(parts.end(number) - parts.first(number)));
  });
}
template <class Key, class Value>
inline void take_all(const algorithm_run &run, std::size_t count,
                     sorted<Key, Value> to, sorted<Key, Value> from) {
  parallel_for(run.how, count, [=](std::size_t index) {
    captured(to, from);
    if constexpr (on_gpu)
      to.take(index, from, index);
  });
}
template <class Key, class Value, class Less>
inline void merge_sort_tiles(const algorithm_run &run, std::size_t count,
                             sorted<Key, Value> data, sorted<Key, Value> other,
                             Less less) {
  constexpr std::size_t tile = merge_tile<Key>;
  const division parts(count, tile);
  sort_tiles(run, count, data, other, less);
  bool away = true;
  for (std::size_t width = tile; width < count; width *= 2) {
    const sorted<Key, Value> from = away ? other : data;
    const sorted<Key, Value> to = away ? data : other;
    run.each_block(parts.pieces, [=](std::size_t number) {
      captured(from, to, count, width, less);
      if constexpr (on_gpu)
        tile_merge<Key, Value, Less>(from, to, less)
            .merge(merged_runs(count, width, merge_tile<Key>, number));
    });
    away = !away;
  }
  if (away)
    take_all(run, count, data, other);
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_MERGE_TILES_H
