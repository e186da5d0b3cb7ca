// Simple programs in HIP with little change
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What <xcc/cuda.h> is for CUDA, for <hip/hip_runtime.h>. A warp has as many
// lanes as the device says (warpSize); votes are 64 bits. The operations that
// end in _sync are there as well, among 32 lanes. In a file that includes both
// headers, the first one decides what warpSize, __ballot, __any and __all mean.

#ifndef XCC_HIP_H
#define XCC_HIP_H

// First: where a file is not compiled as C++, its error is the only one.
#include <xcc/xcc.h>

#include <xcc/cuda/atomics.h>
#include <xcc/cuda/directed.h>
#include <xcc/cuda/graphs.h>
#include <xcc/cuda/launch.h>
#include <xcc/cuda/more_numbers.h>
#include <xcc/cuda/numbers.h>
#include <xcc/cuda/runtime.h>
#include <xcc/cuda/threads.h>
#include <xcc/cuda/vectors.h>
#include <xcc/cuda/volumes.h>
#include <xcc/cuda/words.h>

// What hip_runtime.h brings with it, in the global namespace.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef XCC_CUDA_H // the header that comes first says how large a warp is
// In a namespace, because <xcc/cuda.h> has others of these names in other files
// of the program.
namespace xcc::hip::warp_words {
/// A variable, since members of other structures are called so too.
struct lanes {
  operator int() const { return static_cast<int>(__xcc_warp_size()); }
};
inline constexpr lanes warpSize;

[[clang::convergent]] inline unsigned long long __ballot(int predicate) {
  return xcc::ballot(predicate);
}
[[clang::convergent]] inline int __any(int predicate) {
  return xcc::any(predicate);
}
[[clang::convergent]] inline int __all(int predicate) {
  return xcc::all(predicate);
}
} // namespace xcc::hip::warp_words
using namespace xcc::hip::warp_words;
#endif

#define XCC_CUDA_NAME(name) hip##name
#include <xcc/cuda/names.h>
#include <xcc/cuda/tuning.h>
#undef XCC_CUDA_NAME

inline hipExtent make_hipExtent(std::size_t width, std::size_t height,
                                std::size_t depth) {
  return {width, height, depth};
}
inline hipPos make_hipPos(std::size_t x, std::size_t y, std::size_t z) {
  return {x, y, z};
}
inline hipPitchedPtr make_hipPitchedPtr(void *pointer, std::size_t pitch,
                                        std::size_t width, std::size_t height) {
  return {pointer, pitch, width, height};
}

using hipDeviceProp_t = hipDeviceProp;
inline constexpr auto hipErrorOutOfMemory = xcc::cuda::status::out_of_memory;
inline constexpr auto hipErrorNoBinaryForGpu = xcc::cuda::status::no_image;

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)           \
  ::xcc::cuda::launch(kernel, grid, block, shared, stream)(__VA_ARGS__)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_SYMBOL(name) name

#define hipMemcpyToSymbol(name, ...)                                           \
  ::xcc::cuda::detail::to_symbol(::xcc::symbol(name), __VA_ARGS__)
#define hipMemcpyFromSymbol(to, name, ...)                                     \
  ::xcc::cuda::detail::from_symbol(to, ::xcc::symbol(name), __VA_ARGS__)
#define hipGetSymbolAddress(pointer, name)                                     \
  ::xcc::cuda::detail::symbol_address(pointer, ::xcc::symbol(name))

//===-- Warps -------------------------------------------------------------===//

template <class Type>
[[clang::convergent]] inline unsigned long long __match_any(Type value) {
  return xcc::match_any(value).bits;
}
template <class Type>
[[clang::convergent]] inline unsigned long long __match_all(Type value,
                                                            int *all) {
  const xcc::lane_mask same = xcc::match_all(value);
  *all = same.bits != 0;
  return same.bits;
}
inline unsigned __lane_id() { return xcc::lane_id(); }

#include <xcc/cuda/shuffles.h>

#endif // XCC_HIP_H
