// A scan that reads each element once, on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. Blocks scan one tile after the other. Each tells
// others what its tile comes to, and looks back at the tiles before it until one
// has told what all up to it come to: Merrill and Garland, "Single-pass Parallel
// Prefix Scan with Decoupled Look-back" (2016).
//
// How far a block looks back depends on time, and so does the order in which
// `op` is applied. It is for integers, whose results are the same in any order.

#ifndef XCC_ALGORITHM_ONE_PASS_H
#define XCC_ALGORITHM_ONE_PASS_H

#include <xcc/algorithm/tile.h>

namespace xcc {
namespace detail {

template <class Type>
inline constexpr bool scans_in_one_pass =
    std::is_integral_v<Type> && has_tiles<Type>;

/// What blocks tell each other, in memory of the device.
template <class Type> struct tile_states {
  enum : unsigned { nothing, own_total, all_totals };
  unsigned *next;  ///< tile that no block has taken
  unsigned *known; ///< of each tile
  Type *own;       ///< what its elements come to
  Type *all;       ///< and all before it too

  /// In all threads of a block. Blocks that took earlier tiles have begun.
  unsigned take() const {
    static block_shared<unsigned> taken;
    if (__xcc_thread_idx_x() == 0)
      taken.get() = XCC_DEVICE_ATOMIC(fetch_add, next, 1u, __ATOMIC_RELAXED);
    sync_block();
    return taken.get();
  }
  void tell(unsigned tile, unsigned what, Type *values, Type value) const {
    values[tile] = value;
    XCC_DEVICE_ATOMIC(store_n, known + tile, what, __ATOMIC_RELEASE);
  }
  /// What comes before a tile that is not the first: in all lanes of a warp.
  template <class Op> Type before(unsigned tile, const Op &op) const {
    const unsigned width = warp_size(), lane = lane_id();
    Type sum{};
    for (bool some = false;; some = true, tile -= width) {
      // This lane's tile: the last lane has the one before `tile`.
      const bool is = tile + lane >= width;
      const unsigned mine = is ? tile + lane - width : 0;
      unsigned what = own_total, first;
      std::uint64_t complete;
      do {
        if (is)
          what = XCC_DEVICE_ATOMIC(load_n, known + mine, __ATOMIC_ACQUIRE);
        complete = ballot(is && what == all_totals);
        first = complete ? 63u - unsigned(__builtin_clzll(complete)) : 0u;
      } while (any(lane >= first && what == nothing));
      Type part = what == all_totals ? all[mine] : own[mine];
      if (lane >= first)
        part = warp_reduce(part, op);
      part = shuffle(part, width - 1);
      sum = some ? Type(op(part, sum)) : part;
      if (complete)
        return sum;
    }
  }
};

/// A block's work on the next tile.
template <class Type, class Get, class Op, class Put, class Start>
inline void scan_tile(const tile_states<Type> &states, std::size_t count,
                      const Get &get, const Op &op, const Put &put,
                      const Start &start) {
  constexpr bool starts = !std::is_same_v<Start, no_start>;
  static block_shared<Type> carried;
  const unsigned tile = states.take();
  const std::size_t base = tile * tile_size<Type>, left = count - base;
  tile_scan<Type, Op> scan{
      memory_of_tile<Type>(),
      unsigned(left < tile_size<Type> ? left : tile_size<Type>), op};
  scan.read(base, get);
  if (__xcc_thread_idx_x() < warp_size()) {
    const Type total = scan.total();
    const bool tells = lane_id() == 0;
    Type carry{};
    if (tile != 0) {
      if (tells)
        states.tell(tile, states.own_total, states.own, total);
      carry = states.before(tile, op);
    } else if constexpr (starts) {
      carry = start.value;
    }
    if (tells) {
      states.tell(tile, states.all_totals, states.all,
                  tile != 0 || starts ? Type(op(carry, total)) : total);
      carried.get() = carry;
    }
  }
  sync_block();
  scan.write(base, tile != 0 || starts, carried.get(), put);
  sync_block();
}

/// As scan_to, on a GPU.
template <class Type, class Get, class Op, class Put, class Start>
inline void scan_once(const algorithm_run &run, std::size_t count, Get get,
                      Op op, Put put, Start start) {
  const std::size_t tiles = division(count, tile_size<Type>).pieces;
  temporary<unsigned> known(run, tiles + 1);
  temporary<Type> totals(run, 2 * tiles);
  const tile_states<Type> states{known.data + tiles, known.data, totals.data,
                                 totals.data + tiles};
  run.each(tiles + 1, [=](std::size_t tile) { states.known[tile] = 0; });
  run.each_block(tiles, [=](std::size_t) {
    captured(states, count, get, op, put, start);
    if constexpr (on_gpu)
      scan_tile<Type>(states, count, get, op, put, start);
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_ONE_PASS_H
