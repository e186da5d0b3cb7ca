// CUB: operations, pairs and iterators
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_CUB_TYPES_H
#define XCC_CUDA_CUB_TYPES_H

#include <xcc/cuda.h>
#include <xcc/cuda/thrust/iterators.h>

#include <cstdio>
// As CUB's headers do.
#include <iostream>
#include <map>
#include <mutex>
#include <set>

namespace cub {

using Sum = std::plus<>;
using Difference = std::minus<>;
using Division = std::divides<>;
using Equality = std::equal_to<>;
using Inequality = std::not_equal_to<>;
using Max = thrust::maximum<>;
using Min = thrust::minimum<>;
struct NullType {};

template <class KeyType, class ValueType> struct KeyValuePair {
  using Key = KeyType;
  using Value = ValueType;
  KeyType key;
  ValueType value;
  constexpr KeyValuePair() = default;
  constexpr KeyValuePair(const KeyType &at, const ValueType &of)
      : key(at), value(of) {}
  constexpr bool operator!=(const KeyValuePair &other) const {
    return key != other.key || value != other.value;
  }
};
/// Of pairs with an index, the first of the least or greatest values.
struct ArgMin {
  template <class Pair>
  constexpr Pair operator()(const Pair &one, const Pair &other) const {
    return other.value < one.value ||
                   (other.value == one.value && other.key < one.key)
               ? other
               : one;
  }
};
struct ArgMax {
  template <class Pair>
  constexpr Pair operator()(const Pair &one, const Pair &other) const {
    return one.value < other.value ||
                   (other.value == one.value && other.key < one.key)
               ? other
               : one;
  }
};
template <class Source> struct CastOp {
  template <class Type> constexpr Source operator()(const Type &of) const {
    return static_cast<Source>(of);
  }
};
template <class Equal> struct InequalityWrapper {
  Equal op;
  template <class One, class Other>
  constexpr bool operator()(const One &one, const Other &other) const {
    return !op(one, other);
  }
};

template <class Type, class Offset = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<Type>;
template <class Type, class Offset = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<Type>;
template <class Offset = std::ptrdiff_t>
using DiscardOutputIterator = thrust::discard_iterator;
template <class Value, class Function, class Iterator,
          class Offset = std::ptrdiff_t>
using TransformInputIterator =
    thrust::transform_iterator<Function, Iterator, Value>;

enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier {
  STORE_DEFAULT,
  STORE_WB,
  STORE_CG,
  STORE_CS,
  STORE_WT,
  STORE_VOLATILE
};
/// How a cache is used is the device's choice.
template <CacheLoadModifier, class Type, class Offset = std::ptrdiff_t>
using CacheModifiedInputIterator = const Type *;
template <CacheStoreModifier, class Type, class Offset = std::ptrdiff_t>
using CacheModifiedOutputIterator = Type *;
template <CacheLoadModifier Modifier, class Type>
inline Type ThreadLoad(const Type *from) {
  if constexpr (Modifier == LOAD_VOLATILE || Modifier == LOAD_CV)
    return *const_cast<const volatile Type *>(from);
  else
    return *from;
}
template <CacheStoreModifier Modifier, class Type>
inline void ThreadStore(Type *to, Type value) {
  if constexpr (Modifier == STORE_VOLATILE || Modifier == STORE_WT)
    *const_cast<volatile Type *>(to) = value;
  else
    *to = value;
}

/// Elements with their indices.
template <class Iterator, class Offset = std::ptrdiff_t, class Value = void>
class ArgIndexInputIterator
    : public thrust::detail::random_access<
          ArgIndexInputIterator<Iterator, Offset, Value>,
          KeyValuePair<Offset, thrust::iterator_value_t<Iterator>>,
          KeyValuePair<Offset, thrust::iterator_value_t<Iterator>>> {
public:
  constexpr ArgIndexInputIterator(Iterator base, std::ptrdiff_t first = 0)
      : base_(base), first_(first) {}
  constexpr KeyValuePair<Offset, thrust::iterator_value_t<Iterator>>
  at(std::ptrdiff_t by) const {
    return {static_cast<Offset>(first_ + by), base_[first_ + by]};
  }
  constexpr void move(std::ptrdiff_t by) { first_ += by; }
  constexpr std::ptrdiff_t
  distance_from(const ArgIndexInputIterator &from) const {
    return first_ - from.first_;
  }
  constexpr void normalize() {
    base_ += first_;
    first_ = 0;
  }

private:
  Iterator base_;
  std::ptrdiff_t first_;
};

/// Two buffers, of which a sort says in which one the result is.
template <class Type> struct DoubleBuffer {
  Type *d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(Type *current, Type *alternate)
      : d_buffers{current, alternate} {}
  Type *Current() { return d_buffers[selector]; }
  Type *Alternate() { return d_buffers[selector ^ 1]; }
};

inline unsigned LaneId() { return __xcc_lane_id() & 31; }
inline unsigned WarpId() { return xcc::cuda::detail::rank() / 32; }
inline int RowMajorTid(int, int, int) {
  return static_cast<int>(xcc::cuda::detail::rank());
}

/// Memory in the order of a stream.
struct CachingDeviceAllocator {
  CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned, unsigned = 1, unsigned = ~0u,
                         std::size_t = ~std::size_t(0), bool = false,
                         bool = false) {}
  cudaError_t DeviceAllocate(void **made, std::size_t bytes,
                             cudaStream_t on = nullptr) {
    return cudaMallocAsync(made, bytes, on);
  }
  cudaError_t DeviceAllocate(int, void **made, std::size_t bytes,
                             cudaStream_t on = nullptr) {
    return cudaMallocAsync(made, bytes, on);
  }
  cudaError_t DeviceFree(void *gone) { return cudaFreeAsync(gone, nullptr); }
  cudaError_t DeviceFree(int, void *gone) { return DeviceFree(gone); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

inline cudaError_t Debug(cudaError_t failed, const char *file, int line) {
  if (failed)
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(failed));
  return failed;
}
} // namespace cub

#define CUB_VERSION 300000
#define CUB_NS_QUALIFIER ::cub
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CubDebug(failed) ::cub::Debug(cudaError_t(failed), __FILE__, __LINE__)
#define CubDebugExit(failed)                                                   \
  do {                                                                         \
    if (::cub::Debug(cudaError_t(failed), __FILE__, __LINE__))                 \
      std::exit(1);                                                            \
  } while (false)

#endif // XCC_CUDA_CUB_TYPES_H
