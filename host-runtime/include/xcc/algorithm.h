// Algorithms over device memory, with the standard's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/algorithm.h>
//
//     xcc::buffer<float> x(n), y(n);
//     xcc::transform(x, y.data(), [](float v) { return v * v; });
//     float sum = xcc::reduce(y, 0.0f);
//     xcc::sort(stream, x); // behind the stream's work, without a wait
//
// They take buffers, spans and whatever else has data() and size() of memory
// that the device reaches; where results go, an address does. Operations are
// function objects. With a stream, or a loop_config that names one, they return
// at once; without, they run in the default stream and wait. Temporary memory is
// taken and given back in the stream's order.
//
// The order of reductions and scans depends on the number of elements and on the
// device alone: where the operation is associative, results are the standard's.
// It need not be commutative. All are ordinary kernels, of threads that each
// have a piece of the elements, one after the other: on the CPU device, as many
// as keep its cores busy; on a GPU, short ones.

#ifndef XCC_ALGORITHM_H
#define XCC_ALGORITHM_H

#include <xcc/parallel_for.h>

#include <functional>

namespace xcc {
namespace detail {

template <class Range>
using element_of =
    std::remove_pointer_t<decltype(std::declval<const Range &>().data())>;
template <class Range, class = void> inline constexpr bool is_elements = false;
template <class Range>
inline constexpr bool is_elements<
    Range, std::void_t<element_of<Range>,
                       decltype(std::declval<const Range &>().size())>> = true;
template <class Range> using if_elements = std::enable_if_t<is_elements<Range>>;

/// Where an algorithm puts in its work, and how it divides elements there.
struct algorithm_run {
  loop_config how;
  bool waits;
  bool host = false; ///< the CPU device
  std::size_t threads = 1;

  algorithm_run(const loop_config &given, bool wait) : how(given), waits(wait) {
    int ordinal = 0;
    check(xcc_stream_device(how.on.handle(), &ordinal));
    xcc_device_properties known;
    check(xcc_device_get_properties(ordinal, &known));
    host = known.kind[0] == 'h' && known.kind[1] == 'o';
    // Of a CPU, some for each core, so that none waits for the slowest.
    threads = std::size_t(known.compute_units) * (host ? 4 : 1024);
    if (!threads)
      threads = 1;
  }
  /// The elements of a piece, of `count` in all.
  std::size_t piece(std::size_t count) const {
    const std::size_t least = host ? 2048 : 32;
    const std::size_t even = count / threads + (count % threads != 0);
    return even < least ? least : even;
  }
  static std::size_t pieces(std::size_t count, std::size_t piece) {
    return count / piece + (count % piece != 0);
  }
  /// Runs body(p) for every piece: on the CPU device in blocks of one thread,
  /// which are shared out to its cores.
  template <class Body> void each(std::size_t pieces, const Body &body) const {
    loop_config here = how;
    if (!here.block.x)
      here.block = dim3(host ? 1 : 128);
    parallel_for(here, pieces, body);
  }
  void finish() const {
    if (waits)
      check(xcc_stream_synchronize(how.on.handle()));
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
    check(xcc_alloc_async(size_of_objects<Type>(count), on, &memory));
    data = static_cast<Type *>(memory);
  }
  temporary(const temporary &) = delete;
  temporary &operator=(const temporary &) = delete;
  ~temporary() { (void)xcc_free_async(data, on); }
  /// A copy of the object at that place, once the stream got there.
  Type get(std::size_t at = 0) const {
    alignas(Type) unsigned char bytes[sizeof(Type)];
    check(xcc_copy_async(bytes, data + at, sizeof(Type), on));
    check(xcc_stream_synchronize(on));
    return *reinterpret_cast<Type *>(bytes);
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

/// out[number] = what `op` makes of get(index) for the indices of each piece.
template <class Type, class Get, class Op>
inline void reduce_pieces(const algorithm_run &run, std::size_t count,
                          std::size_t piece, Type *out, Get get, Op op) {
  run.each(run.pieces(count, piece), [=](std::size_t number) {
    const std::size_t first = number * piece;
    const std::size_t left = count - first;
    const std::size_t end = first + (left < piece ? left : piece);
    const std::size_t part = (end - first) / 8;
    Type sum = get(first);
    std::size_t next = first + 1;
    if (part > 1) {
      // Eighths, in their order, of which none waits for another's results.
      const std::size_t second = first + part, third = second + part,
                        fourth = third + part, fifth = fourth + part,
                        sixth = fifth + part, seventh = sixth + part,
                        eighth = seventh + part;
      Type sum_b = get(second), sum_c = get(third), sum_d = get(fourth),
           sum_e = get(fifth), sum_f = get(sixth), sum_g = get(seventh),
           sum_h = get(eighth);
      for (std::size_t index = 1; index < part; ++index) {
        sum = op(sum, get(first + index));
        sum_b = op(sum_b, get(second + index));
        sum_c = op(sum_c, get(third + index));
        sum_d = op(sum_d, get(fourth + index));
        sum_e = op(sum_e, get(fifth + index));
        sum_f = op(sum_f, get(sixth + index));
        sum_g = op(sum_g, get(seventh + index));
        sum_h = op(sum_h, get(eighth + index));
      }
      sum = op(op(op(sum, sum_b), op(sum_c, sum_d)),
               op(op(sum_e, sum_f), op(sum_g, sum_h)));
      next = eighth + part;
    }
    for (; next < end; ++next)
      sum = op(sum, get(next));
    out[number] = sum;
  });
}

/// Reads an array.
template <class Type> struct read_of {
  const Type *from;
  Type operator()(std::size_t index) const { return from[index]; }
};

/// *out = op(init, what `op` makes of all get(i)), by pieces of pieces.
template <class Type, class Get, class Op>
inline void reduce_to(const algorithm_run &run, std::size_t count, Type *out,
                      Type init, Get get, Op op) {
  if (count <= 64) {
    run.each(1, [=](std::size_t) {
      Type sum = init;
      for (std::size_t index = 0; index < count; ++index)
        sum = op(sum, get(index));
      *out = sum;
    });
    return;
  }
  const std::size_t piece = run.piece(count);
  const std::size_t pieces = run.pieces(count, piece);
  temporary<Type> sums(run, pieces);
  reduce_pieces(run, count, piece, sums.data, get, op);
  reduce_to(run, pieces, out, init, read_of<Type>{sums.data}, op);
}

/// Writes an array.
template <class Type> struct write_to {
  Type *to;
  void operator()(std::size_t index, const Type &, const Type &now) const {
    to[index] = now;
  }
};

/// Calls put(i, before, now) with what `op` makes of get(0) ... get(i - 1), and
/// of get(i) too. Before the first, both are get(0).
template <class Type, class Get, class Op, class Put>
inline void scan_to(const algorithm_run &run, std::size_t count, Get get, Op op,
                    Put put) {
  if (!count)
    return;
  const std::size_t piece = run.piece(count);
  const std::size_t pieces = run.pieces(count, piece);
  temporary<Type> sums(run, pieces);
  Type *const ends = sums.data;
  if (pieces > 1) {
    reduce_pieces(run, count, piece, ends, get, op);
    scan_to<Type>(run, pieces, read_of<Type>{ends}, op, write_to<Type>{ends});
  }
  run.each(pieces, [=](std::size_t number) {
    const std::size_t first = number * piece;
    const std::size_t left = count - first;
    const std::size_t end = first + (left < piece ? left : piece);
    Type now = get(first);
    if (number == 0) {
      put(first, now, now);
    } else {
      const Type before = ends[number - 1];
      now = op(before, now);
      put(first, before, now);
    }
    for (std::size_t index = first + 1; index < end; ++index) {
      const Type before = now;
      now = op(before, get(index));
      put(index, before, now);
    }
  });
}

/// Keys, and what goes with each of them, if anything does.
struct no_values {};
template <class Key, class Value> struct sorted {
  Key *key;
  Value *value;
  void take(std::size_t to, const sorted &from, std::size_t at) const {
    key[to] = from.key[at];
    if constexpr (!std::is_same_v<Value, no_values>)
      value[to] = from.value[at];
  }
};

/// How many of the first `rank` elements that two sorted arrays have together
/// come from the first.
template <class Key, class Less>
inline std::size_t merge_path(const Key *one, std::size_t ones,
                              const Key *other, std::size_t others,
                              std::size_t rank, const Less &less) {
  std::size_t low = rank > others ? rank - others : 0;
  std::size_t high = rank < ones ? rank : ones;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(other[rank - middle - 1], one[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Merges neighbouring runs of `width` elements; of their merged sequence, the
/// part from `first` up to `end`, which is within one pair of runs or more.
template <class Key, class Value, class Less>
inline void merge_part(const sorted<Key, Value> &from,
                       const sorted<Key, Value> &to, std::size_t count,
                       std::size_t width, std::size_t first, std::size_t end,
                       const Less &less) {
  while (first < end) {
    const std::size_t start = first - first % (2 * width);
    const std::size_t middle = count - start < width ? count : start + width;
    const std::size_t stop =
        count - start < 2 * width ? count : start + 2 * width;
    const std::size_t last = end < stop ? end : stop;
    std::size_t in_one =
        start + merge_path(from.key + start, middle - start, from.key + middle,
                           stop - middle, first - start, less);
    std::size_t in_other = middle + (first - start) - (in_one - start);
    // Which one is next cannot be predicted: no branch asks.
    for (; first < last && in_one < middle && in_other < stop; ++first) {
      const bool later = less(from.key[in_other], from.key[in_one]);
      to.take(first, from, later ? in_other : in_one);
      in_one += !later;
      in_other += later;
    }
    for (; first < last && in_one < middle; ++first)
      to.take(first, from, in_one++);
    for (; first < last; ++first)
      to.take(first, from, in_other++);
  }
}

/// A stable merge sort: runs within each piece, then all pieces of each round.
template <class Key, class Value, class Less>
inline void merge_sort(const algorithm_run &run, std::size_t count,
                       sorted<Key, Value> data, sorted<Key, Value> other,
                       Less less) {
  constexpr std::size_t run_length = 16;
  // Runs that double reach the piece's length.
  std::size_t piece = run_length;
  while (piece < run.piece(count))
    piece *= 2;
  const std::size_t pieces = run.pieces(count, piece);
  run.each(pieces, [=](std::size_t number) {
    const std::size_t first = number * piece;
    const std::size_t left = count - first;
    const std::size_t length = left < piece ? left : piece;
    sorted<Key, Value> from{data.key + first, nullptr};
    sorted<Key, Value> to{other.key + first, nullptr};
    if constexpr (!std::is_same_v<Value, no_values>) {
      from.value = data.value + first;
      to.value = other.value + first;
    }
    for (std::size_t begin = 0; begin < length; begin += run_length) {
      const std::size_t end =
          length - begin < run_length ? length : begin + run_length;
      for (std::size_t index = begin + 1; index < end; ++index) {
        const Key key = from.key[index];
        std::size_t at = index;
        if constexpr (std::is_same_v<Value, no_values>) {
          for (; at > begin && less(key, from.key[at - 1]); --at)
            from.take(at, from, at - 1);
          from.key[at] = key;
        } else {
          const Value value = from.value[index];
          for (; at > begin && less(key, from.key[at - 1]); --at)
            from.take(at, from, at - 1);
          from.key[at] = key;
          from.value[at] = value;
        }
      }
    }
    bool here = true;
    for (std::size_t width = run_length; width < length; width *= 2) {
      if (here)
        merge_part(from, to, length, width, 0, length, less);
      else
        merge_part(to, from, length, width, 0, length, less);
      here = !here;
    }
    if (!here)
      for (std::size_t index = 0; index < length; ++index)
        from.take(index, to, index);
  });
  bool here = true;
  for (std::size_t width = piece; width < count; width *= 2) {
    const sorted<Key, Value> from = here ? data : other;
    const sorted<Key, Value> to = here ? other : data;
    run.each(pieces, [=](std::size_t number) {
      const std::size_t first = number * piece;
      const std::size_t left = count - first;
      merge_part(from, to, count, width, first,
                 first + (left < piece ? left : piece), less);
    });
    here = !here;
  }
  if (!here)
    run.each(pieces, [=](std::size_t number) {
      const std::size_t first = number * piece;
      const std::size_t left = count - first;
      const std::size_t end = first + (left < piece ? left : piece);
      for (std::size_t index = first; index < end; ++index)
        data.take(index, other, index);
    });
}

//===----------------------------------------------------------------------===//
// Each algorithm, whether or not it waits
//===----------------------------------------------------------------------===//

template <class Range, class Op>
inline void for_each(const algorithm_run &run, const Range &range, Op op) {
  check_operation<Op>();
  parallel_for(run.how, range.size(),
               [op, at = range.data()](std::size_t index) { op(at[index]); });
  run.finish();
}

template <class In, class Out, class Op>
inline void transform(const algorithm_run &run, const In &in, Out *out, Op op) {
  check_operation<Op>();
  parallel_for(run.how, in.size(),
               [op, out, at = in.data()](std::size_t index) {
                 out[index] = op(at[index]);
               });
  run.finish();
}

template <class In, class Other, class Out, class Op>
inline void transform(const algorithm_run &run, const In &in,
                      const Other *other, Out *out, Op op) {
  check_operation<Op>();
  parallel_for(run.how, in.size(),
               [op, out, other, at = in.data()](std::size_t index) {
                 out[index] = op(at[index], other[index]);
               });
  run.finish();
}

template <class Range, class Type, class Op, class Change>
inline void transform_reduce(const algorithm_run &run, const Range &range,
                             Type *out, const Type &init, Op op,
                             Change change) {
  check_operation<Op>();
  check_operation<Change>();
  reduce_to(
      run, range.size(), out, init,
      [change, at = range.data()](std::size_t index) -> Type {
        return change(at[index]);
      },
      op);
}

template <class Range, class Out, class Op>
inline void inclusive_scan(const algorithm_run &run, const Range &in, Out *out,
                           Op op) {
  check_operation<Op>();
  using Type = std::remove_cv_t<element_of<Range>>;
  scan_to<Type>(run, in.size(), read_of<Type>{in.data()}, op,
                [out](std::size_t index, const Type &, const Type &now) {
                  out[index] = now;
                });
  run.finish();
}

template <class Range, class Out, class Type, class Op>
inline void exclusive_scan(const algorithm_run &run, const Range &in, Out *out,
                           const Type &init, Op op) {
  check_operation<Op>();
  const auto *const from = in.data();
  scan_to<Type>(
      run, in.size(), [from](std::size_t index) -> Type { return from[index]; },
      op,
      [=](std::size_t index, const Type &before, const Type &) {
        out[index] = index ? Type(op(init, before)) : init;
      });
  run.finish();
}

template <class Range, class Out, class Holds>
inline void copy_if(const algorithm_run &run, const Range &in, Out *out,
                    std::size_t *copied, Holds holds) {
  check_operation<Holds>();
  const std::size_t count = in.size();
  if (!count) {
    run.each(1, [=](std::size_t) { *copied = 0; });
    return;
  }
  const auto *const from = in.data();
  scan_to<std::size_t>(
      run, count,
      [=](std::size_t index) { return std::size_t(bool(holds(from[index]))); },
      std::plus<std::size_t>(),
      [=](std::size_t index, std::size_t before, std::size_t now) {
        // The first has none before it.
        if (index ? before != now : now != 0)
          out[now - 1] = from[index];
        if (index == count - 1)
          *copied = now;
      });
}

template <class Range, class Less>
inline void sort(const algorithm_run &run, const Range &range, Less less) {
  check_operation<Less>();
  using Key = element_of<Range>;
  const std::size_t count = range.size();
  if (count > 1) {
    temporary<Key> keys(run, count);
    merge_sort(run, count, sorted<Key, no_values>{range.data(), nullptr},
               sorted<Key, no_values>{keys.data, nullptr}, less);
  }
  run.finish();
}

template <class Range, class Value, class Less>
inline void sort_by_key(const algorithm_run &run, const Range &range,
                        Value *values, Less less) {
  check_operation<Less>();
  using Key = element_of<Range>;
  const std::size_t count = range.size();
  if (count > 1) {
    temporary<Key> keys(run, count);
    temporary<Value> others(run, count);
    merge_sort(run, count, sorted<Key, Value>{range.data(), values},
               sorted<Key, Value>{keys.data, others.data}, less);
  }
  run.finish();
}

/// The arguments of a function that does not wait, and of one that does.
#define XCC_IN_STREAM const loop_config &how
#define XCC_RUN detail::algorithm_run(how, false)
#define XCC_WRITTEN                                                            \
  const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()
#define XCC_WAIT                                                               \
  detail::algorithm_run(loop_config(nullptr, {0, 0, 0}, file, line), true)
} // namespace detail

/// Calls op(element) for every element:
///     xcc::for_each(particles, [](particle &p) { p.x += p.v; });
template <class Range, class Op, class = detail::if_elements<Range>>
inline void for_each(const Range &range, Op op, XCC_WRITTEN) {
  detail::for_each(XCC_WAIT, range, op);
}
/// The same, in a stream.
template <class Range, class Op, class = detail::if_elements<Range>>
inline void for_each(XCC_IN_STREAM, const Range &range, Op op) {
  detail::for_each(XCC_RUN, range, op);
}

/// out[i] = op(in[i]), or op(in[i], other[i]); the results may go where the
/// elements are:
///     xcc::transform(x, y.data(), [](float v) { return v * v; });
template <class In, class Out, class Op, class = detail::if_elements<In>>
inline void transform(const In &in, Out *out, Op op, XCC_WRITTEN) {
  detail::transform(XCC_WAIT, in, out, op);
}
/// The same, in a stream.
template <class In, class Out, class Op, class = detail::if_elements<In>>
inline void transform(XCC_IN_STREAM, const In &in, Out *out, Op op) {
  detail::transform(XCC_RUN, in, out, op);
}
/// The same of two elements each.
template <class In, class Other, class Out, class Op,
          class = detail::if_elements<In>>
inline void transform(const In &in, const Other *other, Out *out, Op op,
                      XCC_WRITTEN) {
  detail::transform(XCC_WAIT, in, other, out, op);
}
/// The same, in a stream.
template <class In, class Other, class Out, class Op,
          class = detail::if_elements<In>>
inline void transform(XCC_IN_STREAM, const In &in, const Other *other, Out *out,
                      Op op) {
  detail::transform(XCC_RUN, in, other, out, op);
}

/// What op makes of init and all change(element):
///     double squares = xcc::transform_reduce(x, 0.0, std::plus<double>(),
///                                            [](double v) { return v * v; });
template <class Range, class Type, class Op, class Change,
          class = detail::if_elements<Range>>
inline Type transform_reduce(const Range &range, Type init, Op op,
                             Change change, XCC_WRITTEN) {
  const detail::algorithm_run run = XCC_WAIT;
  detail::temporary<Type> out(run, 1);
  detail::transform_reduce(run, range, out.data, init, op, change);
  return out.get();
}
/// In a stream, *out on the device.
template <class Range, class Type, class Op, class Change,
          class = detail::if_elements<Range>>
inline void transform_reduce(XCC_IN_STREAM, const Range &range, Type *out,
                             detail::as_written<Type> init, Op op,
                             Change change) {
  detail::transform_reduce(XCC_RUN, range, out, init, op, change);
}

/// What op makes of init and all elements, in their order:
///     int most = xcc::reduce(x, 0, [](int a, int b) { return a > b ? a : b; });
template <class Range, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<Range>>
inline Type reduce(const Range &range, Type init, Op op = Op(), XCC_WRITTEN) {
  return transform_reduce(
      range, init, op,
      [](const detail::element_of<Range> &value) -> Type { return value; },
      file, line);
}
/// The same, in a stream.
template <class Range, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<Range>>
inline void reduce(XCC_IN_STREAM, const Range &range, Type *out,
                   detail::as_written<Type> init, Op op = Op()) {
  transform_reduce(
      how, range, out, init, op,
      [](const detail::element_of<Range> &value) -> Type { return value; });
}

/// How many elements something holds for:
///     auto negative = xcc::count_if(x, [](float v) { return v < 0; });
template <class Range, class Holds, class = detail::if_elements<Range>>
inline std::size_t count_if(const Range &range, Holds holds, XCC_WRITTEN) {
  detail::check_operation<Holds>();
  return transform_reduce(
      range, std::size_t(0), std::plus<std::size_t>(),
      [holds](const detail::element_of<Range> &value) {
        return std::size_t(bool(holds(value)));
      },
      file, line);
}

/// out[i] = what op makes of the elements up to and with number i; where they
/// are, if that is wanted:
///     xcc::inclusive_scan(counts, counts.data());
template <class Range, class Out,
          class Op = std::plus<std::remove_cv_t<detail::element_of<Range>>>,
          class = detail::if_elements<Range>>
inline void inclusive_scan(const Range &in, Out *out, Op op = Op(),
                           XCC_WRITTEN) {
  detail::inclusive_scan(XCC_WAIT, in, out, op);
}
/// The same, in a stream.
template <class Range, class Out,
          class Op = std::plus<std::remove_cv_t<detail::element_of<Range>>>,
          class = detail::if_elements<Range>>
inline void inclusive_scan(XCC_IN_STREAM, const Range &in, Out *out,
                           Op op = Op()) {
  detail::inclusive_scan(XCC_RUN, in, out, op);
}
/// out[i] = what op makes of init and the elements before number i.
template <class Range, class Out, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<Range>>
inline void exclusive_scan(const Range &in, Out *out, Type init, Op op = Op(),
                           XCC_WRITTEN) {
  detail::exclusive_scan(XCC_WAIT, in, out, init, op);
}
/// The same, in a stream.
template <class Range, class Out, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<Range>>
inline void exclusive_scan(XCC_IN_STREAM, const Range &in, Out *out, Type init,
                           Op op = Op()) {
  detail::exclusive_scan(XCC_RUN, in, out, init, op);
}

/// Copies, in order, the elements that something holds for, and returns how many
/// they are; it is asked twice for each. Not to where the elements are.
///     auto kept = xcc::copy_if(x, y.data(), [](float v) { return v > 0; });
template <class Range, class Out, class Holds,
          class = detail::if_elements<Range>>
inline std::size_t copy_if(const Range &in, Out *out, Holds holds,
                           XCC_WRITTEN) {
  const detail::algorithm_run run = XCC_WAIT;
  detail::temporary<std::size_t> copied(run, 1);
  detail::copy_if(run, in, out, copied.data, holds);
  return copied.get();
}
/// In a stream, their number goes to *copied on the device.
template <class Range, class Out, class Holds,
          class = detail::if_elements<Range>>
inline void copy_if(XCC_IN_STREAM, const Range &in, Out *out,
                    std::size_t *copied, Holds holds) {
  detail::copy_if(XCC_RUN, in, out, copied, holds);
}

/// Sorts; equal elements keep their order.
///     xcc::sort(x, std::greater<float>());
template <class Range, class Less = std::less<detail::element_of<Range>>,
          class = detail::if_elements<Range>>
inline void sort(const Range &range, Less less = Less(), XCC_WRITTEN) {
  detail::sort(XCC_WAIT, range, less);
}
/// The same, in a stream.
template <class Range, class Less = std::less<detail::element_of<Range>>,
          class = detail::if_elements<Range>>
inline void sort(XCC_IN_STREAM, const Range &range, Less less = Less()) {
  detail::sort(XCC_RUN, range, less);
}
/// Sorts keys, and brings what belongs to each of them into the same order:
///     xcc::sort_by_key(distances, indices.data());
template <class Range, class Value,
          class Less = std::less<detail::element_of<Range>>,
          class = detail::if_elements<Range>>
inline void sort_by_key(const Range &keys, Value *values, Less less = Less(),
                        XCC_WRITTEN) {
  detail::sort_by_key(XCC_WAIT, keys, values, less);
}
/// The same, in a stream.
template <class Range, class Value,
          class Less = std::less<detail::element_of<Range>>,
          class = detail::if_elements<Range>>
inline void sort_by_key(XCC_IN_STREAM, const Range &keys, Value *values,
                        Less less = Less()) {
  detail::sort_by_key(XCC_RUN, keys, values, less);
}

#undef XCC_IN_STREAM
#undef XCC_RUN
#undef XCC_WRITTEN
#undef XCC_WAIT

} // namespace xcc

#endif // XCC_ALGORITHM_H
