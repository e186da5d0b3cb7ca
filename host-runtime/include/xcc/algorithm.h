// Algorithms over device memory, with the standard's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/algorithm.h>
//
//     xcc::buffer<float> x(n), y(n);
//     xcc::transform(x, y, [](float v) { return v * v; });
//     float sum = xcc::reduce(y, 0.0f);
//     xcc::sort(stream, x); // after the stream's work, without a wait
//
// Elements are in buffers, spans and other objects with data() and size(), in
// memory that the device can access. Results may also be written to an address,
// for which no room is checked. Operations are function objects. With a stream,
// or a loop_config that names one, an algorithm returns at once; without, it runs
// in the default stream and waits. Temporary memory is allocated and freed in the
// stream's order.
//
// The order of reductions and scans depends only on the number of elements and on
// the device. If the operation is associative, results are those of the standard;
// it need not be commutative. All algorithms are ordinary kernels. On the CPU
// device they have as many threads as keep its cores busy, and each thread takes
// a piece of the elements; on a GPU, each block does.
//
// Errors. An algorithm throws xcc::error if a range has too little room or if
// memory runs out. A failure of an operation is thrown by the algorithm if it
// waits, else by the next synchronisation. Threads: as in <xcc/host.h>.

#ifndef XCC_ALGORITHM_H
#define XCC_ALGORITHM_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/algorithm/histogram.h>
#include <xcc/algorithm/nth_element.h>
#include <xcc/algorithm/scan.h>

namespace xcc {
namespace detail {

//===----------------------------------------------------------------------===//
// Each algorithm, whether or not it waits
//===----------------------------------------------------------------------===//

template <class In, class Out, class Op>
inline void transform(const algorithm_run &run, const In &in, Out &&out,
                      const Op &op) {
  check_operation<Op>();
  auto *const to = output(run.how, "xcc::transform's output", out, in.size());
  parallel_for(run.how, in.size(), [op, to, at = in.data()](std::size_t index) {
    to[index] = op(at[index]);
  });
  run.finish();
}

template <class In, class Other, class Out, class Op>
inline void transform(const algorithm_run &run, const In &in,
                      const Other &other, Out &&out, const Op &op) {
  check_operation<Op>();
  auto *const with =
      input(run.how, "xcc::transform's second input", other, in.size());
  auto *const to = output(run.how, "xcc::transform's output", out, in.size());
  parallel_for(run.how, in.size(),
               [op, to, with, at = in.data()](std::size_t index) {
                 to[index] = op(at[index], with[index]);
               });
  run.finish();
}

/// out[i] = make(i) for so many elements.
template <class Type, class Make>
inline void generate(const algorithm_run &run, Type *out, std::size_t count,
                     const Make &make) {
  parallel_for(run.how, count,
               [out, make](std::size_t index) { out[index] = make(index); });
  run.finish();
}

template <class Range, class Type, class Op, class Change>
inline void transform_reduce(const algorithm_run &run, const Range &range,
                             Type *out, const Type &init, const Op &op,
                             const Change &change) {
  check_operation<Op>();
  check_operation<Change>();
  reduce_to<Type>(
      run, range.size(),
      [change, at = range.data()](std::size_t index) -> Type {
        return change(at[index]);
      },
      op,
      [op, init, out](const Type *sum) {
        *out = sum ? Type(op(init, *sum)) : init;
      });
}

template <class Range, class Type, class Holds>
inline void count_if(const algorithm_run &run, const Range &range, Type *out,
                     const Holds &holds) {
  check_operation<Holds>();
  reduce_to<std::size_t>(
      run, range.size(),
      [holds, at = range.data()](std::size_t index) {
        return std::size_t(bool(holds(at[index])));
      },
      std::plus<std::size_t>(),
      [out](const std::size_t *sum) {
        *out = static_cast<Type>(sum ? *sum : 0);
      });
}

template <class Type> struct equal_to_value {
  Type value;
  template <class Element> bool operator()(const Element &other) const {
    return other == value;
  }
};

/// An element and its index.
template <class Type> struct placed {
  Type value;
  std::size_t at;
};

/// *out = the index of the first element that `before` puts before all others; 0
/// if there are no elements.
template <class Range, class Type, class Before>
inline void first_element(const algorithm_run &run, const Range &range,
                          Type *out, const Before &before) {
  const std::size_t count = range.size();
  if (run.host && count) {
    const division parts = run.by_thread(count);
    temporary<std::size_t> places(run, parts.pieces);
    const auto first_of = [before, at = range.data()](std::size_t first,
                                                      std::size_t end,
                                                      const auto &place) {
      std::size_t best = place(first);
      // An element is rarely before all earlier ones.
      for (std::size_t index = first + 1; index < end; ++index)
        if (__builtin_expect(bool(before(at[place(index)], at[best])), false))
          best = place(index);
      return best;
    };
    run.each(parts.pieces, [=, to = places.data](std::size_t number) {
      to[number] = first_of(parts.first(number), parts.end(number),
                            [](std::size_t index) { return index; });
    });
    run.each(1, [=, from = places.data](std::size_t) {
      *out = static_cast<Type>(first_of(
          0, parts.pieces, [from](std::size_t index) { return from[index]; }));
    });
    return;
  }
  using element = placed<value_of<const Range>>;
  reduce_to<element>(
      run, count,
      [at = range.data()](std::size_t index) {
        return element{at[index], index};
      },
      [before](const element &one, const element &other) {
        return before(other.value, one.value) ? other : one;
      },
      [out](const element *first) {
        *out = static_cast<Type>(first ? first->at : 0);
      });
}
template <class Less> struct reversed {
  Less less;
  template <class Type>
  bool operator()(const Type &one, const Type &other) const {
    return less(other, one);
  }
};

template <class Range, class Out, class Op>
inline void inclusive_scan(const algorithm_run &run, const Range &in, Out &&out,
                           const Op &op) {
  check_operation<Op>();
  using Type = value_of<const Range>;
  auto *const to =
      output(run.how, "xcc::inclusive_scan's output", out, in.size());
  scan_to<Type>(run, in.size(), read_of<Type>{in.data()}, op,
                [to](std::size_t index, const Type &, const Type &now) {
                  to[index] = now;
                });
  run.finish();
}

template <class Range, class Out, class Type, class Op>
inline void exclusive_scan(const algorithm_run &run, const Range &in, Out &&out,
                           const Type &init, const Op &op) {
  check_operation<Op>();
  const auto *const from = in.data();
  auto *const to =
      output(run.how, "xcc::exclusive_scan's output", out, in.size());
  scan_to<Type>(
      run, in.size(), [from](std::size_t index) -> Type { return from[index]; },
      op,
      [to](std::size_t index, const Type &before, const Type &) {
        to[index] = before;
      },
      start_with<Type>{init});
  run.finish();
}

/// Writes the chosen elements one after the other.
template <class In, class Out> struct put_chosen {
  static constexpr bool always = std::is_same_v<std::remove_cv_t<In>, Out>;
  In *from;
  Out *to;
  void operator()(std::size_t index, std::size_t rank) const {
    to[rank] = from[index];
  }
};
template <class In, class Out, class Number, class Holds>
inline void copy_if(const algorithm_run &run, const In &in, Out &&out,
                    Number *copied, const Holds &holds) {
  check_operation<Holds>();
  const auto *const from = in.data();
  auto *const to = output(
      run.how, "xcc::copy_if's output, for which all may hold", out, in.size());
  using Type = value_of<const In>;
  select_to<Type>(run, in.size(),
                  put_chosen<const Type, result_of<Out>>{from, to}, holds,
                  put_number<Number>{copied});
}

/// Writes the others behind the chosen ones.
template <class Type> struct put_behind {
  static constexpr bool always = true;
  const Type *from;
  Type *to;
  void operator()(std::size_t index, std::size_t rank,
                  std::size_t chosen) const {
    to[chosen + rank] = from[index];
  }
};

/// Calls keeps(index, element), or with the address of the element before, or null,
/// if it takes that.
template <class Type, class Keeps>
inline bool ask(const Keeps &keeps, std::size_t index, Type &element,
                Type *before) {
  if constexpr (looks_back<Keeps, Type>)
    return bool(keeps(index, element, before));
  else
    return bool(keeps(index, element));
}

/// Moves the elements for which `keeps` holds to the front, as select_once has it.
template <class Type, class Number, class Keeps>
inline void keep(const algorithm_run &run, Type *data, std::size_t count,
                 Number *kept, const Keeps &keeps) {
  const division parts = run.by_thread(count);
  if (run.host && count) {
    // Within its piece each thread reads ahead of what it writes. Then the pieces
    // move together.
    temporary<Type> edges(run, parts.pieces);
    temporary<std::size_t> numbers(run, parts.pieces);
    Type *const edge = edges.data;
    std::size_t *const number_of = numbers.data;
    run.each(1, [=](std::size_t) {
      captured(parts, edge, data);
      if constexpr (!on_gpu)
        for (std::size_t number = 1; number < parts.pieces; ++number)
          edge[number] = data[parts.first(number) - 1];
    });
    run.each(parts.pieces, [=](std::size_t number) {
      captured(parts, edge, keeps, data, number_of);
      if constexpr (!on_gpu) {
        const std::size_t first = parts.first(number), end = parts.end(number);
        std::size_t to = first;
        to += ask(keeps, first, data[first], number ? edge + number : nullptr);
        for (std::size_t index = first + 1; index < end; ++index) {
          const bool keep = ask(keeps, index, data[index], data + index - 1);
          data[to] = data[index]; // for the next to overwrite, if not kept
          to += keep;
        }
        number_of[number] = to - first;
      }
    });
    run.each(1, [=](std::size_t) {
      captured(parts, data, number_of, kept);
      if constexpr (!on_gpu) {
        std::size_t to = number_of[0];
        for (std::size_t number = 1; number < parts.pieces; ++number) {
          __builtin_memmove(static_cast<void *>(data + to),
                            data + parts.first(number),
                            number_of[number] * sizeof(Type));
          to += number_of[number];
        }
        *kept = static_cast<Number>(to);
      }
    });
    return;
  }
  if (!count) {
    run.each(1, [=](std::size_t) { *kept = 0; });
    return;
  }
  select_once<Type>(run, count, read_of<Type>{data}, keeps,
                    put_front<Type>{data}, leave_out(),
                    put_number<Number>{kept});
}

template <class Type, class Number, class Holds>
inline void remove_if(const algorithm_run &run, Type *data, std::size_t count,
                      Number *left, const Holds &holds) {
  check_operation<Holds>();
  keep(run, data, count, left,
       [holds](std::size_t, const Type &element) { return !holds(element); });
}

template <class Type, class Number, class Same>
inline void unique(const algorithm_run &run, Type *data, std::size_t count,
                   Number *left, const Same &same) {
  check_operation<Same>();
  keep(run, data, count, left,
       [same](std::size_t, const Type &element, const Type *before) {
         return !before || !same(*before, element);
       });
}

template <class Type, class Number, class Holds>
inline void partition(const algorithm_run &run, Type *data, std::size_t count,
                      Number *first, const Holds &holds) {
  check_operation<Holds>();
  if (!count) {
    run.each(1, [=](std::size_t) { *first = 0; });
    return;
  }
  temporary<Type> copy(run, count);
  Type *const to = copy.data;
  if (!run.host) {
    // The others wait in temporary memory, until all that holds is in front.
    temporary<std::size_t> number(run, 1);
    std::size_t *const all = number.data;
    select_once<Type>(
        run, count, read_of<Type>{data},
        [holds](std::size_t, const Type &element) {
          return bool(holds(element));
        },
        put_front<Type>{data},
        [to](std::size_t, std::size_t rank, const Type &element) {
          to[rank] = element;
        },
        put_number<std::size_t>{all});
    parallel_for(run.how, count, [=](std::size_t index) {
      if (index + *all < count)
        data[*all + index] = to[index];
      if (index == 0)
        *first = static_cast<Number>(*all);
    });
    return;
  }
  const division parts = run.by_thread(count);
  temporary<std::size_t> counts(run, parts.pieces);
  const auto chosen = [holds, data](std::size_t index) {
    return bool(holds(data[index]));
  };
  count_pieces<false>(run, parts, chosen, counts.data);
  // The chosen are first in the copy, too.
  divide_pieces<false>(
      run, parts, chosen, put_chosen<const Type, Type>{data, to},
      put_behind<Type>{data, to}, counts.data, put_number<Number>{first});
  parallel_for(run.how, count, [=](std::size_t index) {
    captured(data, to);
    if constexpr (!on_gpu)
      data[index] = to[index];
  });
}

template <class Range, class Less>
inline void sort(const algorithm_run &run, const Range &range,
                 const Less &less) {
  check_operation<Less>();
  const std::size_t count = range.size();
  auto *const data = output(run.how, "", range, 0);
  using Key = std::remove_reference_t<decltype(*data)>;
  if (count > 1)
    sort_whole<Key>(run, count, data, less);
  run.finish();
}

template <class Range, class Values, class Less>
inline void sort_by_key(const algorithm_run &run, const Range &range,
                        Values &&values, const Less &less) {
  check_operation<Less>();
  const std::size_t count = range.size();
  auto *const data = output(run.how, "", range, 0);
  auto *const with =
      output(run.how, "the values of xcc::sort_by_key", values, count);
  using Key = std::remove_reference_t<decltype(*data)>;
  using Value = std::remove_reference_t<decltype(*with)>;
  if (count > 1) {
    temporary<Key> keys(run, count);
    temporary<Value> others(run, count);
    stable_sort(run, count, sorted<Key, Value>{data, with},
                sorted<Key, Value>{keys.data, others.data}, less);
  }
  run.finish();
}

/// The address of one result.
template <class Out>
inline result_of<Out> *result(const loop_config &how, Out &&out) {
  return output(how, "an algorithm's result", out, 1);
}
/// Runs work that writes a number, and returns the number.
template <class Type, class Work>
inline Type wait_for(const algorithm_run &run, const Work &work) {
  temporary<Type> out(run, 1);
  work(out.data);
  return out.get();
}

/// The arguments of a function that does not wait, and of one that does.
#define XCC_IN_STREAM const loop_config &how
#define XCC_RUN detail::algorithm_run(how, false)
#define XCC_WRITTEN                                                            \
  const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()
#define XCC_WAIT                                                               \
  detail::algorithm_run(loop_config(nullptr, {0, 0, 0}, file, line), true)
} // namespace detail

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Calls op(element) for every element:
///     xcc::for_each(particles, [](particle &p) { p.x += p.v; });
template <class Range, class Op, class = detail::if_elements<Range>>
inline void for_each(Range &&range, Op op, XCC_WRITTEN) {
  for_each(loop_config(nullptr, {0, 0, 0}, file, line), range, op);
  detail::check(xcc_stream_synchronize(nullptr));
}
/// The same, in a stream.
template <class Range, class Op, class = detail::if_elements<Range>>
inline void for_each(XCC_IN_STREAM, Range &&range, Op op) {
  detail::check_operation<Op>();
  parallel_for(how, range.size(),
               [op, at = range.data()](std::size_t index) { op(at[index]); });
}

/// out[i] = op(in[i]), or op(in[i], other[i]). The output may be the input:
///     xcc::transform(x, y, [](float v) { return v * v; });
template <class In, class Out, class Op, class = detail::if_elements<const In>,
          class = detail::if_place<Out>>
inline void transform(const In &in, Out &&out, Op op, XCC_WRITTEN)
    XCC_CHANGES(Out) {
  detail::transform(XCC_WAIT, in, out, op);
}
/// The same, in a stream.
template <class In, class Out, class Op, class = detail::if_elements<const In>,
          class = detail::if_place<Out>>
inline void transform(XCC_IN_STREAM, const In &in, Out &&out, Op op)
    XCC_CHANGES(Out) {
  detail::transform(XCC_RUN, in, out, op);
}
/// The same for two inputs.
template <class In, class Other, class Out, class Op,
          class = detail::if_elements<const In>,
          class = detail::if_places<const Other &, Out>>
inline void transform(const In &in, const Other &other, Out &&out, Op op,
                      XCC_WRITTEN) XCC_CHANGES(Out) {
  detail::transform(XCC_WAIT, in, other, out, op);
}
/// The same, in a stream.
template <class In, class Other, class Out, class Op,
          class = detail::if_elements<const In>,
          class = detail::if_places<const Other &, Out>>
inline void transform(XCC_IN_STREAM, const In &in, const Other &other,
                      Out &&out, Op op) XCC_CHANGES(Out) {
  detail::transform(XCC_RUN, in, other, out, op);
}

/// Sets every element:
///     xcc::fill(x, 0.5f);
template <class Range, class = detail::if_elements<Range>>
inline void fill(Range &&range, const detail::value_of<Range> &value,
                 XCC_WRITTEN) XCC_CHANGES(Range) {
  const detail::algorithm_run run = XCC_WAIT;
  detail::generate(run, detail::output(run.how, "", range, 0), range.size(),
                   [value](std::size_t) { return value; });
}
/// The same, in a stream.
template <class Range, class = detail::if_elements<Range>>
inline void fill(XCC_IN_STREAM, Range &&range,
                 const detail::value_of<Range> &value) XCC_CHANGES(Range) {
  detail::generate(XCC_RUN, detail::output(how, "", range, 0), range.size(),
                   [value](std::size_t) { return value; });
}
/// Sets the elements to first, first + 1, first + 2 and so on:
///     xcc::iota(indices, 0);
template <class Range, class = detail::if_elements<Range>>
inline void iota(Range &&range, const detail::value_of<Range> &first,
                 XCC_WRITTEN) XCC_CHANGES(Range) {
  using Type = detail::value_of<Range>;
  const detail::algorithm_run run = XCC_WAIT;
  detail::generate(run, detail::output(run.how, "", range, 0), range.size(),
                   [first](std::size_t at) { return Type(first + Type(at)); });
}
/// The same, in a stream.
template <class Range, class = detail::if_elements<Range>>
inline void iota(XCC_IN_STREAM, Range &&range,
                 const detail::value_of<Range> &first) XCC_CHANGES(Range) {
  using Type = detail::value_of<Range>;
  detail::generate(XCC_RUN, detail::output(how, "", range, 0), range.size(),
                   [first](std::size_t at) { return Type(first + Type(at)); });
}

//===----------------------------------------------------------------------===//
// One result of all elements
//===----------------------------------------------------------------------===//

/// Combines init and all change(element) by op:
///     double squares = xcc::transform_reduce(x, 0.0, std::plus<double>(),
///                                            [](double v) { return v * v; });
template <class Range, class Type, class Op, class Change,
          class = detail::if_elements<const Range>>
inline Type transform_reduce(const Range &range, Type init, Op op,
                             Change change, XCC_WRITTEN) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<Type>(run, [&](Type *out) {
    detail::transform_reduce(run, range, out, init, op, change);
  });
}
/// In a stream, out[0] on the device.
template <class Range, class Out, class Op, class Change,
          class = detail::if_elements<const Range>>
inline void transform_reduce(XCC_IN_STREAM, const Range &range, Out &&out,
                             const detail::result_of<Out> &init, Op op,
                             Change change) XCC_CHANGES(Out) {
  detail::transform_reduce(XCC_RUN, range, detail::result(how, out), init, op,
                           change);
}

/// Combines init and all elements by op, in their order:
///     int most = xcc::reduce(x, 0, [](int a, int b) { return a > b ? a : b; });
template <class Range, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<const Range>>
inline Type reduce(const Range &range, Type init, Op op = Op(), XCC_WRITTEN) {
  return transform_reduce(
      range, init, op,
      [](const detail::value_of<const Range> &value) -> Type { return value; },
      file, line);
}
/// The same, in a stream.
template <class Range, class Out, class Op = std::plus<detail::result_of<Out>>,
          class = detail::if_elements<const Range>>
inline void reduce(XCC_IN_STREAM, const Range &range, Out &&out,
                   const detail::result_of<Out> &init, Op op = Op())
    XCC_CHANGES(Out) {
  using Type = detail::result_of<Out>;
  detail::transform_reduce(
      XCC_RUN, range, detail::result(how, out), init, op,
      [](const detail::value_of<const Range> &value) -> Type { return value; });
}

/// Returns for how many elements \p holds is true:
///     auto negative = xcc::count_if(x, [](float v) { return v < 0; });
template <class Range, class Holds, class = detail::if_elements<const Range>>
inline std::size_t count_if(const Range &range, Holds holds, XCC_WRITTEN) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(
      run, [&](std::size_t *out) { detail::count_if(run, range, out, holds); });
}
/// In a stream, out[0] on the device.
template <class Range, class Out, class Holds,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline void count_if(XCC_IN_STREAM, const Range &range, Out &&out, Holds holds)
    XCC_CHANGES(Out) {
  detail::count_if(XCC_RUN, range, detail::result(how, out), holds);
}
/// Returns how many elements equal \p value:
///     auto zeros = xcc::count(x, 0);
template <class Range, class Type, class = detail::if_elements<const Range>>
inline std::size_t count(const Range &range, const Type &value, XCC_WRITTEN) {
  return count_if(range, detail::equal_to_value<Type>{value}, file, line);
}
/// In a stream, out[0] on the device.
template <class Range, class Out, class Type,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline void count(XCC_IN_STREAM, const Range &range, Out &&out,
                  const Type &value) XCC_CHANGES(Out) {
  detail::count_if(XCC_RUN, range, detail::result(how, out),
                   detail::equal_to_value<Type>{value});
}

/// Returns the index of the first of the smallest elements; 0, which is size(),
/// if there are no elements:
///     std::size_t at = xcc::min_index(x);
template <class Range, class Less = std::less<>,
          class = detail::if_elements<const Range>>
inline std::size_t min_index(const Range &range, Less less = Less(),
                             XCC_WRITTEN) {
  detail::check_operation<Less>();
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(run, [&](std::size_t *out) {
    detail::first_element(run, range, out, less);
  });
}
/// In a stream, out[0] on the device.
template <class Range, class Out, class Less = std::less<>,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline void min_index(XCC_IN_STREAM, const Range &range, Out &&out,
                      Less less = Less()) XCC_CHANGES(Out) {
  detail::check_operation<Less>();
  detail::first_element(XCC_RUN, range, detail::result(how, out), less);
}

/// Returns the index of the first of the largest elements; 0, which is size(),
/// if there are no elements:
///     std::size_t at = xcc::max_index(x);
template <class Range, class Less = std::less<>,
          class = detail::if_elements<const Range>>
inline std::size_t max_index(const Range &range, Less less = Less(),
                             XCC_WRITTEN) {
  detail::check_operation<Less>();
  return min_index(range, detail::reversed<Less>{less}, file, line);
}
/// In a stream, out[0] on the device.
template <class Range, class Out, class Less = std::less<>,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline void max_index(XCC_IN_STREAM, const Range &range, Out &&out,
                      Less less = Less()) XCC_CHANGES(Out) {
  detail::check_operation<Less>();
  min_index(how, range, std::forward<Out>(out), detail::reversed<Less>{less});
}

/// Return where the first of the smallest, or of the largest, elements of the
/// range [\p first, \p last) of device memory is; \p last if there are none:
///     float *least = xcc::min_element(x.data(), x.data() + n);
template <class Type, class Less = std::less<>>
inline Type *min_element(Type *first, Type *last, Less less = Less(),
                         XCC_WRITTEN) {
  return first + min_index(device_span<Type>(first, std::size_t(last - first)),
                           less, file, line);
}
template <class Type, class Less = std::less<>>
inline Type *max_element(Type *first, Type *last, Less less = Less(),
                         XCC_WRITTEN) {
  return first + max_index(device_span<Type>(first, std::size_t(last - first)),
                           less, file, line);
}

/// Old names of min_index and max_index, for a range that is one object.
#define XCC_OLD_NAME(before, now)                                              \
  template <class Range, class Less = std::less<>,                             \
            class = detail::if_elements<const Range>>                          \
  [[deprecated("call " #now)]] inline std::size_t before(                      \
      const Range &range, Less less = Less(), XCC_WRITTEN) {                   \
    return now(range, less, file, line);                                       \
  }                                                                            \
  template <class Range, class Out, class Less = std::less<>,                  \
            class = detail::if_elements<const Range>,                          \
            class = detail::if_place<Out>>                                     \
  [[deprecated("call " #now)]] inline void before(                             \
      XCC_IN_STREAM, const Range &range, Out &&out, Less less = Less()) {      \
    now(how, range, std::forward<Out>(out), less);                             \
  }
XCC_OLD_NAME(min_element, min_index)
XCC_OLD_NAME(max_element, max_index)
#undef XCC_OLD_NAME

/// counts[b] = the number of elements with bin(element) == b, for all b below
/// counts.size(). Elements with another bin, a negative one for example, are not
/// counted. Counts are integers of 32 or 64 bits.
///     xcc::histogram(bytes, counts); // each is its own bin
///     xcc::histogram(x, counts, xcc::even_bins(-1.0f, 1.0f, counts.size()));
///     xcc::histogram(items, counts, [](item i) { return i.color; });
template <class Range, class Counts, class Bin = detail::own_bin,
          class = detail::if_elements<const Range>,
          class = detail::if_elements<Counts>>
inline void histogram(const Range &range, Counts &&counts, Bin bin = Bin(),
                      XCC_WRITTEN) XCC_CHANGES(Counts) {
  const detail::algorithm_run run = XCC_WAIT;
  detail::histogram(run, range.data(), range.size(),
                    detail::output(run.how, "", counts, 0), counts.size(), bin);
  run.finish();
}
/// The same, in a stream.
template <class Range, class Counts, class Bin = detail::own_bin,
          class = detail::if_elements<const Range>,
          class = detail::if_elements<Counts>>
inline void histogram(XCC_IN_STREAM, const Range &range, Counts &&counts,
                      Bin bin = Bin()) XCC_CHANGES(Counts) {
  detail::histogram(XCC_RUN, range.data(), range.size(),
                    detail::output(how, "", counts, 0), counts.size(), bin);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// out[i] = the elements up to and including number i, combined by op. The output
/// may be the input:
///     xcc::inclusive_scan(counts, counts);
template <
    class Range, class Out, class Op = std::plus<detail::value_of<const Range>>,
    class = detail::if_elements<const Range>, class = detail::if_place<Out>>
inline void inclusive_scan(const Range &in, Out &&out, Op op = Op(),
                           XCC_WRITTEN) XCC_CHANGES(Out) {
  detail::inclusive_scan(XCC_WAIT, in, out, op);
}
/// The same, in a stream.
template <
    class Range, class Out, class Op = std::plus<detail::value_of<const Range>>,
    class = detail::if_elements<const Range>, class = detail::if_place<Out>>
inline void inclusive_scan(XCC_IN_STREAM, const Range &in, Out &&out,
                           Op op = Op()) XCC_CHANGES(Out) {
  detail::inclusive_scan(XCC_RUN, in, out, op);
}
/// out[i] = init and the elements before number i, combined by op:
///     xcc::exclusive_scan(counts, offsets, 0);
template <class Range, class Out, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline void exclusive_scan(const Range &in, Out &&out, Type init, Op op = Op(),
                           XCC_WRITTEN) XCC_CHANGES(Out) {
  detail::exclusive_scan(XCC_WAIT, in, out, init, op);
}
/// The same, in a stream.
template <class Range, class Out, class Type, class Op = std::plus<Type>,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline void exclusive_scan(XCC_IN_STREAM, const Range &in, Out &&out, Type init,
                           Op op = Op()) XCC_CHANGES(Out) {
  detail::exclusive_scan(XCC_RUN, in, out, init, op);
}

//===----------------------------------------------------------------------===//
// Some of the elements
//===----------------------------------------------------------------------===//

/// Copies, in order, the elements for which \p holds is true, and returns their
/// number. The condition is evaluated once or twice for each element. The output is
/// not the input. A range has room for all elements; pass an address if it has less:
///     auto kept = xcc::copy_if(x, y, [](float v) { return v > 0; });
template <class Range, class Out, class Holds,
          class = detail::if_elements<const Range>,
          class = detail::if_place<Out>>
inline std::size_t copy_if(const Range &in, Out &&out, Holds holds, XCC_WRITTEN)
    XCC_CHANGES(Out) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(run, [&](std::size_t *copied) {
    detail::copy_if(run, in, out, copied, holds);
  });
}
/// In a stream, their number goes to copied[0] on the device.
template <class Range, class Out, class Number, class Holds,
          class = detail::if_elements<const Range>,
          class = detail::if_places<Out, Number>>
inline void copy_if(XCC_IN_STREAM, const Range &in, Out &&out, Number &&copied,
                    Holds holds) XCC_CHANGES(Out) XCC_CHANGES(Number) {
  detail::copy_if(XCC_RUN, in, out, detail::result(how, copied), holds);
}

/// Moves the elements for which \p holds is false to the front, in order, and
/// returns their number. The elements after them are not specified. The condition
/// is evaluated once or twice for each element.
///     auto left = xcc::remove_if(x, [](float v) { return v < 0; });
template <class Range, class Holds, class = detail::if_elements<Range>>
inline std::size_t remove_if(Range &&range, Holds holds, XCC_WRITTEN)
    XCC_CHANGES(Range) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(run, [&](std::size_t *out) {
    detail::remove_if(run, detail::output(run.how, "", range, 0), range.size(),
                      out, holds);
  });
}
/// In a stream, that number goes to out[0] on the device.
template <class Range, class Out, class Holds,
          class = detail::if_elements<Range>, class = detail::if_place<Out>>
inline void remove_if(XCC_IN_STREAM, Range &&range, Out &&out, Holds holds)
    XCC_CHANGES(Range) XCC_CHANGES(Out) {
  detail::remove_if(XCC_RUN, detail::output(how, "", range, 0), range.size(),
                    detail::result(how, out), holds);
}

/// Moves the elements that do not equal \p value to the front in the same way:
///     auto left = xcc::remove(x, 0.0f);
template <class Range, class Type, class = detail::if_elements<Range>>
inline std::size_t remove(Range &&range, const Type &value, XCC_WRITTEN)
    XCC_CHANGES(Range) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(run, [&](std::size_t *out) {
    detail::remove_if(run, detail::output(run.how, "", range, 0), range.size(),
                      out, detail::equal_to_value<Type>{value});
  });
}
/// In a stream, that number goes to out[0] on the device.
template <class Range, class Out, class Type,
          class = detail::if_elements<Range>, class = detail::if_place<Out>>
inline void remove(XCC_IN_STREAM, Range &&range, Out &&out, const Type &value)
    XCC_CHANGES(Range) XCC_CHANGES(Out) {
  detail::remove_if(XCC_RUN, detail::output(how, "", range, 0), range.size(),
                    detail::result(how, out),
                    detail::equal_to_value<Type>{value});
}

/// Moves the first of each group of equal neighbours to the front, in order, and
/// returns their number. The elements after them are not specified. Two
/// neighbours are compared once or twice.
///     xcc::sort(x);
///     auto different = xcc::unique(x);
template <class Range, class Same = std::equal_to<>,
          class = detail::if_elements<Range>>
inline std::size_t unique(Range &&range, Same same = Same(), XCC_WRITTEN)
    XCC_CHANGES(Range) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(run, [&](std::size_t *out) {
    detail::unique(run, detail::output(run.how, "", range, 0), range.size(),
                   out, same);
  });
}
/// In a stream, that number goes to out[0] on the device.
template <class Range, class Out, class Same = std::equal_to<>,
          class = detail::if_elements<Range>, class = detail::if_place<Out>>
inline void unique(XCC_IN_STREAM, Range &&range, Out &&out, Same same = Same())
    XCC_CHANGES(Range) XCC_CHANGES(Out) {
  detail::unique(XCC_RUN, detail::output(how, "", range, 0), range.size(),
                 detail::result(how, out), same);
}

/// Moves the elements for which \p holds is true before the others, keeps the
/// order of both, and returns their number. The condition is evaluated once or
/// twice for each element.
///     auto odd = xcc::partition(x, [](int v) { return v % 2 != 0; });
template <class Range, class Holds, class = detail::if_elements<Range>>
inline std::size_t partition(Range &&range, Holds holds, XCC_WRITTEN)
    XCC_CHANGES(Range) {
  const detail::algorithm_run run = XCC_WAIT;
  return detail::wait_for<std::size_t>(run, [&](std::size_t *out) {
    detail::partition(run, detail::output(run.how, "", range, 0), range.size(),
                      out, holds);
  });
}
/// In a stream, that number goes to out[0] on the device.
template <class Range, class Out, class Holds,
          class = detail::if_elements<Range>, class = detail::if_place<Out>>
inline void partition(XCC_IN_STREAM, Range &&range, Out &&out, Holds holds)
    XCC_CHANGES(Range) XCC_CHANGES(Out) {
  detail::partition(XCC_RUN, detail::output(how, "", range, 0), range.size(),
                    detail::result(how, out), holds);
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

/// Sorts; equal elements keep their order.
///     xcc::sort(x, std::greater<float>());
template <class Range, class Less = std::less<detail::value_of<Range>>,
          class = detail::if_elements<Range>>
inline void sort(Range &&range, Less less = Less(), XCC_WRITTEN)
    XCC_CHANGES(Range) {
  detail::sort(XCC_WAIT, range, less);
}
/// The same, in a stream.
template <class Range, class Less = std::less<detail::value_of<Range>>,
          class = detail::if_elements<Range>>
inline void sort(XCC_IN_STREAM, Range &&range, Less less = Less())
    XCC_CHANGES(Range) {
  detail::sort(XCC_RUN, range, less);
}
/// Sorts keys, and brings the value of each key into the same order:
///     xcc::sort_by_key(distances, indices);
template <class Range, class Values,
          class Less = std::less<detail::value_of<Range>>,
          class = detail::if_elements<Range>, class = detail::if_place<Values>>
inline void sort_by_key(Range &&keys, Values &&values, Less less = Less(),
                        XCC_WRITTEN) XCC_CHANGES(Range) XCC_CHANGES(Values) {
  detail::sort_by_key(XCC_WAIT, keys, values, less);
}
/// The same, in a stream.
template <class Range, class Values,
          class Less = std::less<detail::value_of<Range>>,
          class = detail::if_elements<Range>, class = detail::if_place<Values>>
inline void sort_by_key(XCC_IN_STREAM, Range &&keys, Values &&values,
                        Less less = Less()) XCC_CHANGES(Range)
    XCC_CHANGES(Values) {
  detail::sort_by_key(XCC_RUN, keys, values, less);
}

//===----------------------------------------------------------------------===//
// What is no algorithm's first argument
//===----------------------------------------------------------------------===//

// Addresses, iterators and arrays: an error that says what to write instead.
#ifdef __clang__
namespace detail {
template <class First>
using if_not_elements =
    std::enable_if_t<!is_elements<First> &&
                     !std::is_convertible_v<First, const loop_config &>>;
}
#define XCC_NOT_OF(name)                                                       \
  template <class First, class... Rest,                                        \
            class = detail::if_not_elements<First>>                            \
  void name(First &&, Rest &&...) __attribute__((diagnose_if(                  \
      true,                                                                    \
      "an algorithm takes its elements as a buffer, a span or anything that "  \
      "has data() and size(): xcc::" #name                                     \
      "(xcc::device_span(address, count), ...)",                               \
      "error")));
XCC_NOT_OF(for_each)
XCC_NOT_OF(transform)
XCC_NOT_OF(fill)
XCC_NOT_OF(iota)
XCC_NOT_OF(transform_reduce)
XCC_NOT_OF(reduce)
XCC_NOT_OF(count_if)
XCC_NOT_OF(count)
XCC_NOT_OF(min_element)
XCC_NOT_OF(max_element)
XCC_NOT_OF(min_index)
XCC_NOT_OF(max_index)
XCC_NOT_OF(histogram)
XCC_NOT_OF(inclusive_scan)
XCC_NOT_OF(exclusive_scan)
XCC_NOT_OF(copy_if)
XCC_NOT_OF(remove_if)
XCC_NOT_OF(remove)
XCC_NOT_OF(unique)
XCC_NOT_OF(partition)
XCC_NOT_OF(sort)
XCC_NOT_OF(sort_by_key)
#undef XCC_NOT_OF
#endif

#undef XCC_IN_STREAM
#undef XCC_RUN
#undef XCC_WRITTEN
#undef XCC_WAIT
#undef XCC_CHANGES

} // namespace xcc

#endif // XCC_ALGORITHM_H
