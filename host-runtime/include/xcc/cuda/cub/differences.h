// CUB: differences of neighbours in a block and in a device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SubtractLeft makes op(item, the item before), SubtractRight op(item, the item
// behind). The item that has no such neighbour stays as it is.

#ifndef XCC_CUDA_CUB_DIFFERENCES_H
#define XCC_CUDA_CUB_DIFFERENCES_H

#include <xcc/cuda/cub/device.h>

namespace cub {

template <class Type, int SizeX, int SizeY = 1, int SizeZ = 1, int = 0>
class BlockAdjacentDifference {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  using TempStorage = detail::shared_objects<Type, threads>;
  BlockAdjacentDifference() : storage_(detail::own_storage<TempStorage>()) {}
  BlockAdjacentDifference(TempStorage &storage) : storage_(storage) {}

  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractLeft(Type (&in)[Items], Out (&out)[Items],
                                          Op op) {
    left(in, out, op, threads * Items, nullptr);
  }
  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractLeft(Type (&in)[Items], Out (&out)[Items],
                                          Op op, Type before) {
    left(in, out, op, threads * Items, &before);
  }
  /// Of the block's first `valid` items; the others stay as they are.
  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractLeftPartialTile(Type (&in)[Items],
                                                     Out (&out)[Items], Op op,
                                                     int valid) {
    left(in, out, op, valid, nullptr);
  }
  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractLeftPartialTile(Type (&in)[Items],
                                                     Out (&out)[Items], Op op,
                                                     int valid, Type before) {
    left(in, out, op, valid, &before);
  }
  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractRight(Type (&in)[Items], Out (&out)[Items],
                                           Op op) {
    right(in, out, op, threads * Items, nullptr);
  }
  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractRight(Type (&in)[Items], Out (&out)[Items],
                                           Op op, Type behind) {
    right(in, out, op, threads * Items, &behind);
  }
  template <int Items, class Out, class Op>
  [[clang::convergent]] void SubtractRightPartialTile(Type (&in)[Items],
                                                      Out (&out)[Items], Op op,
                                                      int valid) {
    right(in, out, op, valid, nullptr);
  }

private:
  TempStorage &storage_;

  // `out` may be `in`, so each item is read before its place is written.
  template <int Items, class Out, class Op>
  [[clang::convergent]] void left(Type (&in)[Items], Out (&out)[Items], Op op,
                                  int valid, Type *before_all) {
    const int thread = detail::thread();
    storage_.at()[thread] = in[Items - 1];
    xcc::sync_block();
    for (int at = Items - 1; at >= 0; --at) {
      Type *before = at       ? &in[at - 1]
                     : thread ? &storage_.at()[thread - 1]
                              : before_all;
      if (before && thread * Items + at < valid)
        out[at] = op(in[at], *before);
      else
        out[at] = in[at];
    }
  }
  template <int Items, class Out, class Op>
  [[clang::convergent]] void right(Type (&in)[Items], Out (&out)[Items], Op op,
                                   int valid, Type *behind_all) {
    const int thread = detail::thread();
    storage_.at()[thread] = in[0];
    xcc::sync_block();
    for (int at = 0; at < Items; ++at) {
      Type *behind = at + 1 < Items         ? &in[at + 1]
                     : thread + 1 < threads ? &storage_.at()[thread + 1]
                                            : behind_all;
      const int last = thread * Items + at + 1;
      if (behind && (last < valid || (last == valid && behind == behind_all)))
        out[at] = op(in[at], *behind);
      else
        out[at] = in[at];
    }
  }
};

struct DeviceAdjacentDifference {
  template <class In, class Out, class Op = std::minus<>>
  static cudaError_t SubtractLeftCopy(void *memory, std::size_t &bytes, In in,
                                      Out out, std::size_t count, Op op = {},
                                      cudaStream_t on = nullptr) {
    return subtract<-1>(memory, bytes, in, out, count, op, on);
  }
  template <class In, class Op = std::minus<>>
  static cudaError_t SubtractLeft(void *memory, std::size_t &bytes, In in,
                                  std::size_t count, Op op = {},
                                  cudaStream_t on = nullptr) {
    return subtract<-1>(memory, bytes, in, in, count, op, on);
  }
  template <class In, class Out, class Op = std::minus<>>
  static cudaError_t SubtractRightCopy(void *memory, std::size_t &bytes, In in,
                                       Out out, std::size_t count, Op op = {},
                                       cudaStream_t on = nullptr) {
    return subtract<1>(memory, bytes, in, out, count, op, on);
  }
  template <class In, class Op = std::minus<>>
  static cudaError_t SubtractRight(void *memory, std::size_t &bytes, In in,
                                   std::size_t count, Op op = {},
                                   cudaStream_t on = nullptr) {
    return subtract<1>(memory, bytes, in, in, count, op, on);
  }

private:
  /// The results are kept until all have been computed: `out` may be `in`.
  template <int Step, class In, class Out, class Op>
  static cudaError_t subtract(void *memory, std::size_t &bytes, In in, Out out,
                              std::size_t count, Op op, cudaStream_t on) {
    return detail::call(memory, bytes, on, [=](const auto &run) {
      using Type = detail::value_of<In>;
      detail::scratch<Type> made(run, count);
      run.each(count, [from = detail::raw(in), to = made.data, op,
                       count](std::size_t index) {
        const std::size_t other = index + std::size_t(std::ptrdiff_t(Step));
        to[index] = other < count ? Type(op(detail::element(from, index),
                                            detail::element(from, other)))
                                  : Type(detail::element(from, index));
      });
      thrust::detail::put_back(run, made.data, count, out);
    });
  }
};

} // namespace cub

#endif // XCC_CUDA_CUB_DIFFERENCES_H
