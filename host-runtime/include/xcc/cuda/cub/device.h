// CUB: algorithms over a device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By <xcc/algorithm.h>, in the stream's order. The first call of each, with a null
// address of temporary memory, asks for one byte: the memory that algorithms
// need is taken and given back in the stream.

#ifndef XCC_CUDA_CUB_DEVICE_H
#define XCC_CUDA_CUB_DEVICE_H

#include <xcc/cuda/cub/block.h>
#include <xcc/cuda/thrust/orders.h>

namespace cub {
namespace detail {
using thrust::detail::element;
using thrust::detail::function_of;
using thrust::detail::raw;
template <class Iterator> using value_of = thrust::iterator_value_t<Iterator>;
/// What a run keeps between its steps.
template <class Type> using scratch = thrust::detail::device_run::scratch<Type>;

/// Runs work(run), unless memory is asked for.
template <class Work>
inline cudaError_t call(const void *memory, std::size_t &bytes, cudaStream_t on,
                        const Work &work) {
  if (!memory) {
    bytes = 1;
    return cudaSuccess;
  }
  return xcc::cuda::detail::attempt(
      [&] { work(thrust::detail::device_run(on, false)); });
}

/// *out = what op makes of init, if there is one, and get(n).
template <class Type, class Get, class Op, class Out>
inline void reduce(const thrust::detail::device_run &run, std::size_t count,
                   const Get &get, const Op &op, const Type &init,
                   const Out &out) {
  xcc::detail::reduce_to<Type>(run.run(), count, get, op,
                               [to = raw(out), op, init](const Type *sum) {
                                 *to = sum ? Type(op(init, *sum)) : init;
                               });
}
template <class Type, class In> struct read_as {
  In from;
  Type operator()(std::size_t index) const { return element(from, index); }
};
template <class Type, class In> inline auto reader(const In &in) {
  return read_as<Type, thrust::detail::raw_of<In>>{raw(in)};
}
template <class Type> constexpr Type lowest() {
  return std::numeric_limits<Type>::has_infinity
             ? Type(-std::numeric_limits<Type>::infinity())
             : std::numeric_limits<Type>::lowest();
}
template <class Type> constexpr Type highest() {
  return std::numeric_limits<Type>::has_infinity
             ? std::numeric_limits<Type>::infinity()
             : std::numeric_limits<Type>::max();
}

/// put(n, rank) for those that hold, and their number to an address.
template <class Put, class Number> struct put_and_count {
  static constexpr bool always = false;
  Put put;
  void operator()(std::size_t index, std::size_t rank) const {
    put(index, rank);
  }
};
template <class Holds, class Put, class Number>
inline void select(const thrust::detail::device_run &run, std::size_t count,
                   const Holds &holds, const Put &put, const Number &number) {
  xcc::detail::select_indices(run.run(), count, holds,
                              put_and_count<Put, Number>{put},
                              [to = raw(number)](std::size_t found) {
                                *to = static_cast<value_of<Number>>(found);
                              });
}
template <class In, class Out> struct put_element {
  In from;
  Out to;
  void operator()(std::size_t index, std::size_t rank) const {
    to[static_cast<std::ptrdiff_t>(rank)] = element(from, index);
  }
};
template <class In, class Out, class Number, class Holds>
inline void select_elements(const thrust::detail::device_run &run, const In &in,
                            const Out &out, const Number &number,
                            std::size_t count, const Holds &holds) {
  using put =
      put_element<thrust::detail::raw_of<In>, thrust::detail::raw_of<Out>>;
  select(run, count, holds, put{raw(in), raw(out)}, number);
}
/// The same to where they are.
template <class In, class Number, class Holds>
inline void select_in_place(const thrust::detail::device_run &run, const In &in,
                            const Number &number, std::size_t count,
                            const Holds &holds) {
  scratch<value_of<In>> kept(run, count);
  select_elements(run, in, kept.data, number, count, holds);
  run.each(count, [from = kept.data, to = raw(in),
                   all = raw(number)](std::size_t index) {
    if (index < static_cast<std::size_t>(*all))
      to[static_cast<std::ptrdiff_t>(index)] = from[index];
  });
}
template <class In, class Holds>
inline auto holding(const In &in, Holds holds) {
  return thrust::detail::holds_for<thrust::detail::raw_of<In>, Holds>{raw(in),
                                                                      holds};
}
template <class In, class Same = std::equal_to<>>
inline auto begins(const In &in, Same same = Same()) {
  return thrust::detail::begins_group<thrust::detail::raw_of<In>, Same>{raw(in),
                                                                        same};
}
} // namespace detail

#define XCC_CUB_MEMORY void *memory, std::size_t &bytes
#define XCC_CUB_STREAM cudaStream_t on = nullptr, bool = false
#define XCC_CUB_RUN                                                            \
  return detail::call(memory, bytes, on, [=](const auto &run)

struct DeviceReduce {
  template <class In, class Out, class Op, class Type>
  static cudaError_t Reduce(XCC_CUB_MEMORY, In in, Out out, std::size_t count,
                            Op op, Type init, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::reduce<Type>(run, count, detail::reader<Type>(in),
                           detail::function_of(op), init, out);
    });
  }
  template <class In, class Out, class Op, class Change, class Type>
  static cudaError_t TransformReduce(XCC_CUB_MEMORY, In in, Out out,
                                     std::size_t count, Op op, Change change,
                                     Type init, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::reduce<Type>(
          run, count,
          [from = detail::raw(in),
           change = detail::function_of(change)](std::size_t index) -> Type {
            return change(detail::element(from, index));
          },
          detail::function_of(op), init, out);
    });
  }
  template <class In, class Out>
  static cudaError_t Sum(XCC_CUB_MEMORY, In in, Out out, std::size_t count,
                         XCC_CUB_STREAM) {
    using Type = detail::value_of<Out>;
    return Reduce(memory, bytes, in, out, count, std::plus<Type>(), Type(0),
                  on);
  }
  template <class In, class Out>
  static cudaError_t Min(XCC_CUB_MEMORY, In in, Out out, std::size_t count,
                         XCC_CUB_STREAM) {
    using Type = detail::value_of<In>;
    return Reduce(memory, bytes, in, out, count, thrust::minimum<Type>(),
                  detail::highest<Type>(), on);
  }
  template <class In, class Out>
  static cudaError_t Max(XCC_CUB_MEMORY, In in, Out out, std::size_t count,
                         XCC_CUB_STREAM) {
    using Type = detail::value_of<In>;
    return Reduce(memory, bytes, in, out, count, thrust::maximum<Type>(),
                  detail::lowest<Type>(), on);
  }
  /// To an address of a KeyValuePair with the index.
  template <class In, class Out>
  static cudaError_t ArgMin(XCC_CUB_MEMORY, In in, Out out, std::size_t count,
                            XCC_CUB_STREAM) {
    using Pair = detail::value_of<Out>;
    return Reduce(memory, bytes, indexed<Pair>(in), out, count, cub::ArgMin(),
                  Pair(1, detail::highest<typename Pair::Value>()), on);
  }
  template <class In, class Out>
  static cudaError_t ArgMax(XCC_CUB_MEMORY, In in, Out out, std::size_t count,
                            XCC_CUB_STREAM) {
    using Pair = detail::value_of<Out>;
    return Reduce(memory, bytes, indexed<Pair>(in), out, count, cub::ArgMax(),
                  Pair(1, detail::lowest<typename Pair::Value>()), on);
  }
  template <class Keys, class OutKeys, class In, class Out, class Number,
            class Op>
  static cudaError_t ReduceByKey(XCC_CUB_MEMORY, Keys keys, OutKeys out_keys,
                                 In in, Out out, Number number, Op op,
                                 std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      using Type = detail::value_of<In>;
      detail::scratch<Type> sums(run, count);
      const auto begins = detail::begins(keys);
      thrust::detail::scan_groups<Type>(
          run, count, begins, detail::reader<Type>(in), detail::function_of(op),
          [to = sums.data](std::size_t index, const Type &now) {
            to[index] = now;
          });
      detail::select(
          run, count,
          [begins, count](std::size_t index) {
            return index + 1 == count || begins(index + 1);
          },
          [begins, sum = sums.data, to_keys = detail::raw(out_keys),
           to = detail::raw(out)](std::size_t index, std::size_t rank) {
            const auto at = static_cast<std::ptrdiff_t>(rank);
            to_keys[at] = detail::element(begins.keys, index);
            to[at] = sum[index];
          },
          number);
    });
  }

private:
  template <class Pair, class In> static auto indexed(const In &in) {
    return thrust::make_transform_iterator(
        thrust::counting_iterator<std::size_t>(0),
        [from = detail::raw(in)](std::size_t index) {
          return Pair(static_cast<typename Pair::Key>(index),
                      detail::element(from, index));
        });
  }
};

struct DeviceScan {
  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(XCC_CUB_MEMORY, In in, Out out, Op op,
                                   std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      thrust::detail::inclusive_scan_work()(
          run, in, in + static_cast<std::ptrdiff_t>(count), out,
          detail::function_of(op));
    });
  }
  template <class In, class Out, class Op, class Type>
  static cudaError_t ExclusiveScan(XCC_CUB_MEMORY, In in, Out out, Op op,
                                   Type init, std::size_t count,
                                   XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      thrust::detail::exclusive_scan_work()(
          run, in, in + static_cast<std::ptrdiff_t>(count), out, init,
          detail::function_of(op));
    });
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(XCC_CUB_MEMORY, In in, Out out,
                                  std::size_t count, XCC_CUB_STREAM) {
    return InclusiveScan(memory, bytes, in, out,
                         std::plus<detail::value_of<In>>(), count, on);
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(XCC_CUB_MEMORY, In in, Out out,
                                  std::size_t count, XCC_CUB_STREAM) {
    using Type = detail::value_of<In>;
    return ExclusiveScan(memory, bytes, in, out, std::plus<Type>(), Type(0),
                         count, on);
  }
  template <class Data>
  static cudaError_t InclusiveSum(XCC_CUB_MEMORY, Data data, std::size_t count,
                                  cudaStream_t on = nullptr) {
    return InclusiveSum(memory, bytes, data, data, count, on);
  }
  template <class Data>
  static cudaError_t ExclusiveSum(XCC_CUB_MEMORY, Data data, std::size_t count,
                                  cudaStream_t on = nullptr) {
    return ExclusiveSum(memory, bytes, data, data, count, on);
  }
  template <class Keys, class In, class Out, class Same = std::equal_to<>>
  static cudaError_t InclusiveSumByKey(XCC_CUB_MEMORY, Keys keys, In in,
                                       Out out, std::size_t count,
                                       Same same = Same(), XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      thrust::detail::inclusive_scan_by_key_work()(
          run, keys, keys + static_cast<std::ptrdiff_t>(count), in, out, same);
    });
  }
  template <class Keys, class In, class Out, class Same = std::equal_to<>>
  static cudaError_t ExclusiveSumByKey(XCC_CUB_MEMORY, Keys keys, In in,
                                       Out out, std::size_t count,
                                       Same same = Same(), XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      thrust::detail::exclusive_scan_by_key_work()(
          run, keys, keys + static_cast<std::ptrdiff_t>(count), in, out,
          detail::value_of<In>(0), same);
    });
  }
};

struct DeviceSelect {
  template <class In, class Flags, class Out, class Number>
  static cudaError_t Flagged(XCC_CUB_MEMORY, In in, Flags flags, Out out,
                             Number number, std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::select_elements(run, in, out, number, count,
                              detail::holding(flags, thrust::identity<>()));
    });
  }
  template <class Data, class Flags, class Number>
  static cudaError_t Flagged(XCC_CUB_MEMORY, Data data, Flags flags,
                             Number number, std::size_t count,
                             cudaStream_t on = nullptr) {
    XCC_CUB_RUN {
      detail::select_in_place(run, data, number, count,
                              detail::holding(flags, thrust::identity<>()));
    });
  }
  template <class In, class Out, class Number, class Holds>
  static cudaError_t If(XCC_CUB_MEMORY, In in, Out out, Number number,
                        std::size_t count, Holds holds, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::select_elements(run, in, out, number, count,
                              detail::holding(in, detail::function_of(holds)));
    });
  }
  template <class Data, class Number, class Holds>
  static cudaError_t If(XCC_CUB_MEMORY, Data data, Number number,
                        std::size_t count, Holds holds,
                        cudaStream_t on = nullptr) {
    XCC_CUB_RUN {
      detail::select_in_place(
          run, data, number, count,
          detail::holding(data, detail::function_of(holds)));
    });
  }
  template <class In, class Out, class Number>
  static cudaError_t Unique(XCC_CUB_MEMORY, In in, Out out, Number number,
                            std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::select_elements(run, in, out, number, count, detail::begins(in));
    });
  }
  template <class Keys, class In, class OutKeys, class Out, class Number>
  static cudaError_t UniqueByKey(XCC_CUB_MEMORY, Keys keys, In in,
                                 OutKeys out_keys, Out out, Number number,
                                 std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::select_elements(run, thrust::make_zip_iterator(keys, in),
                              thrust::make_zip_iterator(out_keys, out), number,
                              count, detail::begins(keys));
    });
  }
};

/// What is selected comes first; the others behind it, the last one first.
struct DevicePartition {
  template <class In, class Flags, class Out, class Number>
  static cudaError_t Flagged(XCC_CUB_MEMORY, In in, Flags flags, Out out,
                             Number number, std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      divide(run, in, out, number, count,
             detail::holding(flags, thrust::identity<>()));
    });
  }
  template <class In, class Out, class Number, class Holds>
  static cudaError_t If(XCC_CUB_MEMORY, In in, Out out, Number number,
                        std::size_t count, Holds holds, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      divide(run, in, out, number, count,
             detail::holding(in, detail::function_of(holds)));
    });
  }

private:
  template <class In, class Out, class Number, class Holds>
  static void divide(const thrust::detail::device_run &run, const In &in,
                     const Out &out, const Number &number, std::size_t count,
                     const Holds &holds) {
    detail::select_elements(run, in, out, number, count, holds);
    scratch_number left(run, 1);
    const auto last =
        thrust::make_reverse_iterator(out + static_cast<std::ptrdiff_t>(count));
    detail::select_elements(run, in, last, left.data, count,
                            thrust::detail::not_chosen<Holds>{holds});
  }
  using scratch_number = detail::scratch<std::size_t>;
};

struct DeviceRunLengthEncode {
  template <class In, class Out, class Lengths, class Number>
  static cudaError_t Encode(XCC_CUB_MEMORY, In in, Out out, Lengths lengths,
                            Number number, std::size_t count, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      detail::scratch<std::size_t> starts(run, count);
      detail::select(
          run, count, detail::begins(in),
          [from = detail::raw(in), to = detail::raw(out),
           start = starts.data](std::size_t index, std::size_t rank) {
            to[static_cast<std::ptrdiff_t>(rank)] =
                detail::element(from, index);
            start[rank] = index;
          },
          number);
      run.each(count, [start = starts.data, all = detail::raw(number),
                       to = detail::raw(lengths), count](std::size_t rank) {
        const auto runs = static_cast<std::size_t>(*all);
        if (rank < runs)
          to[static_cast<std::ptrdiff_t>(rank)] =
              static_cast<detail::value_of<Lengths>>(
                  (rank + 1 < runs ? start[rank + 1] : count) - start[rank]);
      });
    });
  }
};

struct DeviceHistogram {
  /// Bins of one width from `low` up to `high`; levels are one more than bins.
  template <class In, class Counter, class Level>
  static cudaError_t HistogramEven(XCC_CUB_MEMORY, In in, Counter *counts,
                                   int levels, Level low, Level high,
                                   std::size_t count, XCC_CUB_STREAM) {
    return count_bins(
        memory, bytes, in, counts, levels - 1, count, on, [=](auto value) {
          if (!(value >= low && value < high))
            return std::ptrdiff_t(-1);
          if constexpr (std::is_integral_v<Level>)
            return std::ptrdiff_t(std::uint64_t(value - low) *
                                  std::uint64_t(levels - 1) /
                                  std::uint64_t(high - low));
          else
            return std::ptrdiff_t((value - low) *
                                  (Level(levels - 1) / (high - low)));
        });
  }
  /// Bin n is from level n up to level n + 1.
  template <class In, class Counter, class Level>
  static cudaError_t HistogramRange(XCC_CUB_MEMORY, In in, Counter *counts,
                                    int levels, const Level *level,
                                    std::size_t count, XCC_CUB_STREAM) {
    return count_bins(
        memory, bytes, in, counts, levels - 1, count, on, [=](auto value) {
          return std::ptrdiff_t(thrust::detail::upper_index(
                     level, std::size_t(levels), value, std::less<>())) -
                 1;
        });
  }

private:
  template <class In, class Counter, class Bin>
  static cudaError_t count_bins(void *memory, std::size_t &bytes, In in,
                                Counter *counts, int bins, std::size_t count,
                                cudaStream_t on, Bin bin) {
    static_assert(std::is_pointer_v<thrust::detail::raw_of<In>>,
                  "a histogram takes the address of its samples");
    XCC_CUB_RUN {
      xcc::detail::histogram(run.run(), detail::raw(in), count, counts,
                             std::size_t(bins), bin);
    });
  }
};

//===-- Sorts -------------------------------------------------------------===//

namespace detail {
/// Sorts copies, by some of the keys' bits.
template <bool Descending, class Key, class Value>
inline void radix_sort(const thrust::detail::device_run &run, const Key *from,
                       Key *keys, const Value *in, Value *values,
                       std::size_t count, int first, int end) {
  const auto copy = [&](const auto *source, auto *target) {
    if (source != target)
      run.each(count, [source, target](std::size_t index) {
        target[index] = source[index];
      });
  };
  copy(from, keys);
  if (values)
    copy(in, values);
  const auto sort = [&](const auto &less) {
    if constexpr (std::is_same_v<Value, NullType>)
      run.sort(keys, count, less);
    else
      run.sort(keys, values, count, less);
  };
  if (first > 0 || end < int(sizeof(Key)) * 8)
    sort(less_bits<Key, Descending>{first, end});
  else if constexpr (Descending)
    sort(std::greater<Key>());
  else
    sort(std::less<Key>());
}
} // namespace detail

struct DeviceRadixSort {
#define XCC_CUB_SORT(suffix, descending)                                       \
  template <class Key>                                                         \
  static cudaError_t SortKeys##suffix(                                         \
      XCC_CUB_MEMORY, const Key *from, Key *keys, std::size_t count,           \
      int first = 0, int end = int(sizeof(Key)) * 8, XCC_CUB_STREAM) {         \
    XCC_CUB_RUN {                                                              \
      detail::radix_sort<descending, Key, NullType>(                           \
          run, from, keys, nullptr, nullptr, count, first, end);               \
    });                                                                        \
  }                                                                            \
  template <class Key>                                                         \
  static cudaError_t SortKeys##suffix(                                         \
      XCC_CUB_MEMORY, DoubleBuffer<Key> &keys, std::size_t count,              \
      int first = 0, int end = int(sizeof(Key)) * 8, XCC_CUB_STREAM) {         \
    Key *const all = keys.Current();                                           \
    return SortKeys##suffix(memory, bytes, all, all, count, first, end, on);   \
  }                                                                            \
  template <class Key, class Value>                                            \
  static cudaError_t SortPairs##suffix(                                        \
      XCC_CUB_MEMORY, const Key *from, Key *keys, const Value *in,             \
      Value *values, std::size_t count, int first = 0,                         \
      int end = int(sizeof(Key)) * 8, XCC_CUB_STREAM) {                        \
    XCC_CUB_RUN {                                                              \
      detail::radix_sort<descending>(run, from, keys, in, values, count,       \
                                     first, end);                              \
    });                                                                        \
  }                                                                            \
  template <class Key, class Value>                                            \
  static cudaError_t SortPairs##suffix(                                        \
      XCC_CUB_MEMORY, DoubleBuffer<Key> &keys, DoubleBuffer<Value> &values,    \
      std::size_t count, int first = 0, int end = int(sizeof(Key)) * 8,        \
      XCC_CUB_STREAM) {                                                        \
    Key *const all = keys.Current();                                           \
    Value *const with = values.Current();                                      \
    return SortPairs##suffix(memory, bytes, all, all, with, with, count,       \
                             first, end, on);                                  \
  }
  XCC_CUB_SORT(, false)
  XCC_CUB_SORT(Descending, true)
#undef XCC_CUB_SORT
};

struct DeviceMergeSort {
  template <class Keys, class Less>
  static cudaError_t SortKeys(XCC_CUB_MEMORY, Keys keys, std::size_t count,
                              Less less, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      thrust::detail::sort_work()(run, keys,
                                  keys + static_cast<std::ptrdiff_t>(count),
                                  detail::function_of(less));
    });
  }
  template <class Keys, class Values, class Less>
  static cudaError_t SortPairs(XCC_CUB_MEMORY, Keys keys, Values values,
                               std::size_t count, Less less, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      thrust::detail::sort_by_key_work()(
          run, keys, keys + static_cast<std::ptrdiff_t>(count), values,
          detail::function_of(less));
    });
  }
  template <class... Arg>
  static cudaError_t StableSortKeys(XCC_CUB_MEMORY, Arg... args) {
    return SortKeys(memory, bytes, args...);
  }
  template <class... Arg>
  static cudaError_t StableSortPairs(XCC_CUB_MEMORY, Arg... args) {
    return SortPairs(memory, bytes, args...);
  }
};

//===-- Segments ----------------------------------------------------------===//

/// A thread reduces a segment.
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class Type>
  static cudaError_t Reduce(XCC_CUB_MEMORY, In in, Out out,
                            std::size_t segments, Begin begin, End end, Op op,
                            Type init, XCC_CUB_STREAM) {
    XCC_CUB_RUN {
      run.each(segments,
               [from = detail::raw(in), to = detail::raw(out),
                first = detail::raw(begin), last = detail::raw(end),
                op = detail::function_of(op), init](std::size_t segment) {
                 Type sum = init;
                 for (auto at = detail::element(first, segment);
                      at < detail::element(last, segment); ++at)
                   sum = op(sum, Type(from[static_cast<std::ptrdiff_t>(at)]));
                 to[static_cast<std::ptrdiff_t>(segment)] = sum;
               });
    });
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(XCC_CUB_MEMORY, In in, Out out, std::size_t segments,
                         Begin begin, End end, XCC_CUB_STREAM) {
    using Type = detail::value_of<Out>;
    return Reduce(memory, bytes, in, out, segments, begin, end,
                  std::plus<Type>(), Type(0), on);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(XCC_CUB_MEMORY, In in, Out out, std::size_t segments,
                         Begin begin, End end, XCC_CUB_STREAM) {
    using Type = detail::value_of<In>;
    return Reduce(memory, bytes, in, out, segments, begin, end,
                  thrust::minimum<Type>(), detail::highest<Type>(), on);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(XCC_CUB_MEMORY, In in, Out out, std::size_t segments,
                         Begin begin, End end, XCC_CUB_STREAM) {
    using Type = detail::value_of<In>;
    return Reduce(memory, bytes, in, out, segments, begin, end,
                  thrust::maximum<Type>(), detail::lowest<Type>(), on);
  }
};

namespace detail {
/// A key, and where its segment begins: a key of none is one by itself.
template <class Key> struct segment_key {
  Key key;
  std::size_t segment;
};
template <class Key, class Less> struct less_in_segment {
  Less less;
  bool operator()(const segment_key<Key> &one,
                  const segment_key<Key> &other) const {
    return one.segment != other.segment ? one.segment < other.segment
                                        : less(one.key, other.key);
  }
};
template <class Less, class Key, class Value, class Begin, class End>
inline void
sort_segments(const thrust::detail::device_run &run, const Key *from, Key *keys,
              const Value *in, Value *values, std::size_t count,
              std::size_t segments, Begin begin, End end, Less less) {
  scratch<segment_key<Key>> all(run, count);
  run.each(count, [from, to = all.data](std::size_t index) {
    to[index] = {from[index], index};
  });
  run.each(segments, [to = all.data, first = raw(begin),
                      last = raw(end)](std::size_t segment) {
    const auto start = static_cast<std::size_t>(element(first, segment));
    for (std::size_t at = start;
         at < static_cast<std::size_t>(element(last, segment)); ++at)
      to[at].segment = start;
  });
  const less_in_segment<Key, Less> order{less};
  if constexpr (std::is_same_v<Value, NullType>) {
    run.sort(all.data, count, order);
  } else {
    if (in != values)
      run.each(count,
               [in, values](std::size_t index) { values[index] = in[index]; });
    run.sort(all.data, values, count, order);
  }
  run.each(count, [keys, from = all.data](std::size_t index) {
    keys[index] = from[index].key;
  });
}
} // namespace detail

struct DeviceSegmentedRadixSort {
#define XCC_CUB_SORT(suffix, descending)                                       \
  template <class Key, class Begin, class End>                                 \
  static cudaError_t SortKeys##suffix(                                         \
      XCC_CUB_MEMORY, const Key *from, Key *keys, std::size_t count,           \
      std::size_t segments, Begin begin, End end, int first = 0,               \
      int last = int(sizeof(Key)) * 8, XCC_CUB_STREAM) {                       \
    XCC_CUB_RUN {                                                              \
      detail::sort_segments<detail::less_bits<Key, descending>, Key,           \
                            NullType>(run, from, keys, nullptr, nullptr,       \
                                      count, segments, begin, end,             \
                                      {first, last});                          \
    });                                                                        \
  }                                                                            \
  template <class Key, class Value, class Begin, class End>                    \
  static cudaError_t SortPairs##suffix(                                        \
      XCC_CUB_MEMORY, const Key *from, Key *keys, const Value *in,             \
      Value *values, std::size_t count, std::size_t segments, Begin begin,     \
      End end, int first = 0, int last = int(sizeof(Key)) * 8,                 \
      XCC_CUB_STREAM) {                                                        \
    XCC_CUB_RUN {                                                              \
      detail::sort_segments<detail::less_bits<Key, descending>>(               \
          run, from, keys, in, values, count, segments, begin, end,            \
          {first, last});                                                      \
    });                                                                        \
  }
  XCC_CUB_SORT(, false)
  XCC_CUB_SORT(Descending, true)
#undef XCC_CUB_SORT
};
struct DeviceSegmentedSort {
#define XCC_CUB_SORT(name, of)                                                 \
  template <class Key, class Begin, class End>                                 \
  static cudaError_t name##Keys##of(                                           \
      XCC_CUB_MEMORY, const Key *from, Key *keys, std::size_t count,           \
      std::size_t segments, Begin begin, End end, XCC_CUB_STREAM) {            \
    return DeviceSegmentedRadixSort::SortKeys##of(                             \
        memory, bytes, from, keys, count, segments, begin, end, 0,             \
        int(sizeof(Key)) * 8, on);                                             \
  }                                                                            \
  template <class Key, class Value, class Begin, class End>                    \
  static cudaError_t name##Pairs##of(                                          \
      XCC_CUB_MEMORY, const Key *from, Key *keys, const Value *in,             \
      Value *values, std::size_t count, std::size_t segments, Begin begin,     \
      End end, XCC_CUB_STREAM) {                                               \
    return DeviceSegmentedRadixSort::SortPairs##of(                            \
        memory, bytes, from, keys, in, values, count, segments, begin, end, 0, \
        int(sizeof(Key)) * 8, on);                                             \
  }
  XCC_CUB_SORT(Sort, )
  XCC_CUB_SORT(Sort, Descending)
  XCC_CUB_SORT(StableSort, )
  XCC_CUB_SORT(StableSort, Descending)
#undef XCC_CUB_SORT
};

#undef XCC_CUB_MEMORY
#undef XCC_CUB_STREAM
#undef XCC_CUB_RUN

} // namespace cub

#endif // XCC_CUDA_CUB_DEVICE_H
