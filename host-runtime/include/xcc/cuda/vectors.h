// float4, make_float4, dim3 and their like
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_VECTORS_H
#define XCC_CUDA_VECTORS_H

#include <xcc/xcc.h>

#include <type_traits>

// Sizes and alignments are CUDA's. They are classes: programs have operators of
// their own for them.
#define XCC_CUDA_VECTOR(name, element, align1, align2, align4)                 \
  struct alignas(align1) name##1 { element x; };                               \
  struct alignas(align2) name##2 { element x, y; };                            \
  struct alignas(align1) name##3 { element x, y, z; };                         \
  struct alignas(align4) name##4 { element x, y, z, w; };                      \
  constexpr name##1 make_##name##1(element x) { return {x}; }                  \
  constexpr name##2 make_##name##2(element x, element y) { return {x, y}; }    \
  constexpr name##3 make_##name##3(element x, element y, element z) {          \
    return {x, y, z};                                                          \
  }                                                                            \
  constexpr name##4 make_##name##4(element x, element y, element z,            \
                                   element w) {                                \
    return {x, y, z, w};                                                       \
  }
XCC_CUDA_VECTOR(char, signed char, 1, 2, 4)
XCC_CUDA_VECTOR(uchar, unsigned char, 1, 2, 4)
XCC_CUDA_VECTOR(short, short, 2, 4, 8)
XCC_CUDA_VECTOR(ushort, unsigned short, 2, 4, 8)
XCC_CUDA_VECTOR(int, int, 4, 8, 16)
XCC_CUDA_VECTOR(long, long, 8, 16, 16)
XCC_CUDA_VECTOR(ulong, unsigned long, 8, 16, 16)
XCC_CUDA_VECTOR(longlong, long long, 8, 16, 16)
XCC_CUDA_VECTOR(ulonglong, unsigned long long, 8, 16, 16)
XCC_CUDA_VECTOR(float, float, 4, 8, 16)
XCC_CUDA_VECTOR(double, double, 8, 16, 16)

// uint3 is what a thread's place is, and becomes a dim3.
struct uint1 {
  unsigned x;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
constexpr uint1 make_uint1(unsigned x) { return {x}; }
constexpr uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
  return {x, y, z};
}
constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
#undef XCC_CUDA_VECTOR

// Four numbers of 64 bits with the alignments that CUDA 13 names.
#define XCC_CUDA_ALIGNED_VECTOR(name, element, align)                          \
  struct alignas(align) name##_##align##a {                                    \
    element x, y, z, w;                                                        \
  };                                                                           \
  constexpr name##_##align##a make_##name##_##align##a(element x, element y,   \
                                                       element z, element w) { \
    return {x, y, z, w};                                                       \
  }
#define XCC_CUDA_ALIGNED_VECTORS(name, element)                                \
  XCC_CUDA_ALIGNED_VECTOR(name, element, 16)                                   \
  XCC_CUDA_ALIGNED_VECTOR(name, element, 32)
XCC_CUDA_ALIGNED_VECTORS(long4, long)
XCC_CUDA_ALIGNED_VECTORS(ulong4, unsigned long)
XCC_CUDA_ALIGNED_VECTORS(longlong4, long long)
XCC_CUDA_ALIGNED_VECTORS(ulonglong4, unsigned long long)
XCC_CUDA_ALIGNED_VECTORS(double4, double)
#undef XCC_CUDA_ALIGNED_VECTORS
#undef XCC_CUDA_ALIGNED_VECTOR

/// How a conversion rounds.
enum cudaRoundMode {
  cudaRoundNearest,
  cudaRoundZero,
  cudaRoundPosInf,
  cudaRoundMinInf
};

namespace xcc::cuda::detail {
/// The base of the types of `threadIdx`, `blockIdx`, `blockDim` and `gridDim`.
struct index {};
} // namespace xcc::cuda::detail

/// Blocks or threads in three dimensions. A number that no dimension has (a
/// negative one, say) becomes one that the launch refuses.
struct dim3 {
  unsigned x, y, z;

  template <class Width = unsigned, class Height = unsigned,
            class Depth = unsigned,
            class = std::enable_if_t<std::is_arithmetic_v<Width> &&
                                     std::is_arithmetic_v<Height> &&
                                     std::is_arithmetic_v<Depth>>>
  constexpr dim3(Width x_ = 1, Height y_ = 1, Depth z_ = 1)
      : x(checked(x_)), y(checked(y_)), z(checked(z_)) {}
  constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
  constexpr dim3(xcc::dim3 of) : x(of.x), y(of.y), z(of.z) {}
  template <class Index,
            std::enable_if_t<std::is_base_of_v<xcc::cuda::detail::index, Index>>
                * = nullptr>
  dim3(const Index &of) : x(of.x), y(of.y), z(of.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
  constexpr operator xcc::dim3() const { return {x, y, z}; }

private:
  template <class Type> static constexpr unsigned checked(Type value) {
    if constexpr (std::is_floating_point_v<Type>)
      return value >= 0 && value < Type(4294967295.0)
                 ? static_cast<unsigned>(value)
                 : ~0u;
    else
      return xcc::dim3(value).x;
  }
};

namespace xcc::cuda::detail {
inline uint3 thread_idx() {
  return {__xcc_thread_idx_x(), __xcc_thread_idx_y(), __xcc_thread_idx_z()};
}
inline uint3 block_idx() {
  return {__xcc_block_idx_x(), __xcc_block_idx_y(), __xcc_block_idx_z()};
}
inline ::dim3 block_dim() { return xcc::block_dim(); }
inline ::dim3 grid_dim() { return xcc::grid_dim(); }
} // namespace xcc::cuda::detail

#endif // XCC_CUDA_VECTORS_H
