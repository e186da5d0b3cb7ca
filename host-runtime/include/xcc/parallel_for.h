// Loops on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for runs a body for every index of a range of one, two or three
// dimensions. It is a launch without blocks and threads. Errors and threads: as
// in <xcc/host.h>.
//
//     xcc::parallel_for(n, [=](std::size_t i) { y[i] += a * x[i]; });
//     xcc::parallel_for({width, height},
//                       [=](std::size_t x, std::size_t y) { ++image[y][x]; });
//     xcc::parallel_for(stream, n, body);
//     xcc::parallel_for({stream, {128}}, n, body); // in blocks of 128

#ifndef XCC_PARALLEL_FOR_H
#define XCC_PARALLEL_FOR_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/launch.h>

namespace xcc {

/// Where a parallel_for runs: the stream (none: the current device's default
/// stream), and the threads of a block, in as many dimensions as the loop has
/// (none: what suits the kernel). Algorithms that take one step for each element,
/// as transform does, run in such blocks; others choose their own. The compiler
/// fills in the last two fields.
///
///     xcc::parallel_for({stream, 128}, n, [=](std::size_t i) { y[i] = x[i]; });
struct loop_config {
  constexpr loop_config(stream_ref on = nullptr, dim3 block = {0, 0, 0},
                        const char *file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) noexcept
      : on(on), block(block), file(file), line(line) {}
  constexpr loop_config(stream &on, dim3 block = {0, 0, 0},
                        const char *file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) noexcept
      : loop_config(stream_ref(on), block, file, line) {}

  stream_ref on;    ///< the stream, which stays the caller's
  dim3 block;       ///< threads in each dimension; 0: what suits the kernel
  const char *file; ///< where it is written, for messages
  unsigned line;
};

namespace detail {
/// The most indices of one dimension. A larger number was negative before it
/// became a size_t.
inline constexpr std::size_t most_indices = SIZE_MAX / 2;

/// Rejects a larger number where it is written, if the compiler knows its value.
#ifdef __clang__
#define XCC_CHECKED_INDICES(count)                                             \
  __attribute__((diagnose_if(                                                  \
      (count) > ::xcc::detail::most_indices,                                   \
      "a loop cannot have a negative number of indices", "error")))
#else
#define XCC_CHECKED_INDICES(count)
#endif

/// Marks the call operators of the objects that parallel_for launches.
#ifdef __clang__
#define XCC_LOOP __attribute__((annotate("xcc.loop")))
#else
#define XCC_LOOP
#endif

template <class... Type>
using if_numbers =
    std::enable_if_t<(std::is_convertible_v<Type, std::size_t> && ...)>;

/// The indices of a whole loop.
template <std::size_t Dimensions> struct whole {
  std::size_t size[Dimensions];
};
} // namespace detail

/// The indices of a loop of two or three dimensions: from 0 up to each number.
/// The body takes as many indices. Neighbouring threads differ in the first one,
/// so it should run along a row of an image or a matrix.
template <std::size_t Dimensions> struct extents;
/// Two dimensions: width, height.
template <> struct extents<2> : detail::whole<2> {
  template <class Width, class Height,
            class = detail::if_numbers<Width, Height>>
  constexpr extents(Width x, Height y) noexcept
      XCC_CHECKED_INDICES(std::size_t(x)) XCC_CHECKED_INDICES(std::size_t(y))
      : whole{{std::size_t(x), std::size_t(y)}} {}
};
/// Three dimensions: width, height, depth.
template <> struct extents<3> : detail::whole<3> {
  template <class Width, class Height, class Depth,
            class = detail::if_numbers<Width, Height, Depth>>
  constexpr extents(Width x, Height y, Depth z) noexcept
      XCC_CHECKED_INDICES(std::size_t(x)) XCC_CHECKED_INDICES(std::size_t(y))
          XCC_CHECKED_INDICES(std::size_t(z))
      : whole{{std::size_t(x), std::size_t(y), std::size_t(z)}} {}
};
/// As many dimensions as there are numbers.
extents(std::size_t, std::size_t) -> extents<2>;
extents(std::size_t, std::size_t, std::size_t) -> extents<3>;

namespace detail {

template <std::size_t> using index_of_dimension = std::size_t;

template <class Callee, class Index> inline constexpr bool takes = false;
template <class Callee, std::size_t... Index>
inline constexpr bool takes<Callee, std::index_sequence<Index...>> =
    is_object<Callee> && calls_any<type_list<index_of_dimension<Index>...>,
                                   const Callee &, Callee &, Callee>();
/// The bodies that parallel_for takes for so many dimensions.
template <class Callee, std::size_t Dimensions>
inline constexpr bool is_body =
    takes<Callee, std::make_index_sequence<Dimensions>>;

/// The most indices of a loop of one dimension: those that the type of the body's
/// parameter, an int or an unsigned int, can hold.
template <class Params>
inline constexpr std::size_t indices_told_apart = most_indices;
template <class Index>
inline constexpr std::size_t indices_told_apart<type_list<Index>> =
    std::is_same_v<object_t<Index>, int>        ? std::size_t(1) << 31
    : std::is_same_v<object_t<Index>, unsigned> ? std::size_t(1) << 32
                                                : most_indices;
template <class Callee>
inline constexpr std::size_t most_for =
    indices_told_apart<typename call_params<object_t<Callee>>::type>;

/// The indices of one launch: a part of the loop's.
template <std::size_t Dimensions> struct part {
  std::size_t first[Dimensions], size[Dimensions];
};

/// Calls the body in a thread of such a launch. The comparison does not wrap,
/// which the compiler knows.
template <class Callee>
inline void call_body(const object_t<Callee> &body, const part<1> &here) {
  const std::size_t x = global_id();
  if (x < here.size[0]) {
    const std::size_t index = here.first[0] + x;
    // parallel_for looked. Else an int might be any, and neighbouring threads'
    // would not be known to be neighbours. (GPUs need no neighbours, and their
    // code generation finds several elements for a thread without this.)
#if defined(__clang__) && !defined(__XCC_SHUFFLES_BY_DISTANCE__)
    if constexpr (most_for<Callee> < most_indices)
      __builtin_assume(index < most_for<Callee>);
#endif
    call<Callee>(body, std::size_t(index));
  }
}
inline std::size_t global_y() {
  return std::size_t(block_idx().y) * block_dim().y + thread_idx().y;
}
inline std::size_t global_z() {
  return std::size_t(block_idx().z) * block_dim().z + thread_idx().z;
}
template <class Callee>
inline void call_body(const object_t<Callee> &body, const part<2> &here) {
  const std::size_t x = global_id(), y = global_y();
  if (x < here.size[0] && y < here.size[1])
    call<Callee>(body, here.first[0] + x, here.first[1] + y);
}
template <class Callee>
inline void call_body(const object_t<Callee> &body, const part<3> &here) {
  const std::size_t x = global_id(), y = global_y(), z = global_z();
  if (x < here.size[0] && y < here.size[1] && z < here.size[2])
    call<Callee>(body, here.first[0] + x, here.first[1] + y, here.first[2] + z);
}

/// The object that it launches for a body with a copy constructor of its own.
template <class Callee, std::size_t Dimensions> struct part_of_range {
  Callee body;
  part<Dimensions> here;
  XCC_LOOP void operator()() const { call_body<Callee>(body, here); }
};

/// A block of so many threads for such an extent: rows of up to 64 threads, which
/// is whole warps for GPUs and whole vectors for CPUs.
template <std::size_t Dimensions>
inline dim3 shape_block(unsigned threads,
                        const std::size_t (&size)[Dimensions]) {
  if constexpr (Dimensions == 1) {
    return dim3(threads);
  } else {
    unsigned x = 1;
    while (x < 64 && x < size[0] && x * 2 <= threads)
      x *= 2;
    unsigned y = 1;
    while (y < size[1] && x * y * 2 <= threads)
      y *= 2;
    return dim3(x, y, 1u);
  }
}

/// The parts of a loop, which are not larger than the grids of any device. No
/// template of the body, and not inlined: it is compiled once for all loops.
template <std::size_t Dimensions> class loop_parts {
public:
  /// \p most_told: the most indices that the body's parameter can hold.
  [[gnu::noinline]] loop_parts(const loop_config &how,
                               const whole<Dimensions> &range,
                               std::size_t most_told)
      : how(how), total(range.size), block(how.block) {
    for (std::size_t size : total)
      if (size > most_indices)
        check(xcc_check_indices(size, how.file, how.line));
    if (total[0] > most_told)
      check(xcc_check_range("a loop whose body takes an index of 32 bits (it "
                            "can be a std::size_t)",
                            total[0], most_told, how.file, how.line));
  }
  /// Goes to the next part, as an odometer counts; false at the end.
  [[gnu::noinline]] bool next() {
    std::size_t at = 0;
    if (!begun) {
      for (std::size_t size : total)
        if (size == 0)
          return false;
      begun = true;
    } else {
      for (; at != Dimensions; ++at) {
        here.first[at] += here.size[at];
        if (here.first[at] != total[at])
          break;
        here.first[at] = 0;
      }
      if (at == Dimensions)
        return false;
    }
    constexpr std::size_t most[] = {std::size_t(1) << 30, 1 << 15, 1 << 15};
    for (at = 0; at != Dimensions; ++at) {
      const std::size_t left = total[at] - here.first[at];
      here.size[at] = left < most[at] ? left : most[at];
    }
    return true;
  }
  /// The launch of this part.
  [[gnu::noinline]] launch_config config(const kernel_info &info) {
    if (!block.x) {
      std::uint32_t threads = 0;
      check(xcc_kernel_suggest_block(&info, 0, &threads));
      block = shape_block(threads, total);
    }
    launch_config out{{}, block, 0, how.on, how.file, how.line};
    const unsigned threads[] = {block.x, block.y, block.z};
    unsigned grid[3] = {1, 1, 1};
    for (std::size_t at = 0; at != Dimensions; ++at)
      grid[at] = unsigned((here.size[at] + threads[at] - 1) /
                          (threads[at] ? threads[at] : 1));
    out.grid = dim3(grid[0], grid[1], grid[2]);
    if constexpr (Dimensions == 1)
      out.flags = XCC_LAUNCH_LOOP;
    return out;
  }
  part<Dimensions> here = {};

private:
  const loop_config &how;
  const std::size_t (&total)[Dimensions];
  dim3 block;
  bool begun = false;
};

} // namespace detail

/// Runs the whole loop.
template <class Callee, std::size_t Dimensions>
inline void parallel_for(const loop_config &how,
                         const detail::whole<Dimensions> &range,
                         const Callee &body) {
  using namespace detail;
  loop_parts<Dimensions> parts(
      how, range, Dimensions == 1 ? most_for<Callee> : most_indices);
  while (parts.next()) {
    const part<Dimensions> here = parts.here;
    if constexpr (is_bits<Callee>) {
      const auto thread = [body, here]()
                              XCC_LOOP { call_body<Callee>(body, here); };
      launch(parts.config(kernel_info_for(thread)), thread);
    } else {
      using kernel = part_of_range<Callee, Dimensions>;
      alignas(kernel) char bits[sizeof(kernel)];
      __builtin_memcpy(bits, static_cast<const void *>(&body), sizeof(Callee));
      reinterpret_cast<kernel *>(bits)->here = here;
      const kernel_info &generic = info_of_object<kernel>(type_list<>{});
      launch_bits<kernel>(parts.config(generic), generic, bits, type_list<>{});
    }
  }
}

/// Runs body(i) for every i in [0, \p total), in any order, in blocks of the size
/// that xcc_kernel_suggest_block gives, and returns at once. Throws xcc::error if
/// a launch cannot be made, or if \p total is negative. A failure of a thread is
/// thrown by the next synchronisation.
///     xcc::parallel_for(n, [=](std::size_t i) { y[i] = 2 * x[i]; });
template <class Callee>
inline void parallel_for(std::size_t total, XCC_KERNEL const Callee &body,
                         const char *file = __builtin_FILE(),
                         unsigned line = __builtin_LINE())
    XCC_CHECKED_INDICES(total) {
  if constexpr (detail::is_body<Callee, 1>)
    parallel_for(loop_config(nullptr, {0, 0, 0}, file, line),
                 detail::whole<1>{{total}}, body);
  else
    detail::not_launched();
}
/// Runs body(i) for every i in [0, \p total) in a stream, or in blocks of a given
/// size:
///     xcc::parallel_for({stream, {128}}, n, body);
template <class Callee>
inline void parallel_for(const loop_config &how, std::size_t total,
                         XCC_KERNEL const Callee &body)
    XCC_CHECKED_INDICES(total) {
  if constexpr (detail::is_body<Callee, 1>)
    parallel_for(how, detail::whole<1>{{total}}, body);
  else
    detail::not_launched();
}
/// Runs body(x, y) or body(x, y, z) for all indices of an extent.
///     xcc::parallel_for({640, 480}, [=](auto x, auto y) { image[y][x] = 0; });
template <class Callee>
inline void parallel_for(extents<2> total, XCC_KERNEL const Callee &body,
                         const char *file = __builtin_FILE(),
                         unsigned line = __builtin_LINE()) {
  if constexpr (detail::is_body<Callee, 2>)
    parallel_for(loop_config(nullptr, {0, 0, 0}, file, line),
                 static_cast<const detail::whole<2> &>(total), body);
  else
    detail::not_launched();
}
template <class Callee>
inline void parallel_for(extents<3> total, XCC_KERNEL const Callee &body,
                         const char *file = __builtin_FILE(),
                         unsigned line = __builtin_LINE()) {
  if constexpr (detail::is_body<Callee, 3>)
    parallel_for(loop_config(nullptr, {0, 0, 0}, file, line),
                 static_cast<const detail::whole<3> &>(total), body);
  else
    detail::not_launched();
}
template <class Callee>
inline void parallel_for(const loop_config &how, extents<2> total,
                         XCC_KERNEL const Callee &body) {
  if constexpr (detail::is_body<Callee, 2>)
    parallel_for(how, static_cast<const detail::whole<2> &>(total), body);
  else
    detail::not_launched();
}
template <class Callee>
inline void parallel_for(const loop_config &how, extents<3> total,
                         XCC_KERNEL const Callee &body) {
  if constexpr (detail::is_body<Callee, 3>)
    parallel_for(how, static_cast<const detail::whole<3> &>(total), body);
  else
    detail::not_launched();
}

/// Braces instead of a body are an error with a message.
void parallel_for(std::size_t, ...) XCC_NO_TYPE;

#undef XCC_CHECKED_INDICES
#undef XCC_LOOP

} // namespace xcc

#endif // XCC_PARALLEL_FOR_H
