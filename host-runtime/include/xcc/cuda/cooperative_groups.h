// Cooperative groups: CUDA's names for groups of threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     namespace cg = cooperative_groups;
//     auto tile = cg::tiled_partition<16>(cg::this_thread_block());
//     const int sum = cg::reduce(tile, x[i], cg::plus<int>());
//     if (tile.thread_rank() == 0)
//       atomicAdd(total, sum);
//
// Tiles and coalesced groups are lanes of one warp of 32. The lanes of a group
// must reach an operation of it by the same path, as for every operation of a
// warp (docs/language-warps.md). `sync` of a group makes no lane wait that has
// not reached it.

#ifndef XCC_CUDA_COOPERATIVE_GROUPS_H
#define XCC_CUDA_COOPERATIVE_GROUPS_H

#include <xcc/cuda/threads.h>
#include <xcc/cuda/words.h>
#include <xcc/warp.h>

#include <cstddef>
#include <type_traits>

namespace cooperative_groups {

namespace detail {
/// The caller's place among the 32 lanes of its warp.
inline unsigned lane() { return __xcc_lane_id() & 31; }
inline unsigned count(unsigned mask) {
  return static_cast<unsigned>(__builtin_popcount(mask));
}
inline unsigned below(unsigned lane) { return (1u << lane) - 1; }
/// The lane of a mask that has so many lanes of it before itself.
inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
  for (; rank && mask; --rank)
    mask &= mask - 1;
  return mask ? static_cast<unsigned>(__builtin_ctz(mask)) : lane();
}
inline unsigned threads(uint3 size) { return size.x * size.y * size.z; }
/// The lanes of a mask as a mask of ranks.
inline unsigned ranks_of(unsigned mask, unsigned lanes) {
  unsigned found = 0;
  for (unsigned rank = 0; mask; mask &= mask - 1, ++rank)
    found |= (lanes >> __builtin_ctz(mask) & 1) << rank;
  return found;
}

/// What groups of lanes have in common. Group has mask().
template <class Group> class lanes {
public:
  [[clang::convergent]] void sync() const { xcc::sync_warp(); }
  unsigned size() const { return count(mask()); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return count(mask() & below(lane())); }
  static bool is_valid() { return true; }

  template <class Type>
  [[clang::convergent]] Type shfl(const Type &value, unsigned rank) const {
    return xcc::shuffle(value, warp_lane(lane_of_rank(mask(), rank)));
  }
  /// A lane without another at that distance keeps its own value.
  template <class Type>
  [[clang::convergent]] Type shfl_down(const Type &value,
                                       unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, delta < size() - rank ? rank + delta : rank);
  }
  template <class Type>
  [[clang::convergent]] Type shfl_up(const Type &value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <class Type>
  [[clang::convergent]] Type shfl_xor(const Type &value, unsigned bits) const {
    const unsigned other = thread_rank() ^ bits;
    return shfl(value, other < size() ? other : thread_rank());
  }
  [[clang::convergent]] unsigned ballot(int predicate) const {
    return ranks_of(mask(), xcc::cuda::detail::votes(predicate));
  }
  [[clang::convergent]] int any(int predicate) const {
    return (xcc::cuda::detail::votes(predicate) & mask()) != 0;
  }
  [[clang::convergent]] int all(int predicate) const {
    return (xcc::cuda::detail::votes(!predicate) & mask()) == 0;
  }
  template <class Type>
  [[clang::convergent]] unsigned match_any(Type value) const {
    return ranks_of(mask(), lanes_with(value));
  }
  template <class Type>
  [[clang::convergent]] unsigned match_all(Type value, int &same) const {
    same = all(lanes_with(value) == mask());
    return same ? ranks_of(mask(), mask()) : 0;
  }
  /// The lanes of the group that passed the same value.
  template <class Type>
  [[clang::convergent]] unsigned lanes_with(Type value) const {
    const xcc::lane_mask found = xcc::match_any(value);
    return static_cast<unsigned>(found.bits >> (__xcc_lane_id() & 32)) & mask();
  }

private:
  unsigned mask() const { return static_cast<const Group *>(this)->mask(); }
  static unsigned warp_lane(unsigned lane) {
    return (__xcc_lane_id() & 32) | lane;
  }
};
} // namespace detail

/// The threads of a block.
class thread_block {
public:
  [[clang::convergent]] static void sync() { xcc::sync_block(); }
  static unsigned size() {
    return detail::threads(xcc::cuda::detail::block_dim());
  }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return xcc::cuda::detail::rank(); }
  static uint3 group_index() { return xcc::cuda::detail::block_idx(); }
  static uint3 thread_index() { return xcc::cuda::detail::thread_idx(); }
  static ::dim3 group_dim() { return xcc::cuda::detail::block_dim(); }
  static ::dim3 dim_threads() { return group_dim(); }
  static bool is_valid() { return true; }

  struct arrival_token {};
  /// Waits at arrive already: barrier_wait has nothing left to wait for.
  [[clang::convergent]] static arrival_token barrier_arrive() {
    sync();
    return {};
  }
  static void barrier_wait(arrival_token) {}
};
inline thread_block this_thread_block() { return {}; }

/// The lanes that reached coalesced_threads together, or a part of a group.
class coalesced_group : public detail::lanes<coalesced_group> {
public:
  explicit coalesced_group(unsigned mask, unsigned number = 0,
                           unsigned groups = 1)
      : mask_(mask), number_(number), groups_(groups) {}
  unsigned mask() const { return mask_; }
  unsigned meta_group_rank() const { return number_; }
  unsigned meta_group_size() const { return groups_; }

private:
  unsigned mask_, number_, groups_;
};
[[clang::convergent]] inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// Threads of a block, so many together, from a multiple of their number on.
template <unsigned Size, class Parent = void>
class thread_block_tile
    : public detail::lanes<thread_block_tile<Size, Parent>> {
  static_assert(Size && (Size & (Size - 1)) == 0 && Size <= 32,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other> &) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return detail::lane() % Size; }
  /// Where it is among the tiles of the block.
  static unsigned meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
  static unsigned meta_group_size() {
    return (thread_block::size() + Size - 1) / Size;
  }
  static unsigned mask() {
    return (~0u >> (32 - Size)) << (detail::lane() & ~(Size - 1));
  }

  template <class Type>
  [[clang::convergent]] Type shfl(const Type &value, unsigned rank) const {
    return xcc::shuffle(value, rank, Size);
  }
  template <class Type>
  [[clang::convergent]] Type shfl_down(const Type &value,
                                       unsigned delta) const {
    return xcc::shuffle_down(value, delta, Size);
  }
  template <class Type>
  [[clang::convergent]] Type shfl_up(const Type &value, unsigned delta) const {
    return xcc::shuffle_up(value, delta, Size);
  }
  template <class Type>
  [[clang::convergent]] Type shfl_xor(const Type &value, unsigned bits) const {
    return xcc::shuffle_xor(value, bits, Size);
  }
  [[clang::convergent]] unsigned ballot(int predicate) const {
    return (xcc::cuda::detail::votes(predicate) & mask()) >>
           (detail::lane() & ~(Size - 1));
  }
};

/// Any group of a block: the block, a tile, or coalesced lanes.
class thread_group {
public:
  thread_group(thread_block) {}
  thread_group(const coalesced_group &from) : mask_(from.mask()) {}
  template <unsigned Size, class Parent>
  thread_group(const thread_block_tile<Size, Parent> &from)
      : mask_(from.mask()) {}

  [[clang::convergent]] void sync() const {
    if (mask_)
      xcc::sync_warp();
    else
      xcc::sync_block();
  }
  unsigned size() const {
    return mask_ ? detail::count(mask_) : thread_block::size();
  }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return mask_ ? detail::count(mask_ & detail::below(detail::lane()))
                 : thread_block::thread_rank();
  }
  static bool is_valid() { return true; }
  /// Of lanes, or 0 of a block.
  unsigned mask() const { return mask_; }

private:
  unsigned mask_ = 0;
};

/// All threads of a launch. `sync` is for cooperative launches.
class grid_group {
public:
  [[clang::convergent]] static void sync() { xcc::sync_grid(); }
  static bool is_valid() { return true; }
  static unsigned long long size() {
    return num_blocks() * thread_block::size();
  }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static unsigned long long num_blocks() {
    const ::dim3 grid = dim_blocks();
    return 1ull * grid.x * grid.y * grid.z;
  }
  static unsigned long long block_rank() {
    const uint3 at = block_index();
    const ::dim3 grid = dim_blocks();
    return at.x + 1ull * grid.x * (at.y + 1ull * grid.y * at.z);
  }
  static uint3 block_index() { return xcc::cuda::detail::block_idx(); }
  static ::dim3 dim_blocks() { return xcc::cuda::detail::grid_dim(); }
  static ::dim3 group_dim() { return dim_blocks(); }
};
inline grid_group this_grid() { return {}; }

//===-- Parts of groups ---------------------------------------------------===//

template <unsigned Size>
inline thread_block_tile<Size, thread_block>
tiled_partition(const thread_block &) {
  return {};
}
template <unsigned Size, unsigned Outer, class Parent>
inline thread_block_tile<Size, thread_block_tile<Outer, Parent>>
tiled_partition(const thread_block_tile<Outer, Parent> &) {
  static_assert(Size <= Outer, "a part is no larger than the whole");
  return {};
}
/// Of coalesced lanes, so many by their ranks.
inline coalesced_group tiled_partition(const coalesced_group &of,
                                       unsigned size) {
  const unsigned number = of.thread_rank() / size;
  unsigned part = 0, mask = of.mask();
  for (unsigned rank = 0; mask; mask &= mask - 1, ++rank)
    if (rank / size == number)
      part |= mask & -mask;
  return coalesced_group(part, number, (of.size() + size - 1) / size);
}
template <unsigned Size>
inline coalesced_group tiled_partition(const coalesced_group &of) {
  return tiled_partition(of, Size);
}
/// The size is a power of two up to 32; a larger one is the block's own.
inline thread_group tiled_partition(const thread_group &of, unsigned size) {
  if (of.mask())
    return tiled_partition(coalesced_group(of.mask()), size);
  if (size > 32)
    return thread_block();
  return coalesced_group((~0u >> (32 - size))
                         << (detail::lane() & ~(size - 1)));
}

/// The lanes of the group that passed the same label.
template <class Group, class Label>
[[clang::convergent]] inline coalesced_group labeled_partition(const Group &of,
                                                               Label label) {
  return coalesced_group(of.lanes_with(label));
}
template <class Group>
[[clang::convergent]] inline coalesced_group binary_partition(const Group &of,
                                                              bool predicate) {
  return labeled_partition(of, predicate ? 1 : 0);
}

/// One thread of the group calls the function.
template <class Group, class Function, class... Arg>
inline void invoke_one(const Group &of, Function &&function, Arg &&...args) {
  if (of.thread_rank() == 0)
    function(static_cast<Arg &&>(args)...);
}

template <class Group> [[clang::convergent]] inline void sync(const Group &of) {
  of.sync();
}
template <class Group> inline auto thread_rank(const Group &of) {
  return of.thread_rank();
}
template <class Group> inline auto group_size(const Group &of) {
  return of.size();
}

//===-- Values of all lanes together --------------------------------------===//

#define XCC_CUDA_OPERATION(name, expression)                                   \
  template <class Type = void> struct name {                                   \
    constexpr Type operator()(Type a, Type b) const {                          \
      return static_cast<Type>(expression);                                    \
    }                                                                          \
  };                                                                           \
  template <> struct name<void> {                                              \
    template <class Type> constexpr Type operator()(Type a, Type b) const {    \
      return static_cast<Type>(expression);                                    \
    }                                                                          \
  };
XCC_CUDA_OPERATION(plus, a + b)
/// The smaller and the larger one, as CUDA has them.
XCC_CUDA_OPERATION(less, b < a ? b : a)
XCC_CUDA_OPERATION(greater, a < b ? b : a)
XCC_CUDA_OPERATION(bit_and, a &b)
XCC_CUDA_OPERATION(bit_or, a | b)
XCC_CUDA_OPERATION(bit_xor, a ^ b)
#undef XCC_CUDA_OPERATION

template <class Group, class Type, class Op = plus<>>
[[clang::convergent]] inline Type reduce(const Group &of, Type value,
                                         Op op = {}) {
  return xcc::warp_reduce(xcc::cuda::detail::lanes_of(of.mask()), value, op);
}
template <class Group, class Type, class Op = plus<>>
[[clang::convergent]] inline Type inclusive_scan(const Group &of, Type value,
                                                 Op op = {}) {
  return xcc::warp_inclusive_scan(xcc::cuda::detail::lanes_of(of.mask()), value,
                                  op);
}
/// Thread 0 gets Type(), which is right for sums, `|` and `^`.
template <class Group, class Type, class Op = plus<>>
[[clang::convergent]] inline Type exclusive_scan(const Group &of, Type value,
                                                 Op op = {}) {
  const Type upto = inclusive_scan(of, value, op);
  const Type before = of.shfl_up(upto, 1);
  return of.thread_rank() == 0 ? Type() : before;
}

//===-- Copies ------------------------------------------------------------===//

template <std::size_t Alignment> struct aligned_size_t {
  constexpr aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }
  std::size_t value;
};
/// The threads of the group copy together; `wait` makes the bytes visible.
template <class Group, class To, class From>
inline void memcpy_async(const Group &group, To *to, const From *from,
                         std::size_t bytes) {
  auto *out = reinterpret_cast<unsigned char *>(to);
  const auto *in = reinterpret_cast<const unsigned char *>(from);
  constexpr std::size_t step =
      alignof(To) < alignof(From) ? alignof(To) : alignof(From);
  const std::size_t whole = bytes / step * step;
  for (std::size_t at = group.thread_rank() * step; at < whole;
       at += group.size() * step)
    __builtin_memcpy(__builtin_assume_aligned(out + at, step),
                     __builtin_assume_aligned(in + at, step), step);
  for (std::size_t at = whole + group.thread_rank(); at < bytes;
       at += group.size())
    out[at] = in[at];
}
template <class Group> [[clang::convergent]] inline void wait(const Group &of) {
  of.sync();
}
/// All copies are done when it returns, those of later stages too.
template <unsigned Stages, class Group>
[[clang::convergent]] inline void wait_prior(const Group &of) {
  of.sync();
}

} // namespace cooperative_groups

#endif // XCC_CUDA_COOPERATIVE_GROUPS_H
