// What a kernel can ask and do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of the public API: where a thread is, barriers, memory that
// a block shares, and operations among the threads of a warp. Everything here
// has a meaning only in code that a kernel calls, directly or not. Called on the
// host, these functions end the program with a message that says so.
//
// Errors. No function here fails, unless its comment says otherwise.
//
// Threads. A function is about the thread that calls it, or about its lanes or
// block. Positions, sizes and distances are numbers of threads.

#ifndef XCC_DEVICE_H
#define XCC_DEVICE_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifndef NDEBUG
// As <assert.h> declares it. A program may have an assert macro of its own.
extern "C" __attribute__((noreturn)) void
__assert_fail(const char *, const char *, unsigned, const char *) noexcept;
#endif

// The device intrinsics. A target supplies them: by lowering the calls (the
// CPU device's block functions) or by definitions in its device runtime.
extern "C" {
[[gnu::const]] unsigned __xcc_thread_idx_x() noexcept;
[[gnu::const]] unsigned __xcc_thread_idx_y() noexcept;
[[gnu::const]] unsigned __xcc_thread_idx_z() noexcept;
[[gnu::const]] unsigned __xcc_block_idx_x() noexcept;
[[gnu::const]] unsigned __xcc_block_idx_y() noexcept;
[[gnu::const]] unsigned __xcc_block_idx_z() noexcept;
[[gnu::const]] unsigned __xcc_block_dim_x() noexcept;
[[gnu::const]] unsigned __xcc_block_dim_y() noexcept;
[[gnu::const]] unsigned __xcc_block_dim_z() noexcept;
[[gnu::const]] unsigned __xcc_grid_dim_x() noexcept;
[[gnu::const]] unsigned __xcc_grid_dim_y() noexcept;
[[gnu::const]] unsigned __xcc_grid_dim_z() noexcept;
[[gnu::const]] unsigned __xcc_lane_id() noexcept;
[[gnu::const]] unsigned __xcc_warp_size() noexcept;
[[gnu::const]] void *__xcc_dynamic_shared() noexcept;
[[gnu::const]] unsigned __xcc_dynamic_shared_size() noexcept;
std::uint64_t __xcc_clock() noexcept;
[[clang::convergent]] void __xcc_block_barrier() noexcept;
void __xcc_grid_wait() noexcept;
[[clang::convergent]] void __xcc_sync_warp() noexcept;
[[clang::convergent]] std::uint32_t __xcc_shuffle_32(std::uint32_t value,
                                                     unsigned lane) noexcept;
[[clang::convergent]] std::uint64_t __xcc_shuffle_64(std::uint64_t value,
                                                     unsigned lane) noexcept;
[[clang::convergent]] std::uint64_t __xcc_ballot(bool predicate) noexcept;
// GPUs shuffle by distance in one instruction.
[[clang::convergent]] std::uint32_t
__xcc_shuffle_up_32(std::uint32_t value, unsigned delta) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_shuffle_down_32(std::uint32_t value, unsigned delta) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_shuffle_xor_32(std::uint32_t value, unsigned mask) noexcept;
// The same within segments of a warp.
[[clang::convergent]] std::uint32_t
__xcc_shuffle_within_32(std::uint32_t value, unsigned lane,
                        unsigned width) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_shuffle_up_within_32(std::uint32_t value, unsigned delta,
                           unsigned width) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_shuffle_down_within_32(std::uint32_t value, unsigned delta,
                             unsigned width) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_shuffle_xor_within_32(std::uint32_t value, unsigned mask,
                            unsigned width) noexcept;
}

namespace xcc {

// Overloads rather than a template: a launch tries them for each overload of
// launch, and each deduction takes memory of the compiler.
#define XCC_FOR_INTEGERS(of)                                                   \
  of(int) of(unsigned) of(long) of(unsigned long) of(long long)                \
      of(unsigned long long) of(__int128_t) of(__uint128_t)

// The types that std::ceil returns: declared so that the compiler says what to
// write instead.
#ifdef __clang__
#define XCC_FRACTION                                                           \
  __attribute__((                                                              \
      diagnose_if(true,                                                        \
                  "the sizes of a grid and a block are whole numbers: "        \
                  "(n + 255) / 256, or int(std::ceil(x))",                     \
                  "error")))
#else
#define XCC_FRACTION = delete
#endif

namespace detail {
/// A negative or too large number becomes the largest unsigned.
template <class Type> constexpr unsigned checked_extent(Type given) {
  if constexpr (static_cast<Type>(-1) < static_cast<Type>(0))
    if (given < 0)
      return ~0u;
  if constexpr (sizeof(Type) > sizeof(unsigned))
    if (given > static_cast<Type>(~0u))
      return ~0u;
  return static_cast<unsigned>(given);
}

/// A size or position in one dimension.
struct extent {
  unsigned value;

#define XCC_EXTENT(Type)                                                       \
  constexpr extent(Type given) : value(checked_extent(given)) {}
  XCC_FOR_INTEGERS(XCC_EXTENT)
#undef XCC_EXTENT
  extent(float) XCC_FRACTION;
  extent(double) XCC_FRACTION;
  extent(long double) XCC_FRACTION;
};
} // namespace detail

/// Sizes or positions in three dimensions. Any integers construct one. A negative
/// or too large integer becomes the largest unsigned, for which a launch throws
/// with a message, so no narrowing passes unseen.
///
///     xcc::dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
struct dim3 {
  unsigned x = 1, y = 1, z = 1;

  constexpr dim3() = default;
#define XCC_DIM3(Type)                                                         \
  constexpr dim3(Type x_) : x(detail::checked_extent(x_)) {}
  XCC_FOR_INTEGERS(XCC_DIM3)
#undef XCC_DIM3
  dim3(float) XCC_FRACTION;
  dim3(double) XCC_FRACTION;
  dim3(long double) XCC_FRACTION;
  constexpr dim3(detail::extent x_, detail::extent y_, detail::extent z_ = 1)
      : x(x_.value), y(y_.value), z(z_.value) {}

  friend constexpr bool operator==(const dim3 &one, const dim3 &other) {
    return one.x == other.x && one.y == other.y && one.z == other.z;
  }
  friend constexpr bool operator!=(const dim3 &one, const dim3 &other) {
    return !(one == other);
  }
};
#undef XCC_FRACTION
#undef XCC_FOR_INTEGERS

namespace detail {
inline dim3 dim3_of(unsigned x, unsigned y, unsigned z) {
  dim3 out;
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}
} // namespace detail

//===----------------------------------------------------------------------===//
// Where a thread is
//===----------------------------------------------------------------------===//

/// This thread's position in its block, each coordinate from 0.
///
///     unsigned t = xcc::thread_idx().x;
inline dim3 thread_idx() {
  return detail::dim3_of(__xcc_thread_idx_x(), __xcc_thread_idx_y(),
                         __xcc_thread_idx_z());
}
/// This block's position in the grid, each coordinate from 0.
///
///     sums[xcc::block_idx().x] = sum;
inline dim3 block_idx() {
  return detail::dim3_of(__xcc_block_idx_x(), __xcc_block_idx_y(),
                         __xcc_block_idx_z());
}
/// Threads in each block.
///
///     for (unsigned i = t; i < n; i += xcc::block_dim().x)
///       y[i] = 2 * x[i];
inline dim3 block_dim() {
  return detail::dim3_of(__xcc_block_dim_x(), __xcc_block_dim_y(),
                         __xcc_block_dim_z());
}
/// Blocks in the grid.
///
///     bool last = xcc::block_idx().x + 1 == xcc::grid_dim().x;
inline dim3 grid_dim() {
  return detail::dim3_of(__xcc_grid_dim_x(), __xcc_grid_dim_y(),
                         __xcc_grid_dim_z());
}
/// This thread's position along x over the whole grid.
///
///     if (auto i = xcc::global_id(); i < n)
///       y[i] = 2 * x[i];
inline std::size_t global_id() {
  return std::size_t(__xcc_block_idx_x()) * __xcc_block_dim_x() +
         __xcc_thread_idx_x();
}
/// Threads along x in the whole grid: the stride of a grid-stride loop.
///
///     for (auto i = xcc::global_id(); i < n; i += xcc::global_size())
///       y[i] = 2 * x[i];
inline std::size_t global_size() {
  return std::size_t(__xcc_grid_dim_x()) * __xcc_block_dim_x();
}

/// Returns the ticks of a counter that only increases, to measure within one
/// thread: the clock of the GPU's compute unit, or the time stamp counter on the
/// CPU device. Another thread may read another counter.
///
///     const std::uint64_t begin = xcc::clock64();
///     work(x);
///     ticks[i] = xcc::clock64() - begin;
inline std::uint64_t clock64() { return __xcc_clock(); }

//===----------------------------------------------------------------------===//
// Blocks: barrier and shared memory
//===----------------------------------------------------------------------===//

/// Waits until every thread of the block that has not ended has called it, and
/// makes their writes to shared and global memory visible to each other.
///
///     tile[t] = x[i];
///     xcc::sync_block();
///     y[i] = tile[255 - t];
[[clang::convergent]] inline void sync_block() { __xcc_block_barrier(); }

/// Memory that the threads of one block share. Declare it static, in a
/// function or at namespace scope; its contents are unspecified when a block
/// starts. It indexes like the array it holds and converts to a reference to it.
///
///     static xcc::block_shared<float[256]> tile;
///     tile[xcc::thread_idx().x] = x[i];
template <class Type>
struct [[clang::annotate("xcc.block_shared")]] block_shared {
  static_assert(std::is_trivially_default_constructible_v<Type> &&
                    std::is_trivially_destructible_v<Type>,
                "block-shared memory runs no constructors: use a type that "
                "needs none");
  Type value;

  constexpr operator Type &() { return value; }
  /// The object itself, for places where the compiler does not convert to it.
  constexpr Type &get() { return value; }
  constexpr Type *operator&() { return &value; }
  template <class Value> constexpr Type &operator=(const Value &other) {
    return value = other;
  }
};
/// An array in a block's memory.
template <class Type, std::size_t Count>
struct [[clang::annotate("xcc.block_shared")]] block_shared<Type[Count]> {
  static_assert(std::is_trivially_default_constructible_v<Type> &&
                    std::is_trivially_destructible_v<Type>,
                "block-shared memory runs no constructors: use a type that "
                "needs none");
  using array = Type[Count];
  array value;

  // One subscript operator alone would compete with the built-in one that the
  // conversion offers; for arrays the conversion serves both.
  constexpr operator array &() { return value; }
  /// As std::array has them.
  constexpr array &get() { return value; }
  constexpr Type *data() { return value; }
  constexpr Type *begin() { return value; }
  constexpr Type *end() { return value + Count; }
  static constexpr std::size_t size() { return Count; }
};

/// The launch's shared_bytes as elements of Type, after all static block-shared
/// memory, aligned to 64 bytes.
///
///     float *row = xcc::dynamic_shared<float>();
///     ...
///     xcc::launch({{blocks}, {256}, width * sizeof(float)}, kernel, x, y);
template <class Type> inline Type *dynamic_shared() {
  return static_cast<Type *>(__xcc_dynamic_shared());
}
/// How many bytes the launch asked for.
///
///     std::size_t width = xcc::dynamic_shared_bytes() / sizeof(float);
inline std::size_t dynamic_shared_bytes() {
  return __xcc_dynamic_shared_size();
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Waits until all threads of the grid that have not ended have called it, and
/// makes their writes visible to each other. Use it in a cooperative launch; in
/// others it ends the launch with an error. All blocks must call it equally
/// often: on a GPU, blocks wait for ever for a block that has ended.
///
///     step(a, b);
///     xcc::sync_grid();
///     step(b, a);
///     ...
///     const xcc::kernel_info &info = xcc::kernel_info_for(steps);
///     unsigned most = xcc::max_cooperative_blocks(info, {256});
///     xcc::launch(xcc::cooperative({{most}, {256}}), steps, a, b);
[[clang::convergent]] inline void sync_grid() {
  // Thread 0 may have ended: whoever writes last is the one that waits.
  static block_shared<unsigned> last;
  const unsigned self =
      __xcc_thread_idx_x() +
      __xcc_block_dim_x() *
          (__xcc_thread_idx_y() + __xcc_block_dim_y() * __xcc_thread_idx_z());
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  __atomic_store_n(&last.value, self, __ATOMIC_RELAXED);
  __xcc_block_barrier();
  if (__atomic_load_n(&last.value, __ATOMIC_RELAXED) == self)
    __xcc_grid_wait();
  __xcc_block_barrier();
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//
//
// A warp is warp_size() threads with consecutive linear indices, x fastest.
// The lanes that take part are those that execute the call together. A lane that
// does not take part passes no value: a lane that asks for it gets its own value
// on the CPU device, and an unspecified value on a GPU.

/// Threads in a warp: 32 on the CPU device and NVIDIA, 32 or 64 on AMD.
///
///     for (unsigned d = xcc::warp_size() / 2; d; d /= 2)
///       sum += xcc::shuffle_down(sum, d);
inline unsigned warp_size() { return __xcc_warp_size(); }
/// This thread's position in its warp.
///
///     if (xcc::lane_id() == 0)
///       sums[warp] = sum;
inline unsigned lane_id() { return __xcc_lane_id(); }
/// A barrier among the lanes that execute the call together.
///
///     part[t] = x[i];
///     xcc::sync_warp();
///     y[i] = part[t ^ 1];
[[clang::convergent]] inline void sync_warp() { __xcc_sync_warp(); }

namespace detail {
/// Moves a value's bytes through a shuffle of words.
template <class Word, class Type, class Move>
[[clang::convergent]] inline Type shuffle_words(Type value, Move move) {
  static_assert(std::is_trivially_copyable_v<Type>,
                "shuffle moves bytes: T must be trivially copyable");
  constexpr std::size_t count =
      (sizeof(Type) + sizeof(Word) - 1) / sizeof(Word);
  Word words[count] = {};
  __builtin_memcpy(words, __builtin_addressof(value), sizeof(Type));
#pragma clang loop unroll(full)
  for (std::size_t at = 0; at < count; ++at)
    words[at] = move(words[at]);
  __builtin_memcpy(__builtin_addressof(value), words, sizeof(Type));
  return value;
}
} // namespace detail

#if !defined(__clang__) || !__has_attribute(maybe_undef)
/// Before a parameter: an argument may be a variable that has not been set. A
/// lane whose value no lane reads may pass one to a shuffle:
///
///     std::size_t first;
///     if (xcc::lane_id() == 0) first = std::atomic_ref(n).fetch_add(32);
///     first = xcc::shuffle(first, 0);
#define XCC_MAYBE_UNSET
#else
#define XCC_MAYBE_UNSET __attribute__((maybe_undef))
#endif

/// Returns the value that \p lane passed. Type is any trivially copyable type.
///
///     float first = xcc::shuffle(x[i], 0);
template <class Type>
[[clang::convergent]] inline Type shuffle(XCC_MAYBE_UNSET Type value,
                                          unsigned lane) {
  if constexpr (sizeof(Type) <= 4)
    return detail::shuffle_words<std::uint32_t>(
        value, [lane](std::uint32_t moved) __attribute__((convergent)) {
          return __xcc_shuffle_32(moved, lane);
        });
  else
    return detail::shuffle_words<std::uint64_t>(
        value, [lane](std::uint64_t moved) __attribute__((convergent)) {
          return __xcc_shuffle_64(moved, lane);
        });
}
/// Returns the value of the lane \p delta above; the caller's own value past the
/// last lane.
///
///     sum += xcc::shuffle_down(sum, 16);
template <class Type>
[[clang::convergent]] inline Type shuffle_down(XCC_MAYBE_UNSET Type value,
                                               unsigned delta) {
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [delta](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_down_32(moved, delta);
      });
#else
  const unsigned lane = lane_id();
  return shuffle(value, lane + delta < warp_size() ? lane + delta : lane);
#endif
}
/// Returns the value of the lane \p delta below; the caller's own value before
/// lane 0.
///
///     float before = xcc::shuffle_up(x[i], 1);
template <class Type>
[[clang::convergent]] inline Type shuffle_up(XCC_MAYBE_UNSET Type value,
                                             unsigned delta) {
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [delta](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_up_32(moved, delta);
      });
#else
  const unsigned lane = lane_id();
  return shuffle(value, lane >= delta ? lane - delta : lane);
#endif
}
/// Returns the value of the lane whose number differs in the bits of \p mask; the
/// caller's own value if there is no such lane.
///
///     float other = xcc::shuffle_xor(x[i], 1);
template <class Type>
[[clang::convergent]] inline Type shuffle_xor(XCC_MAYBE_UNSET Type value,
                                              unsigned mask) {
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [mask](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_xor_32(moved, mask);
      });
#else
  const unsigned lane = lane_id();
  return shuffle(value, (lane ^ mask) < warp_size() ? lane ^ mask : lane);
#endif
}

// Within segments: the same for each `width` lanes, as if they were a warp of
// their own. width is a power of two and at most warp_size(). Another width is a
// failed assertion; with NDEBUG the result is not specified.

namespace detail {
/// Ends the launch for a wrong width, unless NDEBUG is defined.
inline void check_width([[maybe_unused]] unsigned width) {
#ifndef NDEBUG
  if (!width || width & (width - 1) || width > warp_size())
    __assert_fail("the width of a shuffle is a power of two, and no more than "
                  "the lanes of a warp",
                  "xcc/device.h", __LINE__, "xcc::shuffle");
#endif
}
} // namespace detail

#ifdef __clang__
#define XCC_WIDTH_OF_SHUFFLE                                                   \
  __attribute__((                                                              \
      diagnose_if(width == 0 || width > 64 || (width & (width - 1)),           \
                  "the width of a shuffle is a power of two, and "             \
                  "no more than the lanes of a warp",                          \
                  "error")))
#else
#define XCC_WIDTH_OF_SHUFFLE
#endif

/// Lanes of a warp: bit l is lane l. It is the first argument of operations among
/// these lanes only.
///
///     float other = xcc::shuffle(xcc::lane_mask(0xffff), x[i], 3);
struct lane_mask {
  std::uint64_t bits;

  /// Bit l of \p lanes is lane l.
  explicit constexpr lane_mask(std::uint64_t lanes) : bits(lanes) {}
  /// Is \p lane one of them?
  constexpr bool contains(unsigned lane) const { return bits >> lane & 1; }
  /// How many there are, and the first of them; 64 if there is none.
  constexpr unsigned count() const {
    return static_cast<unsigned>(__builtin_popcountll(bits));
  }
  constexpr unsigned first() const {
    return bits ? static_cast<unsigned>(__builtin_ctzll(bits)) : 64;
  }
  friend constexpr bool operator==(lane_mask one, lane_mask other) {
    return one.bits == other.bits;
  }
  friend constexpr bool operator!=(lane_mask one, lane_mask other) {
    return one.bits != other.bits;
  }
};

namespace detail {
template <class Type>
using shuffled = std::enable_if_t<!std::is_same_v<Type, lane_mask>, Type>;
}

/// The value of the segment's lane `lane`, of which the bits below width count.
///
///     float first = xcc::shuffle(x[i], 0, 8); // of eight lanes
template <class Type>
[[clang::convergent]] inline detail::shuffled<Type>
shuffle(XCC_MAYBE_UNSET Type value, unsigned lane,
        unsigned width) XCC_WIDTH_OF_SHUFFLE {
  detail::check_width(width);
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [=](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_within_32(moved, lane, width);
      });
#else
  const unsigned first = lane_id() & (0 - width);
  return shuffle(value, first | (lane & (width - 1)));
#endif
}
/// Returns the value of the lane \p delta above; the caller's own value past the
/// last lane of its segment of \p width lanes.
template <class Type>
[[clang::convergent]] inline detail::shuffled<Type>
shuffle_down(XCC_MAYBE_UNSET Type value, unsigned delta,
             unsigned width) XCC_WIDTH_OF_SHUFFLE {
  detail::check_width(width);
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [=](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_down_within_32(moved, delta, width);
      });
#else
  const unsigned lane = lane_id(), at = lane & (width - 1);
  return shuffle(value, delta < width - at ? lane + delta : lane);
#endif
}
/// Returns the value of the lane \p delta below; the caller's own value before the
/// first lane of its segment of \p width lanes.
template <class Type>
[[clang::convergent]] inline detail::shuffled<Type>
shuffle_up(XCC_MAYBE_UNSET Type value, unsigned delta,
           unsigned width) XCC_WIDTH_OF_SHUFFLE {
  detail::check_width(width);
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [=](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_up_within_32(moved, delta, width);
      });
#else
  const unsigned lane = lane_id(), at = lane & (width - 1);
  return shuffle(value, at >= delta ? lane - delta : lane);
#endif
}
/// Returns the value of the lane whose number differs in the bits of \p mask; the
/// caller's own value if that lane is not in its segment of \p width lanes.
template <class Type>
[[clang::convergent]] inline detail::shuffled<Type>
shuffle_xor(XCC_MAYBE_UNSET Type value, unsigned mask,
            unsigned width) XCC_WIDTH_OF_SHUFFLE {
  detail::check_width(width);
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  return detail::shuffle_words<std::uint32_t>(
      value, [=](std::uint32_t moved) __attribute__((convergent)) {
        return __xcc_shuffle_xor_within_32(moved, mask, width);
      });
#else
  const unsigned lane = lane_id();
  return shuffle(value, mask < width ? lane ^ mask : lane);
#endif
}
#undef XCC_WIDTH_OF_SHUFFLE

/// Bit l is set if lane l takes part and its predicate is true.
///
///     int positive = std::popcount(xcc::ballot(x[i] > 0));
[[clang::convergent]] inline std::uint64_t ballot(bool predicate) {
  return __xcc_ballot(predicate);
}
/// Whether the predicate is true for any lane that takes part.
///
///     while (xcc::any(left > 0))
///       left = next(left);
[[clang::convergent]] inline bool any(bool predicate) {
  return __xcc_ballot(predicate) != 0;
}
/// Whether the predicate is true for every lane that takes part.
///
///     if (xcc::all(x[i] < limit))
///       return;
[[clang::convergent]] inline bool all(bool predicate) {
  return __xcc_ballot(!predicate) == 0;
}

// Among the lanes of a mask: what other lanes pass does not count. The lanes of
// a mask come to an operation together, as those of every warp operation do; a
// mask holds no lane back, and a lane that does not come is as one outside. The
// caller is in its mask.

/// The lanes that take part.
///
///     bool leads = xcc::lane_id() == xcc::active_lanes().first();
[[clang::convergent]] inline lane_mask active_lanes() {
  return lane_mask(__xcc_ballot(true));
}
[[clang::convergent]] inline void sync_warp(lane_mask) { __xcc_sync_warp(); }
[[clang::convergent]] inline std::uint64_t ballot(lane_mask lanes,
                                                  bool predicate) {
  return __xcc_ballot(predicate) & lanes.bits;
}
[[clang::convergent]] inline bool any(lane_mask lanes, bool predicate) {
  return (__xcc_ballot(predicate) & lanes.bits) != 0;
}
[[clang::convergent]] inline bool all(lane_mask lanes, bool predicate) {
  return (__xcc_ballot(!predicate) & lanes.bits) == 0;
}
/// Returns what the functions without a mask return, for example the value of the
/// lane \p delta above; the caller's own value if the mask is without that \p lane.
template <class Type>
[[clang::convergent]] inline Type
shuffle(lane_mask lanes, XCC_MAYBE_UNSET Type value, unsigned lane) {
  const Type moved = shuffle(value, lane);
  return lanes.contains(lane & (warp_size() - 1)) ? moved : value;
}
template <class Type>
[[clang::convergent]] inline Type
shuffle_down(lane_mask lanes, XCC_MAYBE_UNSET Type value, unsigned delta) {
  const Type moved = shuffle_down(value, delta);
  const unsigned lane = lane_id();
  return delta < warp_size() - lane && lanes.contains(lane + delta) ? moved
                                                                    : value;
}
template <class Type>
[[clang::convergent]] inline Type
shuffle_up(lane_mask lanes, XCC_MAYBE_UNSET Type value, unsigned delta) {
  const Type moved = shuffle_up(value, delta);
  const unsigned lane = lane_id();
  return lane >= delta && lanes.contains(lane - delta) ? moved : value;
}
template <class Type>
[[clang::convergent]] inline Type
shuffle_xor(lane_mask lanes, XCC_MAYBE_UNSET Type value, unsigned mask) {
  const Type moved = shuffle_xor(value, mask);
  return mask < warp_size() && lanes.contains(lane_id() ^ mask) ? moved : value;
}

} // namespace xcc

#endif // XCC_DEVICE_H
