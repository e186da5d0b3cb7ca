// What the threads of a GPU's block do together with neighbouring elements
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>. A block goes through its piece in tiles. Its
// threads read a tile so that neighbours read neighbours, and leave it in the
// block's shared memory, where each then has some elements that follow each
// other: the order of elements is kept for operations that need it.

#ifndef XCC_ALGORITHM_TILE_H
#define XCC_ALGORITHM_TILE_H

#include <xcc/algorithm/run.h>
#include <xcc/warp.h>

namespace xcc {
namespace detail {

/// How many elements a thread has of a tile: odd, for all banks of the memory
/// to be read at once.
template <class Type>
inline constexpr unsigned tile_items = sizeof(Type) <= 4    ? 11
                                       : sizeof(Type) <= 8  ? 5
                                       : sizeof(Type) <= 16 ? 3
                                                            : 1;
template <class Type>
inline constexpr std::size_t tile_size =
    std::size_t(block_threads) * tile_items<Type>;
/// Larger ones have no place there. A thread has objects that are not known yet.
template <class Type>
inline constexpr bool has_tiles =
    sizeof(Type) <= 48 && std::is_default_constructible_v<Type>;

template <class Type> struct tile_bytes {
  alignas(Type) unsigned char elements[sizeof(Type) * tile_size<Type>];
  alignas(Type) unsigned char totals[sizeof(Type) * block_threads / 8];
  alignas(Type) unsigned char carry[sizeof(Type)];
};
template <class Type> struct tile_memory {
  Type *elements, *totals;
  Type *carry; ///< what comes before the tile, where a warp finds it for all
};
template <class Type> inline tile_memory<Type> memory_of_tile() {
  static block_shared<tile_bytes<Type>> bytes;
  tile_bytes<Type> &here = bytes.get();
  return {reinterpret_cast<Type *>(here.elements),
          reinterpret_cast<Type *>(here.totals),
          reinterpret_cast<Type *>(here.carry)};
}

/// Does the order of operands not matter? Then no tile is needed.
template <class Op, class Type>
inline constexpr bool commutes =
    std::is_arithmetic_v<Type> &&
    (std::is_same_v<Op, std::plus<Type>> || std::is_same_v<Op, std::plus<>> ||
     std::is_same_v<Op, std::multiplies<Type>> ||
     std::is_same_v<Op, std::bit_and<Type>> ||
     std::is_same_v<Op, std::bit_or<Type>> ||
     std::is_same_v<Op, std::bit_xor<Type>>);

/// What `op` makes of the parts of the first `threads` threads, of which there
/// is one: in thread 0.
template <class Type, class Op>
inline Type reduce_threads(Type part, unsigned threads, Type *totals,
                           const Op &op) {
  const unsigned thread = __xcc_thread_idx_x(), width = warp_size();
  if (thread < threads) {
    part = warp_reduce(part, op);
    if (lane_id() == 0)
      totals[thread / width] = part;
  }
  sync_block();
  if (thread == 0)
    for (unsigned warp = 1; warp * width < threads; ++warp)
      part = op(part, totals[warp]);
  return part;
}

/// The sum of what threads before this one have, of a block of 256.
template <class Type> inline Type sum_before(Type own) {
  static block_shared<Type[block_threads / 32]> totals;
  const unsigned thread = __xcc_thread_idx_x(), width = warp_size();
  Type through = warp_inclusive_scan(own, std::plus<Type>());
  if (lane_id() + 1 == width)
    totals[thread / width] = through;
  sync_block();
  for (unsigned warp = 0; warp < thread / width; ++warp)
    through += totals[warp];
  sync_block();
  return through - own;
}

/// What `op` makes of get(first) ... get(end - 1), of which there is one: in
/// thread 0.
template <class Type, class Get, class Op>
inline Type reduce_block(std::size_t first, std::size_t end, const Get &get,
                         const Op &op) {
  const tile_memory<Type> tile = memory_of_tile<Type>();
  const unsigned thread = __xcc_thread_idx_x();
  if constexpr (commutes<Op, Type>) {
    const std::size_t count = end - first;
    Type sum = get(thread < count ? first + thread : first);
    std::size_t next = first + thread + block_threads;
    for (; next < end && end - next > 3 * block_threads;
         next += 4 * block_threads)
      sum = op(sum, op(op(get(next), get(next + block_threads)),
                       op(get(next + 2 * block_threads),
                          get(next + 3 * block_threads))));
    for (; next < end; next += block_threads)
      sum = op(sum, get(next));
    return reduce_threads(
        sum, unsigned(count < block_threads ? count : block_threads),
        tile.totals, op);
  } else {
    constexpr unsigned items = tile_items<Type>;
    constexpr std::size_t size = tile_size<Type>;
    Type sum = get(first);
    for (std::size_t base = first; base < end; base += size) {
      const unsigned count = unsigned(end - base < size ? end - base : size);
      for (unsigned at = thread; at < count; at += block_threads)
        tile.elements[at] = get(base + at);
      sync_block();
      const unsigned own = thread * items;
      Type part = tile.elements[own < count ? own : 0];
      for (unsigned at = own + 1; at < own + items && at < count; ++at)
        part = op(part, tile.elements[at]);
      part = reduce_threads(part, (count + items - 1) / items, tile.totals, op);
      sum = base == first ? part : Type(op(sum, part));
    }
    return sum;
  }
}

/// What comes before the first element: nothing, or a value.
struct no_start {};
template <class Type> struct start_with {
  Type value;
};

/// A tile's elements while a block scans them.
template <class Type, class Op> struct tile_scan {
  tile_memory<Type> tile;
  unsigned count; ///< of elements, at least one
  Op op;
  Type before{}; ///< what the lanes before this one come to

  static constexpr unsigned items = tile_items<Type>;
  bool is_full() const { return count == tile_size<Type>; }
  unsigned own() const { return __xcc_thread_idx_x() * items; }
  unsigned behind() const {
    return own() + items < count ? own() + items : count;
  }
  /// body(at) for this thread's elements but the first `skip`.
  template <class Body> void for_own(unsigned skip, const Body &body) const {
    if (is_full()) {
#pragma clang loop unroll(full)
      for (unsigned item = skip; item < items; ++item)
        body(own() + item);
    } else {
      for (unsigned at = own() + skip; at < behind(); ++at)
        body(at);
    }
  }
  /// body(at) for the elements that this thread reads and writes: of each access
  /// neighbours have neighbours.
  template <class Body> void for_striped(const Body &body) const {
    const unsigned thread = __xcc_thread_idx_x();
    if (is_full()) {
#pragma clang loop unroll(full)
      for (unsigned item = 0; item < items; ++item)
        body(thread + item * block_threads);
    } else {
      for (unsigned at = thread; at < count; at += block_threads)
        body(at);
    }
  }

  /// Reads the tile that begins at `base`, and scans each thread's elements and
  /// each warp's sums.
  template <class Get> void read(std::size_t base, const Get &get) {
    if (is_full()) {
      // All loads before the first store.
      Type read[items];
#pragma clang loop unroll(full)
      for (unsigned item = 0; item < items; ++item)
        read[item] = get(base + __xcc_thread_idx_x() + item * block_threads);
#pragma clang loop unroll(full)
      for (unsigned item = 0; item < items; ++item)
        tile.elements[__xcc_thread_idx_x() + item * block_threads] = read[item];
    } else {
      for_striped([&](unsigned at) { tile.elements[at] = get(base + at); });
    }
    sync_block();
    Type sum = tile.elements[own() < count ? own() : 0];
    before = sum;
    if (own() < count) {
      for_own(1, [&](unsigned at) {
        tile.elements[at] = sum = op(sum, tile.elements[at]);
      });
      const Type through = warp_inclusive_scan(sum, op);
      before = shuffle_up(through, 1);
      if (lane_id() + 1 == warp_size() || behind() == count)
        tile.totals[__xcc_thread_idx_x() / warp_size()] = through;
    }
    sync_block();
  }
  /// What the whole tile comes to.
  Type total() const {
    const unsigned warps =
        (count + items * warp_size() - 1) / (items * warp_size());
    Type sum = tile.totals[0];
    for (unsigned warp = 1; warp < warps; ++warp)
      sum = op(sum, tile.totals[warp]);
    return sum;
  }
  /// Writes the tile, before which `carry` comes if there is one.
  template <class Put>
  void write(std::size_t base, bool has_carry, const Type &carry,
             const Put &put) {
    const unsigned warp = __xcc_thread_idx_x() / warp_size();
    if (own() < count) {
      Type all = carry;
      bool some = has_carry;
      for (unsigned other = 0; other < warp; ++other) {
        all = some ? Type(op(all, tile.totals[other])) : tile.totals[other];
        some = true;
      }
      if (lane_id()) {
        all = some ? Type(op(all, before)) : before;
        some = true;
      }
      // Together: the compiler would make a loop for the first lane alone.
      sync_warp();
      if (some)
        for_own(0, [&](unsigned at) {
          tile.elements[at] = op(all, tile.elements[at]);
        });
    }
    sync_block();
    for_striped([&](unsigned at) {
      const Type now = tile.elements[at];
      if (at)
        put(base + at, tile.elements[at - 1], now);
      else
        put(base + at, has_carry ? carry : now, now);
    });
  }
};

/// Calls put(i, before, now) for first ... end - 1, of which there is one, as
/// scan_to does. `carry` is what `op` makes of all before them, if there are
/// any.
template <class Type, class Get, class Op, class Put>
inline void scan_block(std::size_t first, std::size_t end, bool has_carry,
                       Type carry, const Get &get, const Op &op,
                       const Put &put) {
  constexpr std::size_t size = tile_size<Type>;
  for (std::size_t base = first; base < end; base += size) {
    const unsigned count = unsigned(end - base < size ? end - base : size);
    tile_scan<Type, Op> scan{memory_of_tile<Type>(), count, op};
    scan.read(base, get);
    scan.write(base, has_carry, carry, put);
    carry = scan.tile.elements[count - 1];
    has_carry = true;
    sync_block();
  }
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_TILE_H
