// Which elements are chosen, in one pass on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. A block reads a tile, asks once for each element
// whether it is chosen, and learns from the tiles before it how many are chosen
// there, as a scan does (one_pass.h). Elements stay in registers until they are
// written. A block writes when all tiles before its own have been read, so chosen
// elements may go to the front of the range that they come from.

#ifndef XCC_ALGORITHM_SELECT_TILES_H
#define XCC_ALGORITHM_SELECT_TILES_H

#include <xcc/algorithm/one_pass.h>

namespace xcc {
namespace detail {

/// How many elements a thread has of a tile.
template <class Type>
inline constexpr unsigned select_items = sizeof(Type) <= 4    ? 15
                                         : sizeof(Type) <= 8  ? 8
                                         : sizeof(Type) <= 16 ? 4
                                         : sizeof(Type) <= 32 ? 2
                                                              : 1;
template <class Type>
inline constexpr std::size_t select_tile =
    std::size_t(block_threads) * select_items<Type>;

/// Does keeps(index, element, before) look at the element before, too?
template <class Keeps, class Type>
inline constexpr bool looks_back =
    std::is_invocable_v<const Keeps &, std::size_t, Type &, Type *>;

/// A block's work on the next tile. Elements of a warp are a row.
template <class Type, class Get, class Keeps> class tile_selection {
  static constexpr unsigned items = select_items<Type>;
  static constexpr unsigned most_warps = block_threads / 32;
  struct memory {
    std::uint32_t before_row[items * most_warps]; ///< chosen in the tile
    std::uint32_t all;                            ///< chosen in the tile
    std::size_t before;                           ///< chosen in earlier tiles
    alignas(Type) unsigned char last[looks_back<Keeps, Type>
                                         ? sizeof(Type) * items * most_warps
                                         : 1]; ///< element of each row
  };
  union slot {
    Type value;
    slot() {}
  };

  const std::size_t count;
  const Get &get;
  const Keeps &keeps;
  const unsigned thread = __xcc_thread_idx_x(), width = warp_size(),
                 warps = block_threads / width, warp = thread / width,
                 lane = lane_id();
  memory *here;
  std::size_t base = 0;
  slot elements[items];
  std::uint32_t ranks[items]; ///< twice the rank in the row, and 1 if chosen

  unsigned row(unsigned item) const { return item * warps + warp; }
  std::size_t index(unsigned item) const {
    return base + item * block_threads + thread;
  }
  Type *last() const { return reinterpret_cast<Type *>(here->last); }

  void read() {
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item) {
      const std::size_t at = index(item);
      ::new (static_cast<void *>(__builtin_addressof(elements[item].value)))
          Type(get(at < count ? at : count - 1));
    }
    if constexpr (looks_back<Keeps, Type>) {
      if (lane + 1 == width)
#pragma clang loop unroll(full)
        for (unsigned item = 0; item != items; ++item)
          __builtin_memcpy(static_cast<void *>(last() + row(item)),
                           __builtin_addressof(elements[item].value),
                           sizeof(Type));
      sync_block();
    }
  }
  bool asks(unsigned item) {
    Type &element = elements[item].value;
    if constexpr (looks_back<Keeps, Type>) {
      Type before = shuffle_up(element, 1);
      if (lane == 0 && row(item))
        before = last()[row(item) - 1];
      else if (lane == 0 && base)
        before = get(base - 1);
      return index(item) < count &&
             bool(keeps(index(item), element,
                        index(item) ? __builtin_addressof(before) : nullptr));
    } else {
      return index(item) < count && bool(keeps(index(item), element));
    }
  }
  void choose() {
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item) {
      const bool chosen = asks(item);
      const std::uint64_t row_mask = ballot(chosen);
      const std::uint64_t below = (std::uint64_t(1) << lane) - 1;
      ranks[item] =
          unsigned(__builtin_popcountll(row_mask & below)) * 2 + chosen;
      if (lane == 0)
        here->before_row[row(item)] = unsigned(__builtin_popcountll(row_mask));
    }
    sync_block();
    const std::uint32_t own =
        thread < items * warps ? here->before_row[thread] : 0;
    const std::uint32_t before = sum_before(own);
    if (thread < items * warps)
      here->before_row[thread] = before;
    if (thread == items * warps - 1)
      here->all = before + own;
    sync_block();
  }

public:
  tile_selection(std::size_t count, const Get &get, const Keeps &keeps)
      : count(count), get(get), keeps(keeps) {
    static block_shared<memory> bytes;
    here = &bytes.get();
  }
  template <class Put, class Other, class Done>
  void run(const tile_states<std::size_t> &states, const Put &put,
           const Other &other, const Done &done) {
    const unsigned tile = states.take();
    base = tile * select_tile<Type>;
    read();
    choose();
    if (thread < width) {
      const std::size_t before =
          states.before(tile, here->all, std::plus<std::size_t>()).first;
      if (lane == 0) {
        here->before = before;
        if (count - base <= select_tile<Type>)
          done(before + here->all);
      }
    }
    sync_block();
#pragma clang loop unroll(full)
    for (unsigned item = 0; item != items; ++item)
      if (index(item) < count) {
        const std::size_t rank =
            here->before + here->before_row[row(item)] + ranks[item] / 2;
        if (ranks[item] & 1)
          put(index(item), rank, elements[item].value);
        else
          other(index(item), index(item) - rank, elements[item].value);
      }
  }
};

/// What does nothing with an element that is not chosen.
struct leave_out {
  template <class Type>
  void operator()(std::size_t, std::size_t, const Type &) const {}
};

/// Moves an element to the front of its range.
template <class Type> struct put_front {
  Type *data;
  void operator()(std::size_t index, std::size_t rank,
                  const Type &element) const {
    // Where it is already, another block may read it.
    if (rank != index)
      data[rank] = element;
  }
};

/// Writes a number, and keeps it.
template <class Type> struct put_number {
  Type *to;
  void operator()(std::size_t number) const { *to = static_cast<Type>(number); }
};

/// Of `count` elements get(i), of which there is one, those for which
/// keeps(i, element) or keeps(i, element, before) holds go to put(i, rank,
/// element), where rank of those before it do too. The others go to other(i,
/// rank, element) in the same manner. Calls done(n) when all n are known.
template <class Type, class Get, class Keeps, class Put, class Other,
          class Done>
inline void select_once(const algorithm_run &run, std::size_t count, Get get,
                        Keeps keeps, Put put, Other other, Done done) {
  const std::size_t tiles = division(count, select_tile<Type>).pieces;
  const told_tiles<std::size_t> told(run, tiles);
  run.each_block(tiles, [=, states = told.states](std::size_t) {
    captured(states, count, get, keeps, put, other, done);
    if constexpr (on_gpu)
      tile_selection<Type, Get, Keeps>(count, get, keeps)
          .run(states, put, other, done);
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_SELECT_TILES_H
