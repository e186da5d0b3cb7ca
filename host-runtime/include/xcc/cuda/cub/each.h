// CUB: a function of each element, copies of many ranges, and merges
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_CUB_EACH_H
#define XCC_CUDA_CUB_EACH_H

#include <xcc/cuda/cub/device.h>

#include <tuple>
#include <utility>

namespace cub {
namespace detail {
/// Runs work(run), in the stream's order.
template <class Work>
inline cudaError_t call(cudaStream_t on, const Work &work) {
  std::size_t bytes = 0;
  return call(&bytes, bytes, on, work);
}
template <class Out, class Op, class... In>
inline void transform(const thrust::detail::device_run &run,
                      const std::tuple<In...> &in, const Out &out,
                      std::size_t count, const Op &op) {
  std::apply(
      [&](const In &...from) {
        run.each(count, [to = raw(out), op,
                         all = std::make_tuple(raw(from)...)](
                            std::size_t index) mutable {
          to[static_cast<std::ptrdiff_t>(index)] = std::apply(
              [&](const auto &...each) { return op(element(each, index)...); },
              all);
        });
      },
      in);
}
/// A thread copies a part of a range.
struct piece {
  std::size_t begin, end;
  piece(std::size_t part, std::size_t all)
      : begin(all * part / parts), end(all * (part + 1) / parts) {}
  static constexpr std::size_t parts = 64;
};
/// Copies sizes[n] elements from from[n] to to[n]. as_iterators(from[n], to[n]) is
/// the pair of iterators to them.
template <class Run, class From, class To, class Sizes, class AsIterators>
inline void copy_ranges(const Run &run, From from, To to, Sizes sizes,
                        std::size_t count, AsIterators as_iterators) {
  run.each(count * piece::parts, [as_iterators, in = raw(from), out = raw(to),
                                  lengths = raw(sizes)](std::size_t index) {
    const std::size_t at = index / piece::parts;
    const piece part(index % piece::parts,
                     static_cast<std::size_t>(element(lengths, at)));
    const auto [source, target] =
        as_iterators(element(in, at), element(out, at));
    for (std::size_t item = part.begin; item < part.end; ++item)
      target[static_cast<std::ptrdiff_t>(item)] =
          source[static_cast<std::ptrdiff_t>(item)];
  });
}
} // namespace detail

struct DeviceFor {
  /// op(0) to op(count - 1)
  template <class Count, class Op>
  static cudaError_t Bulk(Count count, Op op, cudaStream_t on = nullptr) {
    return detail::call(on, [=](const auto &run) {
      run.each(
          static_cast<std::size_t>(count),
          [op](std::size_t index) mutable { op(static_cast<Count>(index)); });
    });
  }
  template <class In, class Count, class Op>
  static cudaError_t ForEachN(In first, Count count, Op op,
                              cudaStream_t on = nullptr) {
    return detail::call(on, [=](const auto &run) {
      thrust::detail::for_each_n_work()(run, first, count, op);
    });
  }
  template <class In, class Op>
  static cudaError_t ForEach(In first, In last, Op op,
                             cudaStream_t on = nullptr) {
    return ForEachN(first, last - first, op, on);
  }
  /// op may get copies of the elements.
  template <class In, class Count, class Op>
  static cudaError_t ForEachCopyN(In first, Count count, Op op,
                                  cudaStream_t on = nullptr) {
    return ForEachN(first, count, op, on);
  }
  template <class In, class Op>
  static cudaError_t ForEachCopy(In first, In last, Op op,
                                 cudaStream_t on = nullptr) {
    return ForEach(first, last, op, on);
  }
// The same with temporary memory, as CUB's other algorithms.
#define XCC_CUB_WITH_MEMORY(name)                                              \
  template <class... Arguments>                                                \
  static cudaError_t name(void *memory, std::size_t &bytes,                    \
                          Arguments... arguments) {                            \
    bytes = 1;                                                                 \
    return memory ? name(arguments...) : cudaSuccess;                          \
  }
  XCC_CUB_WITH_MEMORY(Bulk)
  XCC_CUB_WITH_MEMORY(ForEachN)
  XCC_CUB_WITH_MEMORY(ForEach)
  XCC_CUB_WITH_MEMORY(ForEachCopyN)
  XCC_CUB_WITH_MEMORY(ForEachCopy)
};

struct DeviceTransform {
  /// out[n] = op(the element n of each input)
  template <class... In, class Out, class Op>
  static cudaError_t Transform(std::tuple<In...> in, Out out, std::size_t count,
                               Op op, cudaStream_t on = nullptr) {
    return detail::call(on, [=](const auto &run) {
      detail::transform(run, in, out, count, op);
    });
  }
  template <class In, class Out, class Op>
  static cudaError_t Transform(In in, Out out, std::size_t count, Op op,
                               cudaStream_t on = nullptr) {
    return Transform(std::make_tuple(in), out, count, op, on);
  }
  XCC_CUB_WITH_MEMORY(Transform)
#undef XCC_CUB_WITH_MEMORY
  template <class In, class Out, class Op>
  static cudaError_t
  TransformStableArgumentAddresses(In in, Out out, std::size_t count, Op op,
                                   cudaStream_t on = nullptr) {
    return Transform(in, out, count, op, on);
  }
};

/// Bytes from from[n] to to[n], sizes[n] of them.
struct DeviceMemcpy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void *memory, std::size_t &bytes, From from, To to,
                             Sizes sizes, std::size_t count,
                             cudaStream_t on = nullptr) {
    return detail::call(memory, bytes, on, [=](const auto &run) {
      detail::copy_ranges(
          run, from, to, sizes, count, [](const void *source, void *target) {
            return std::pair(static_cast<const unsigned char *>(source),
                             static_cast<unsigned char *>(target));
          });
    });
  }
};
/// Elements of from[n] to to[n], both iterators, sizes[n] of them.
struct DeviceCopy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void *memory, std::size_t &bytes, From from, To to,
                             Sizes sizes, std::size_t count,
                             cudaStream_t on = nullptr) {
    return detail::call(memory, bytes, on, [=](const auto &run) {
      detail::copy_ranges(
          run, from, to, sizes, count,
          [](auto source, auto target) { return std::pair(source, target); });
    });
  }
};

/// Two sorted ranges as one; of equal elements, those of the first come first.
struct DeviceMerge {
  template <class One, class Other, class Out, class Less = std::less<>>
  static cudaError_t MergeKeys(void *memory, std::size_t &bytes, One one,
                               std::size_t ones, Other other,
                               std::size_t others, Out out, Less less = {},
                               cudaStream_t on = nullptr) {
    return detail::call(memory, bytes, on, [=](const auto &run) {
      thrust::detail::merge_work()(
          run, one, one + static_cast<std::ptrdiff_t>(ones), other,
          other + static_cast<std::ptrdiff_t>(others), out, less);
    });
  }
  template <class One, class In, class Other, class Second, class Out,
            class OutValues, class Less = std::less<>>
  static cudaError_t MergePairs(void *memory, std::size_t &bytes, One one,
                                In values, std::size_t ones, Other other,
                                Second second, std::size_t others, Out out,
                                OutValues out_values, Less less = {},
                                cudaStream_t on = nullptr) {
    return detail::call(memory, bytes, on, [=](const auto &run) {
      thrust::detail::merge_by_key_work()(
          run, one, one + static_cast<std::ptrdiff_t>(ones), other,
          other + static_cast<std::ptrdiff_t>(others), values, second, out,
          out_values, less);
    });
  }
};

} // namespace cub

#endif // XCC_CUDA_CUB_EACH_H
