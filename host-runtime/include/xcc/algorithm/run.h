// How algorithms divide their work, and what they take
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_RUN_H
#define XCC_ALGORITHM_RUN_H

#include <xcc/parallel_for.h>

#include <functional>

/// An atomic operation that all threads of the device see.
#ifdef __MEMORY_SCOPE_DEVICE
#define XCC_DEVICE_ATOMIC(operation, ...)                                      \
  __scoped_atomic_##operation(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)
#else // an older compiler, which makes no code for devices
#define XCC_DEVICE_ATOMIC(operation, ...) __atomic_##operation(__VA_ARGS__)
#endif

namespace xcc {
namespace detail {

/// What has data() and size(): buffers, spans, containers. Range is as a
/// forwarding reference has it: const where it was passed so.
template <class Range>
using element_of =
    std::remove_pointer_t<decltype(std::declval<Range &>().data())>;
template <class Range> using value_of = std::remove_cv_t<element_of<Range>>;
template <class Range, class = void> inline constexpr bool is_elements = false;
template <class Range>
inline constexpr bool is_elements<
    Range,
    std::void_t<element_of<Range>, decltype(std::declval<Range &>().size())>> =
    std::is_pointer_v<decltype(std::declval<Range &>().data())>;
template <class Range> using if_elements = std::enable_if_t<is_elements<Range>>;

/// Where results go: an address, or elements.
template <class Out, class = void> struct place {
  static constexpr bool is = false;
};
template <class Type> struct place<Type *, void> {
  static constexpr bool is = !std::is_void_v<Type> && !std::is_function_v<Type>;
  using type = Type;
};
template <class Range>
struct place<Range, std::enable_if_t<is_elements<Range>>> {
  static constexpr bool is = true;
  using type = element_of<Range>;
};
/// Of what a forwarding reference binds to.
template <class Out>
using place_of = std::conditional_t<
    std::is_pointer_v<std::remove_cv_t<std::remove_reference_t<Out>>>,
    place<std::remove_cv_t<std::remove_reference_t<Out>>>,
    place<std::remove_reference_t<Out>>>;
template <class Out> using if_place = std::enable_if_t<place_of<Out>::is>;
template <class... Out>
using if_places = std::enable_if_t<(place_of<Out>::is && ...)>;
/// What results are of that go there.
template <class Out, class = if_place<Out>>
using result_of = std::remove_cv_t<typename place_of<Out>::type>;
template <class Out>
inline constexpr bool holds_constants =
    std::is_const_v<typename place_of<Out>::type>;

/// Refuses constant elements where something is to change them, at the call.
#ifdef __clang__
#define XCC_CHANGES(Range)                                                     \
  __attribute__((diagnose_if(::xcc::detail::holds_constants<Range>,            \
                             "an algorithm's results cannot go where the "     \
                             "elements are const",                             \
                             "error")))
#else
#define XCC_CHANGES(Range)
#endif

/// The address of elements of which so many are read or written. That they are
/// const is refused by then.
template <class Range>
inline auto input(const loop_config &how, const char *what, Range &&range,
                  std::size_t needed) {
  using bare = std::remove_reference_t<Range>;
  if constexpr (std::is_pointer_v<std::remove_cv_t<bare>>) {
    return range;
  } else {
    if (range.size() < needed)
      check(xcc_check_range(what, needed, range.size(), how.file, how.line));
    return range.data();
  }
}
template <class Out>
inline result_of<Out> *output(const loop_config &how, const char *what,
                              Out &&out, std::size_t needed) {
#ifndef __clang__
  static_assert(!holds_constants<Out>,
                "an algorithm's results cannot go where the "
                "elements are const");
#endif
  return const_cast<result_of<Out> *>(input(how, what, out, needed));
}

/// Is this compiled for a GPU? There the threads of a block have a piece of the
/// elements together; on the CPU device each thread has one.
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
inline constexpr bool on_gpu = true;
#else
inline constexpr bool on_gpu = false;
#endif
inline constexpr unsigned block_threads = 256;
/// For what both use in another order, or only one of them: a lambda has the
/// same captures on both.
template <class... Type> inline void captured(const Type &...) {}

/// Elements as an algorithm divides them.
struct division {
  std::size_t count, piece, pieces;

  division(std::size_t count, std::size_t piece)
      : count(count), piece(piece),
        pieces(count / piece + (count % piece != 0)) {}
  std::size_t first(std::size_t number) const { return number * piece; }
  std::size_t end(std::size_t number) const {
    const std::size_t left = count - number * piece;
    return number * piece + (left < piece ? left : piece);
  }
};

/// Where an algorithm puts in its work, and how it divides elements there.
struct algorithm_run {
  loop_config how;
  bool waits;
  bool host = false; ///< the CPU device
  std::size_t units = 1;

  algorithm_run(const loop_config &given, bool wait) : how(given), waits(wait) {
    int ordinal = 0;
    check(xcc_stream_device(how.on.handle(), &ordinal));
    xcc_device_properties known;
    check(xcc_device_get_properties(ordinal, &known));
    host = known.kind[0] == 'h' && known.kind[1] == 'o';
    units = known.compute_units ? known.compute_units : 1;
  }
  /// A piece for each thread: of a CPU, some for each core, so that none waits
  /// for the slowest. What divides the length of a piece comes from the caller.
  division by_thread(std::size_t count, std::size_t multiple = 1) const {
    return divide(count, units * (host ? 4 : 1024), host ? 2048 : 32, multiple);
  }
  /// A piece for each block of a GPU, of whole tiles.
  division by_block(std::size_t count, std::size_t tile) const {
    return divide(count, units * 8, tile, tile);
  }
  /// Runs body(p) for every piece: on the CPU device in blocks of one thread,
  /// which are shared out to its cores.
  template <class Body> void each(std::size_t pieces, const Body &body) const {
    loop_config here = how;
    here.block = dim3(host ? 1 : 128);
    parallel_for(here, pieces, body);
  }
  /// The same, but on a GPU in all threads of a block.
  template <class Body>
  void each_block(std::size_t pieces, const Body &body) const {
    loop_config here = how;
    here.block = dim3(host ? 1 : block_threads);
    parallel_for(here, host ? pieces : pieces * block_threads,
                 [body](std::size_t index) {
                   body(on_gpu ? index / block_threads : index);
                 });
  }
  void finish() const {
    if (waits)
      check(xcc_stream_synchronize(how.on.handle()));
  }

private:
  static division divide(std::size_t count, std::size_t most, std::size_t least,
                         std::size_t multiple) {
    std::size_t piece = count / most + (count % most != 0);
    piece = piece < least ? least : piece;
    piece += multiple - 1;
    return {count, piece - piece % multiple};
  }
};

/// Memory in a stream's order.
template <class Type> class temporary {
  static_assert(std::is_trivially_copyable_v<Type>,
                "an algorithm keeps intermediate results in device memory, "
                "which holds what can be copied byte by byte");

public:
  temporary(const algorithm_run &run, std::size_t count)
      : on(run.how.on.handle()) {
    void *memory = nullptr;
    check(xcc_memory_alloc_async(size_of_objects<Type>(count), on, &memory));
    data = static_cast<Type *>(memory);
  }
  temporary(const temporary &) = delete;
  temporary &operator=(const temporary &) = delete;
  ~temporary() { (void)xcc_memory_free_async(data, on); }
  /// A copy of the object at that place, once the stream got there.
  Type get(std::size_t at = 0) const {
    alignas(Type) unsigned char bytes[sizeof(Type)];
    check(xcc_memory_copy_async(bytes, data + at, sizeof(Type), on));
    check(xcc_stream_synchronize(on));
    return *reinterpret_cast<Type *>(bytes);
  }
  /// Copies the first objects.
  void get(Type *to, std::size_t count) const {
    check(xcc_memory_copy_async(to, data, count * sizeof(Type), on));
    check(xcc_stream_synchronize(on));
  }
  Type *data;

private:
  xcc_stream *on;
};

template <class Op> constexpr void check_operation() {
  static_assert(std::is_class_v<Op>,
                "an algorithm's operation is a function object: instead of a "
                "function's name, write a lambda that calls it");
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_RUN_H
