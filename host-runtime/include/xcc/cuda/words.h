// The words that CUDA and HIP add to C++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function is for says its use in xcc, so most words are nothing. Where
// a thread is are functions in xcc and variables here, which macros make of
// them: members of a program's own classes must not have these names.

#ifndef XCC_CUDA_WORDS_H
#define XCC_CUDA_WORDS_H

#include <xcc/cuda/vectors.h>

// Kernels are marked, because their addresses may be launched (pointers.h).
#ifdef __XCC__
#define __global__ __attribute__((annotate("xcc.global")))
#else
#define __global__
#endif
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __builtin_align__(...) __align__(__VA_ARGS__)
#define __grid_constant__
#define __launch_bounds__(...) XCC_LAUNCH_BOUNDS(__VA_ARGS__)
#define __managed__                                                            \
  _Pragma("GCC error \"for __managed__ write xcc::shared_global<T>\"")

/// A variable that the threads of a block share. In a function it is static; as
/// `extern __shared__ T name[]` it is the shared memory that a launch asks for.
#ifdef __XCC__
#define __shared__ __attribute__((xcc_block_shared))
#else
#define __shared__
#endif

// Variables, so that others of the same names may stand in functions and classes.
#ifdef __XCC__
namespace xcc::cuda::detail {
// They convert to `uint3`; `::dim3` has a constructor for them.
#define XCC_CUDA_INDICES(name)                                                 \
  struct name##_type : index {                                                 \
    __declspec(property(get = get_x)) unsigned x;                              \
    __declspec(property(get = get_y)) unsigned y;                              \
    __declspec(property(get = get_z)) unsigned z;                              \
    unsigned get_x() const { return name().x; }                                \
    unsigned get_y() const { return name().y; }                                \
    unsigned get_z() const { return name().z; }                                \
    operator uint3() const { return {name().x, name().y, name().z}; }          \
    operator xcc::dim3() const { return {name().x, name().y, name().z}; }      \
  };
XCC_CUDA_INDICES(thread_idx)
XCC_CUDA_INDICES(block_idx)
XCC_CUDA_INDICES(block_dim)
XCC_CUDA_INDICES(grid_dim)
#undef XCC_CUDA_INDICES
} // namespace xcc::cuda::detail
inline constexpr xcc::cuda::detail::thread_idx_type threadIdx;
inline constexpr xcc::cuda::detail::block_idx_type blockIdx;
inline constexpr xcc::cuda::detail::block_dim_type blockDim;
inline constexpr xcc::cuda::detail::grid_dim_type gridDim;
#else // other compilers, which read headers alone
#define threadIdx (::xcc::cuda::detail::thread_idx())
#define blockIdx (::xcc::cuda::detail::block_idx())
#define blockDim (::xcc::cuda::detail::block_dim())
#define gridDim (::xcc::cuda::detail::grid_dim())
#endif

#endif // XCC_CUDA_WORDS_H
