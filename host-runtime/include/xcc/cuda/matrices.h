// Matrices that a warp multiplies, for programs in CUDA
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/matrices.h>          // for <mma.h>
//     using namespace nvcuda;
//     wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
//     wmma::load_matrix_sync(a, from, stride);
//     wmma::mma_sync(sum, a, b, sum);
//
// On every device, by shuffles and ordinary arithmetic: it is right, and slow. A
// lane holds elements of a matrix that follow each other in its rows; which ones
// is not CUDA's order, as programs must not rely on it. All 32 lanes of a warp
// take part in each function.

#ifndef XCC_CUDA_MATRICES_H
#define XCC_CUDA_MATRICES_H

#include <xcc/cuda/half.h>
#include <xcc/cuda/threads.h>

#include <type_traits>

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
/// A float whose product is computed as that of a float.
struct tf32 {};
} // namespace precision
inline float __float_to_tf32(float value) { return value; }

namespace detail {
template <class Type>
using held_t =
    std::conditional_t<std::is_same_v<Type, precision::tf32>, float, Type>;
inline unsigned lane() { return xcc::cuda::detail::rank() % 32; }
/// An element of another lane.
template <class Type>
[[clang::convergent]] inline Type from_lane(Type value, unsigned which) {
  if constexpr (sizeof(Type) < 4) {
    unsigned word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    word = __shfl_sync(~0u, word, int(which));
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
  } else {
    return __shfl_sync(~0u, value, int(which));
  }
}
} // namespace detail

/// A part of a matrix: of a, M rows of K; of b, K of N; of a sum, M of N.
template <class Use, int M, int N, int K, class Type, class Layout = void>
class fragment {
public:
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
  static constexpr int columns = std::is_same_v<Use, matrix_a> ? K : N;
  static constexpr int num_elements = rows * columns / 32;
  static_assert(
      rows * columns % 32 == 0 && columns % num_elements == 0,
      "a fragment's rows are parts of as many elements as a lane has");
  using element_type = detail::held_t<Type>;
  using storage_element_type = element_type;
  element_type x[num_elements];

  /// Where the caller's first element is.
  static unsigned row() { return detail::lane() * num_elements / columns; }
  static unsigned column() { return detail::lane() * num_elements % columns; }
};

template <class Use, int M, int N, int K, class Type, class Layout, class Value>
inline void fill_fragment(fragment<Use, M, N, K, Type, Layout> &of,
                          const Value &value) {
  for (auto &each : of.x)
    each = detail::held_t<Type>(value);
}

namespace detail {
template <class Fragment, class Type>
inline void load(Fragment &into, const Type *from, unsigned stride,
                 bool by_rows) {
  for (int i = 0; i < Fragment::num_elements; ++i) {
    const unsigned row = into.row(), column = into.column() + unsigned(i);
    into.x[i] = from[by_rows ? row * stride + column : column * stride + row];
  }
}
} // namespace detail

template <class Use, int M, int N, int K, class Type, class Layout>
[[clang::convergent]] inline void
load_matrix_sync(fragment<Use, M, N, K, Type, Layout> &into,
                 const detail::held_t<Type> *from, unsigned stride) {
  __syncwarp();
  detail::load(into, from, stride, std::is_same_v<Layout, row_major>);
}
template <int M, int N, int K, class Type>
[[clang::convergent]] inline void
load_matrix_sync(fragment<accumulator, M, N, K, Type> &into, const Type *from,
                 unsigned stride, layout_t layout) {
  __syncwarp();
  detail::load(into, from, stride, layout == mem_row_major);
}
template <int M, int N, int K, class Type>
[[clang::convergent]] inline void
store_matrix_sync(Type *to, const fragment<accumulator, M, N, K, Type> &from,
                  unsigned stride, layout_t layout) {
  for (int i = 0; i < from.num_elements; ++i) {
    const unsigned row = from.row(), column = from.column() + unsigned(i);
    to[layout == mem_row_major ? row * stride + column
                               : column * stride + row] = from.x[i];
  }
  __syncwarp();
}

/// d = a * b + c. Products are summed in the type of the sum, in float for half.
template <int M, int N, int K, class A, class ALayout, class B, class BLayout,
          class C, class D>
[[clang::convergent]] inline void
mma_sync(fragment<accumulator, M, N, K, D> &d,
         const fragment<matrix_a, M, N, K, A, ALayout> &a,
         const fragment<matrix_b, M, N, K, B, BLayout> &b,
         const fragment<accumulator, M, N, K, C> &c, bool = false) {
  using sum = std::conditional_t<
      std::is_integral_v<D>, int,
      std::conditional_t<std::is_same_v<D, double>, double, float>>;
  constexpr int mine = fragment<accumulator, M, N, K, D>::num_elements;
  constexpr int of_a = fragment<matrix_a, M, N, K, A, ALayout>::num_elements;
  constexpr int of_b = fragment<matrix_b, M, N, K, B, BLayout>::num_elements;
  sum made[mine];
  for (int i = 0; i < mine; ++i)
    made[i] = sum(c.x[i]);
  const unsigned row = d.row(), column = d.column();
  for (int k = 0; k < K; ++k) {
    // Rows begin with a lane's first element, so that the part is the same in all.
    const sum left =
        sum(detail::from_lane(a.x[k % of_a], (row * K + unsigned(k)) / of_a));
    for (int i = 0; i < mine; ++i) {
      const unsigned at = unsigned(k) * N + column + unsigned(i);
      sum right = 0;
      if constexpr (mine % of_b == 0) {
        right = sum(detail::from_lane(b.x[i % of_b], at / of_b));
      } else {
        for (int part = 0; part < of_b; ++part) {
          const auto value = detail::from_lane(b.x[part], at / of_b);
          right = unsigned(part) == at % of_b ? sum(value) : right;
        }
      }
      made[i] += left * right;
    }
  }
  for (int i = 0; i < mine; ++i)
    d.x[i] = D(made[i]);
}

} // namespace nvcuda::wmma

#endif // XCC_CUDA_MATRICES_H
