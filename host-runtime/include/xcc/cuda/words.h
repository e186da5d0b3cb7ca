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

#include <xcc/xcc.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
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

#define threadIdx (::xcc::cuda::detail::thread_idx())
#define blockIdx (::xcc::cuda::detail::block_idx())
#define blockDim (::xcc::cuda::detail::block_dim())
#define gridDim (::xcc::cuda::detail::grid_dim())

#endif // XCC_CUDA_WORDS_H
