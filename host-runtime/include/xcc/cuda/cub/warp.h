// CUB: reductions and scans of the lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes exchange values directly; the storage that CUB asks for is empty. All
// lanes of a group must come to a call by the same path.

#ifndef XCC_CUDA_CUB_WARP_H
#define XCC_CUDA_CUB_WARP_H

#include <xcc/cuda/cub/types.h>

namespace cub {
namespace detail {
/// Lanes next to each other, of which there are Size.
template <int Size> struct lane_group {
  static_assert(Size > 0 && Size <= 32, "a warp has 32 lanes");
  static unsigned rank() { return (__xcc_lane_id() & 31) % Size; }
  template <class Type>
  [[clang::convergent]] static Type from(const Type &value, unsigned rank) {
    return xcc::shuffle(value, __xcc_lane_id() - lane_group::rank() + rank);
  }
  /// What `op` makes of the values of this lane and those after it, up to `end`.
  template <class Type, class Op>
  [[clang::convergent]] static Type reduce(Type value, Op op, unsigned end) {
    for (unsigned step = 1; step < Size; step *= 2) {
      const unsigned other = rank() + step;
      const Type more = from(value, other < Size ? other : rank());
      if (other < end)
        value = op(value, more);
    }
    return value;
  }
  template <class Type, class Op>
  [[clang::convergent]] static Type scan(Type value, Op op) {
    for (unsigned step = 1; step < Size; step *= 2) {
      const Type before = from(value, rank() >= step ? rank() - step : rank());
      if (rank() >= step)
        value = op(before, value);
    }
    return value;
  }
  /// The lanes of the group that vote so, from its first lane on.
  [[clang::convergent]] static unsigned votes(bool vote) {
    const unsigned first = (__xcc_lane_id() & 31) - rank();
    const unsigned all = xcc::cuda::detail::votes(vote) >> first;
    return Size == 32 ? all : all & ((1u << (Size & 31)) - 1);
  }
};
} // namespace detail

template <class Type, int Size = 32, int = 0> class WarpReduce {
  using group = detail::lane_group<Size>;
  /// The end of this lane's segment, from votes of first or last lanes.
  static unsigned after(unsigned votes, bool last) {
    const unsigned rank = group::rank() + !last;
    const unsigned behind = rank < 32 ? votes >> rank : 0;
    return behind ? rank + unsigned(__builtin_ctz(behind)) + last
                  : unsigned(Size);
  }

public:
  struct TempStorage {};
  WarpReduce(TempStorage &) {}
  [[clang::convergent]] Type Sum(Type value) {
    return group::reduce(value, std::plus<>(), Size);
  }
  [[clang::convergent]] Type Sum(Type value, int valid) {
    return group::reduce(value, std::plus<>(), unsigned(valid));
  }
  template <class Op> [[clang::convergent]] Type Reduce(Type value, Op op) {
    return group::reduce(value, op, Size);
  }
  template <class Op>
  [[clang::convergent]] Type Reduce(Type value, Op op, int valid) {
    return group::reduce(value, op, unsigned(valid));
  }
  [[clang::convergent]] Type Max(Type value) {
    return group::reduce(value, cub::Max(), Size);
  }
  [[clang::convergent]] Type Min(Type value) {
    return group::reduce(value, cub::Min(), Size);
  }
  template <class Flag, class Op>
  [[clang::convergent]] Type HeadSegmentedReduce(Type value, Flag head, Op op) {
    return group::reduce(value, op, after(group::votes(bool(head)), false));
  }
  template <class Flag, class Op>
  [[clang::convergent]] Type TailSegmentedReduce(Type value, Flag tail, Op op) {
    return group::reduce(value, op, after(group::votes(bool(tail)), true));
  }
  template <class Flag>
  [[clang::convergent]] Type HeadSegmentedSum(Type value, Flag head) {
    return HeadSegmentedReduce(value, head, std::plus<>());
  }
  template <class Flag>
  [[clang::convergent]] Type TailSegmentedSum(Type value, Flag tail) {
    return TailSegmentedReduce(value, tail, std::plus<>());
  }
};

template <class Type, int Size = 32, int = 0> class WarpScan {
  using group = detail::lane_group<Size>;

public:
  struct TempStorage {};
  WarpScan(TempStorage &) {}
  template <class Op>
  [[clang::convergent]] void InclusiveScan(Type value, Type &out, Op op) {
    out = group::scan(value, op);
  }
  template <class Op>
  [[clang::convergent]] void InclusiveScan(Type value, Type &out, Op op,
                                           Type &total) {
    const Type sum = group::scan(value, op);
    total = group::from(sum, Size - 1);
    out = sum;
  }
  /// The first lane's result is not specified.
  template <class Op>
  [[clang::convergent]] void ExclusiveScan(Type value, Type &out, Op op) {
    const Type sum = group::scan(value, op);
    out = group::from(sum, group::rank() ? group::rank() - 1 : 0);
  }
  template <class Op>
  [[clang::convergent]] void ExclusiveScan(Type value, Type &out, Type init,
                                           Op op) {
    Type total;
    ExclusiveScan(value, out, init, op, total);
  }
  template <class Op>
  [[clang::convergent]] void ExclusiveScan(Type value, Type &out, Type init,
                                           Op op, Type &total) {
    const Type sum = group::scan(value, op);
    const Type before = group::from(sum, group::rank() ? group::rank() - 1 : 0);
    total = group::from(sum, Size - 1);
    out = group::rank() ? Type(op(init, before)) : init;
  }
  [[clang::convergent]] void InclusiveSum(Type value, Type &out) {
    InclusiveScan(value, out, std::plus<>());
  }
  [[clang::convergent]] void InclusiveSum(Type value, Type &out, Type &total) {
    InclusiveScan(value, out, std::plus<>(), total);
  }
  [[clang::convergent]] void ExclusiveSum(Type value, Type &out) {
    ExclusiveScan(value, out, Type(0), std::plus<>());
  }
  [[clang::convergent]] void ExclusiveSum(Type value, Type &out, Type &total) {
    ExclusiveScan(value, out, Type(0), std::plus<>(), total);
  }
  [[clang::convergent]] void Scan(Type value, Type &inclusive,
                                  Type &exclusive) {
    InclusiveSum(value, inclusive);
    ExclusiveSum(value, exclusive);
  }
  [[clang::convergent]] Type Broadcast(Type value, unsigned lane) {
    return group::from(value, lane);
  }
};

} // namespace cub

#endif // XCC_CUDA_CUB_WARP_H
