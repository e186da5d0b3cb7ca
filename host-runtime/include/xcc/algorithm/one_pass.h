// A scan that reads each element once, on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. Blocks scan one tile after the other. Each tells
// others what its tile comes to, and looks back at what the tiles before it come
// to, as in Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back" (2016).
//
// There, how far a block looks back depends on time, and so would a result of
// floating-point numbers. Here as many tiles as a warp has lanes are a group, and
// as many groups a row. A block takes what the row before comes to, then the
// groups before in its row, then the tiles before in its group: the same sums in
// each run. Only rows wait for all that is before them.

#ifndef XCC_ALGORITHM_ONE_PASS_H
#define XCC_ALGORITHM_ONE_PASS_H

#include <xcc/algorithm/tile.h>

namespace xcc {
namespace detail {

/// Results that blocks tell each other, in memory of the device.
template <class Type> struct told_results {
  unsigned *known;
  Type *values;

  void tell(unsigned at, const Type &value) const {
    values[at] = value;
    XCC_DEVICE_ATOMIC(store_n, known + at, 1u, __ATOMIC_RELEASE);
  }
  bool is_known(unsigned at) const {
    return XCC_DEVICE_ATOMIC(load_n, known + at, __ATOMIC_ACQUIRE) != 0;
  }
  /// One of them, in all lanes of a warp.
  Type get(unsigned at) const {
    while (any(!is_known(at)))
      ;
    return values[at];
  }
  /// What `op` makes of the `number` before `at`, of which there is one, and
  /// fewer than lanes: in all lanes of a warp.
  template <class Op>
  Type last_before(unsigned at, unsigned number, const Op &op) const {
    const bool has = lane_id() < number;
    const unsigned mine = at - number + (has ? lane_id() : 0);
    while (any(!is_known(mine)))
      ;
    Type part = values[mine];
    if (has)
      part = warp_reduce(part, op);
    return shuffle(part, 0);
  }
};

/// What is known of tiles, of groups of them, and of all up to a row of groups.
template <class Type> struct tile_states {
  unsigned *next; ///< tile that no block has taken
  told_results<Type> tiles, groups, rows;

  /// In all threads of a block. Blocks that took earlier tiles have begun.
  unsigned take() const {
    static block_shared<unsigned> taken;
    if (__xcc_thread_idx_x() == 0)
      taken.get() = XCC_DEVICE_ATOMIC(fetch_add, next, 1u, __ATOMIC_RELAXED);
    sync_block();
    return taken.get();
  }
  /// Tells what a tile comes to. Returns what comes before it, and whether
  /// anything does: in all lanes of a warp.
  template <class Op>
  std::pair<Type, bool> before(unsigned tile, const Type &total,
                               const Op &op) const {
    const unsigned width = warp_size();
    Type sum{}, through = total; // all before it, and up to its end
    bool some = false, is_last = true;
    const auto add = [&](const Type &part) {
      sum = some ? Type(op(part, sum)) : part;
      some = true;
      through = op(part, through);
    };
    const auto look_back = [&](const told_results<Type> &of, unsigned at) {
      if (is_last && lane_id() == 0)
        of.tell(at, through);
      if (const unsigned number = at % width)
        add(of.last_before(at, number, op));
      is_last &= at % width == width - 1;
    };
    look_back(tiles, tile);
    look_back(groups, tile / width);
    const unsigned row = tile / width / width;
    if (row)
      add(rows.get(row - 1));
    if (is_last && lane_id() == 0)
      rows.tell(row, through);
    return {sum, some};
  }
};

/// A block's work on the next tile.
template <class Type, class Get, class Op, class Put, class Start>
inline void scan_tile(const tile_states<Type> &states, std::size_t count,
                      const Get &get, const Op &op, const Put &put,
                      const Start &start) {
  constexpr bool starts = !std::is_same_v<Start, no_start>;
  const unsigned tile = states.take();
  const std::size_t base = tile * tile_size<Type>, left = count - base;
  tile_scan<Type, Op> scan{
      memory_of_tile<Type>(),
      unsigned(left < tile_size<Type> ? left : tile_size<Type>), op};
  scan.read(base, get);
  Type *const carry = scan.tile.carry;
  if (__xcc_thread_idx_x() < warp_size()) {
    const auto [sum, some] = states.before(tile, scan.total(), op);
    if (lane_id() == 0) {
      if constexpr (starts)
        *carry = some ? Type(op(start.value, sum)) : start.value;
      else
        *carry = sum;
    }
  }
  sync_block();
  scan.write(base, tile != 0 || starts, *carry, put);
  sync_block();
}

/// A template: a program that scans nothing has no kernel for it.
template <class Flag>
inline void clear(const algorithm_run &run, std::size_t count, Flag *flags) {
  run.each(count, [=](std::size_t index) { flags[index] = 0; });
}

/// What blocks tell each other of so many tiles, while an algorithm runs.
template <class Type> class told_tiles {
  // Warps have at least 32 lanes.
  const std::size_t tiles, groups, rows;
  const temporary<unsigned> known;
  const temporary<Type> totals;

  told_results<Type> part(std::size_t begin) const {
    return {known.data + begin, totals.data + begin};
  }

public:
  const tile_states<Type> states;
  told_tiles(const algorithm_run &run, std::size_t tiles)
      : tiles(tiles), groups(tiles / 32 + 1), rows(groups / 32 + 1),
        known(run, tiles + groups + rows + 1),
        totals(run, tiles + groups + rows),
        states{known.data + tiles + groups + rows, part(0), part(tiles),
               part(tiles + groups)} {
    clear(run, tiles + groups + rows + 1, known.data);
  }
};

/// As scan_to, on a GPU.
template <class Type, class Get, class Op, class Put, class Start>
inline void scan_once(const algorithm_run &run, std::size_t count, Get get,
                      Op op, Put put, Start start) {
  const std::size_t tiles = division(count, tile_size<Type>).pieces;
  const told_tiles<Type> told(run, tiles);
  run.each_block(tiles, [=, states = told.states](std::size_t) {
    captured(states, count, get, op, put, start);
    if constexpr (on_gpu)
      scan_tile<Type>(states, count, get, op, put, start);
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_ONE_PASS_H
