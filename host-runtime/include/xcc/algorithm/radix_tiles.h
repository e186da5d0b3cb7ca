// A stable radix sort of numbers on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. Each pass sorts by 8 bits and reads and writes each
// element once: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit
// Radix Sort for GPUs" (2022). Before all passes the keys are read once, to count
// the digits of all of them.
//
// A block takes one tile after the other. A warp has a part of the tile, and knows
// by match_any how many of its elements before one have the same digit. The block
// brings the tile into order in its shared memory, so that neighbouring threads
// write neighbours. How many elements with a digit are in earlier tiles it learns
// from those tiles, as a scan does (one_pass.h).

#ifndef XCC_ALGORITHM_RADIX_TILES_H
#define XCC_ALGORITHM_RADIX_TILES_H

#include <xcc/algorithm/merge_sort.h>
#include <xcc/algorithm/radix_digits.h>
#include <xcc/algorithm/tile.h>

namespace xcc {
namespace detail {

/// How many elements a thread has of a tile: so many that neighbours in the result
/// are often neighbours in the tile, too.
template <class Key, class Value>
inline constexpr unsigned radix_items =
    (sizeof(Key) > 4 || sizeof(Value) > 4 ? 7 : 15) +
    (std::is_same_v<Value, no_values> ? (sizeof(Key) > 4 ? 8 : 16) : 0);
template <class Key, class Value>
inline constexpr std::size_t radix_tile =
    std::size_t(block_threads) * radix_items<Key, Value>;
/// Values go through shared memory up to this size, larger ones directly.
template <class Value>
inline constexpr bool exchanges_values =
    !std::is_same_v<Value, no_values> && sizeof(Value) <= 8;

/// What all blocks see, in memory of the device.
template <class Key, class Value> struct radix_passes {
  static constexpr unsigned passes = sizeof(Key);
  /// Of a tile and a digit: nothing yet, how many are in the tile, or how many in
  /// all tiles up to it.
  enum : std::uint64_t { own = 1, all = 2, shift = 2 };

  sorted<Key, Value> data, other;
  std::size_t count, tiles;
  std::uint64_t *begins; ///< [passes][256]: counts, then what is before each
  unsigned *told;        ///< [passes][tiles][256], each of one word or two
  unsigned words;        ///< in each: two where a count may not fit
  unsigned *next;        ///< [passes]: tile that no block has taken
  unsigned char *away;   ///< [passes + 1]: before a pass, are they in `other`?

  static constexpr std::size_t MostInWord = std::size_t(1) << 30;

  std::uint64_t get_told(std::size_t at) const {
    if (words == 1)
      return XCC_DEVICE_ATOMIC(load_n, told + at, __ATOMIC_RELAXED);
    return XCC_DEVICE_ATOMIC(
        load_n, reinterpret_cast<std::uint64_t *>(told) + at, __ATOMIC_RELAXED);
  }
  void tell(std::size_t at, std::uint64_t what, std::uint64_t number) const {
    const std::uint64_t all = number << shift | what;
    if (words == 1)
      XCC_DEVICE_ATOMIC(store_n, told + at, unsigned(all), __ATOMIC_RELAXED);
    else
      XCC_DEVICE_ATOMIC(store_n, reinterpret_cast<std::uint64_t *>(told) + at,
                        all, __ATOMIC_RELAXED);
  }
  const sorted<Key, Value> &from(unsigned pass) const {
    return away[pass] ? other : data;
  }
  const sorted<Key, Value> &to(unsigned pass) const {
    return away[pass] ? data : other;
  }
};

/// Counts the digits of all passes in some of the keys.
template <class Key, class Value, class Digits>
inline void count_tile_digits(const radix_passes<Key, Value> &state,
                              std::size_t first, std::size_t end,
                              const Digits &digits) {
  constexpr unsigned passes = sizeof(Key);
  static block_shared<std::uint32_t[passes][256]> counts;
  const unsigned thread = __xcc_thread_idx_x();
  for (unsigned pass = 0; pass != passes; ++pass)
    counts[pass][thread] = 0;
  sync_block();
  for (std::size_t index = first + thread; index < end;
       index += block_threads) {
    const Key key = state.data.key[index];
#pragma clang loop unroll(full)
    for (unsigned pass = 0; pass != passes; ++pass)
      __atomic_fetch_add(&counts[pass][digits.digit(key, pass)], 1u,
                         __ATOMIC_RELAXED);
  }
  sync_block();
  for (unsigned pass = 0; pass != passes; ++pass)
    if (const std::uint32_t some = counts[pass][thread])
      XCC_DEVICE_ATOMIC(fetch_add, &state.begins[pass * 256 + thread],
                        std::uint64_t(some), __ATOMIC_RELAXED);
}

/// In one block: where the elements of each digit begin, and where all are before
/// each pass. A pass that all keys have the same digit in moves nothing.
template <class Key, class Value>
inline void begin_digits(const radix_passes<Key, Value> &state) {
  static block_shared<unsigned> same;
  const unsigned thread = __xcc_thread_idx_x();
  unsigned char away = 0;
  for (unsigned pass = 0; pass != sizeof(Key); ++pass) {
    std::uint64_t *const mine = &state.begins[pass * 256 + thread];
    const std::uint64_t some = *mine;
    if (thread == 0) {
      state.away[pass] = away;
      same.get() = 0;
    }
    sync_block();
    if (some == state.count)
      same.get() = 1;
    *mine = sum_before(some);
    if (!same.get())
      away = !away;
    sync_block();
  }
  if (thread == 0)
    state.away[sizeof(Key)] = away;
}

/// A block's work on the next tile of a pass.
template <class Key, class Value, class Digits> class radix_tile_pass {
  static constexpr unsigned items = radix_items<Key, Value>;
  static constexpr unsigned most_warps = block_threads / 32;
  static constexpr std::size_t size = radix_tile<Key, Value>;
  /// The tile in order: keys, and then values.
  static constexpr std::size_t element = exchanges_values<Value> &&
                                                 sizeof(Value) > sizeof(Key)
                                             ? sizeof(Value)
                                             : sizeof(Key);
  struct memory {
    std::uint32_t counts[most_warps][256];
    std::uint64_t base[256];
    std::uint32_t first[256];
    alignas(8) unsigned char elements[element * size];
    unsigned tile;
  };

  const radix_passes<Key, Value> &state;
  const sorted<Key, Value> &from, &to;
  const Digits &digits;
  const unsigned pass, thread = __xcc_thread_idx_x(), width = warp_size(),
                       warp = thread / width, lane = lane_id();
  memory *here;
  unsigned tile, count;
  std::size_t begin;
  Key key[items];
  /// Of an element, first how many of its warp before it have its digit, then
  /// where it is in the tile in order.
  std::uint32_t rank[items];

  /// The element's place in the tile as it is read: a warp's are together.
  unsigned place(unsigned item) const {
    return warp * width * items + item * width + lane;
  }
  bool is(unsigned item) const { return place(item) < count; }

  void take() {
    if (thread == 0)
      here->tile =
          XCC_DEVICE_ATOMIC(fetch_add, &state.next[pass], 1u, __ATOMIC_RELAXED);
    for (unsigned each = 0; each != most_warps; ++each)
      here->counts[each][thread] = 0;
    sync_block();
    tile = here->tile;
    begin = tile * size;
    count = unsigned(state.count - begin < size ? state.count - begin : size);
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item)
      if (is(item))
        key[item] = from.key[begin + place(item)];
  }

  void rank_in_warp() {
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item) {
      const bool some = is(item);
      const unsigned digit = some ? digits.digit(key[item], pass) : 256;
      const std::uint64_t same = match_any(digit).bits;
      const std::uint64_t before = same & ((std::uint64_t(1) << lane) - 1);
      const unsigned so_far = some ? here->counts[warp][digit] : 0;
      sync_warp();
      if (some && !before)
        here->counts[warp][digit] =
            so_far + unsigned(__builtin_popcountll(same));
      sync_warp();
      rank[item] = so_far + unsigned(__builtin_popcountll(before));
    }
    sync_block();
  }

  /// How many elements with this thread's digit earlier tiles have.
  std::uint64_t in_earlier_tiles() const {
    std::uint64_t sum = 0;
    for (std::size_t earlier = tile; earlier-- > 0;) {
      std::uint64_t known;
      do
        known = state.get_told((pass * state.tiles + earlier) * 256 + thread);
      while (!known);
      sum += known >> state.shift;
      if (known & state.all)
        break;
    }
    return sum;
  }
  void tell(std::uint64_t what, std::uint64_t number) const {
    state.tell((pass * state.tiles + tile) * 256 + thread, what, number);
  }

  /// Each thread has a digit here: where its elements begin.
  void place_digit() {
    std::uint32_t sum = 0;
    for (unsigned each = 0; each != most_warps; ++each) {
      const std::uint32_t some = here->counts[each][thread];
      here->counts[each][thread] = sum;
      sum += some;
    }
    tell(tile ? state.own : state.all, sum);
    const std::uint32_t first = sum_before(sum);
    here->first[thread] = first;
    std::uint64_t before = 0;
    if (tile) {
      before = in_earlier_tiles();
      tell(state.all, before + sum);
    }
    here->base[thread] = state.begins[pass * 256 + thread] + before - first;
    sync_block();
  }

  template <class Type> Type *elements() const {
    return reinterpret_cast<Type *>(here->elements);
  }

  void write() {
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item)
      if (is(item)) {
        const unsigned digit = digits.digit(key[item], pass);
        rank[item] += here->first[digit] + here->counts[warp][digit];
        elements<Key>()[rank[item]] = key[item];
        if constexpr (!std::is_same_v<Value, no_values> &&
                      !exchanges_values<Value>)
          to.value[here->base[digit] + rank[item]] =
              from.value[begin + place(item)];
      }
    sync_block();
    std::uint64_t goal[items];
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item) {
      const unsigned at = thread + item * block_threads;
      if (at < count) {
        const Key now = elements<Key>()[at];
        goal[item] = here->base[digits.digit(now, pass)] + at;
        to.key[goal[item]] = now;
      }
    }
    if constexpr (exchanges_values<Value>) {
      sync_block();
#pragma clang loop unroll(full)
      for (unsigned item = 0; item != items; ++item)
        if (is(item))
          elements<Value>()[rank[item]] = from.value[begin + place(item)];
      sync_block();
#pragma clang loop unroll(full)
      for (unsigned item = 0; item != items; ++item) {
        const unsigned at = thread + item * block_threads;
        if (at < count)
          to.value[goal[item]] = elements<Value>()[at];
      }
    }
    sync_block();
  }

public:
  radix_tile_pass(const radix_passes<Key, Value> &state, unsigned pass,
                  const Digits &digits)
      : state(state), from(state.from(pass)), to(state.to(pass)),
        digits(digits), pass(pass) {
    static block_shared<memory> bytes;
    here = &bytes.get();
  }
  void run() {
    take();
    rank_in_warp();
    place_digit();
    write();
  }
};

/// One digit after the other from the lowest on.
template <class Key, class Value, bool Descending>
inline void radix_sort_tiles(const algorithm_run &run, std::size_t count,
                             sorted<Key, Value> data, sorted<Key, Value> other,
                             digits_of<Key, Descending> digits) {
  using digits_type = digits_of<Key, Descending>;
  constexpr unsigned passes = sizeof(Key);
  const std::size_t tiles = division(count, radix_tile<Key, Value>).pieces;
  const unsigned words = count < radix_passes<Key, Value>::MostInWord ? 1 : 2;
  const std::size_t all_digits = std::size_t(passes) * 256,
                    numbers_used = all_digits + all_digits * tiles * words / 2;
  temporary<std::uint64_t> numbers(run, numbers_used);
  temporary<unsigned> next(run, passes);
  temporary<unsigned char> away(run, passes + 1);
  const radix_passes<Key, Value> state{
      data,         other,
      count,        tiles,
      numbers.data, reinterpret_cast<unsigned *>(numbers.data + all_digits),
      words,        next.data,
      away.data};
  run.each(numbers_used, [=](std::size_t index) {
    state.begins[index] = 0;
    if (index < passes)
      state.next[index] = 0;
  });
  const division parts = run.by_block(count, radix_tile<Key, Value>);
  run.each_block(parts.pieces, [=](std::size_t number) {
    captured(state, parts, digits);
    if constexpr (on_gpu)
      count_tile_digits(state, parts.first(number), parts.end(number), digits);
  });
  run.each_block(1, [=](std::size_t) {
    captured(state);
    if constexpr (on_gpu)
      begin_digits(state);
  });
  for (unsigned pass = 0; pass != passes; ++pass)
    run.each_block(tiles, [=](std::size_t) {
      captured(state, pass, digits);
      if constexpr (on_gpu)
        if (state.away[pass] != state.away[pass + 1])
          radix_tile_pass<Key, Value, digits_type>(state, pass, digits).run();
    });
  run.each_block(parts.pieces, [=](std::size_t number) {
    captured(state, parts);
    if constexpr (on_gpu)
      if (state.away[passes])
        for (std::size_t index = parts.first(number) + __xcc_thread_idx_x();
             index < parts.end(number); index += block_threads)
          state.data.take(index, state.other, index);
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_RADIX_TILES_H
