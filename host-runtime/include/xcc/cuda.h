// Simple programs in CUDA with little change
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda.h>                     // for <cuda_runtime.h>
//     __global__ void saxpy(int n, float a, const float *x, float *y) {
//       int i = blockIdx.x * blockDim.x + threadIdx.x;
//       if (i < n) y[i] += a * x[i];
//     }
//     ...
//     xcc::cuda::launch(saxpy, blocks, 256)(n, 2.0f, x, y);
//                              // for saxpy<<<blocks, 256>>>(n, 2.0f, x, y)
//
// Kernels run on every device that xcc compiles for. docs/from-cuda.md says what
// is there, and how a program is ported. <xcc/hip.h> is the same for HIP.
//
// words.h    __global__, __shared__, threadIdx
// vectors.h  float4, make_float4, dim3
// threads.h  __syncthreads, __shfl_down_sync, __ballot_sync
// atomics.h  atomicAdd
// numbers.h  __popc, __float_as_int, rsqrtf
// directed.h __fadd_rd, __dmul_ru
// simd.h     __vadd4, __vabsdiffu4, __dp4a
// errors.h   cudaErrorInvalidPitchValue
// dpx.h      __viaddmax_s32, __vimax3_s16x2_relu
// textures.h cudaArray_t, cudaCreateTextureObject, tex2D, surf2Dwrite
// launch.h   launch(kernel, grid, block, shared, stream)(arguments)
// runtime.h  cudaMalloc, cudaMemcpy, cudaStreamCreate; names.h has their names

#ifndef XCC_CUDA_H
#define XCC_CUDA_H

// First: where a file is not compiled as C++, its error is the only one.
#include <xcc/xcc.h>

#include <xcc/cuda/atomics.h>
#include <xcc/cuda/directed.h>
#include <xcc/cuda/dpx.h>
#include <xcc/cuda/graphs.h>
#include <xcc/cuda/launch.h>
#include <xcc/cuda/more_numbers.h>
#include <xcc/cuda/numbers.h>
#include <xcc/cuda/runtime.h>
#include <xcc/cuda/simd.h>
#include <xcc/cuda/threads.h>
#include <xcc/cuda/vectors.h>
#include <xcc/cuda/volumes.h>
#include <xcc/cuda/words.h>

// What cuda_runtime.h brings with it, in the global namespace.
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef XCC_HIP_H // the header that comes first says how large a warp is
// In a namespace, because <xcc/hip.h> has others of these names in other files of
// the program.
namespace xcc::cuda::warp_words {
/// As on NVIDIA GPUs, on every device: shuffles and votes are among 32 lanes.
inline constexpr int warpSize = 32;

// The operations of a warp as they were before CUDA 9: of the lanes that are there.
[[clang::convergent]] inline unsigned __ballot(int predicate) {
  return xcc::cuda::detail::votes(predicate);
}
[[clang::convergent]] inline int __any(int predicate) {
  return xcc::cuda::detail::votes(predicate) != 0;
}
[[clang::convergent]] inline int __all(int predicate) {
  return xcc::cuda::detail::votes(!predicate) == 0;
}
} // namespace xcc::cuda::warp_words
using namespace xcc::cuda::warp_words;
#endif
#include <xcc/cuda/clusters.h>
#include <xcc/cuda/ptx.h>
#include <xcc/cuda/shuffles.h>

#define XCC_CUDA_NAME(name) cuda##name
#include <xcc/cuda/names.h>
#include <xcc/cuda/tuning.h>
#undef XCC_CUDA_NAME

// Names that CUDA 13 no longer has.
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

/// The form that CUDA has in C++, with flags.
inline cudaError_t cudaEventCreate(cudaEvent_t *made, unsigned flags) {
  return cudaEventCreateWithFlags(made, flags);
}

#include <xcc/cuda/textures.h>

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height,
                                  std::size_t depth) {
  return {width, height, depth};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
  return {x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, std::size_t pitch,
                                          std::size_t width,
                                          std::size_t height) {
  return {pointer, pitch, width, height};
}

// Headers of the samples ask whether these are included, and for the version.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDART_CB
#define cudaStreamPerThread (::xcc::cuda::detail::thread_stream())
#define cudaStreamLegacy (static_cast<cudaStream_t>(nullptr))

using cudaUUID_t = xcc::cuda::unique_number;
using cudaHostFn_t = void (*)(void *);
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void *);
#define CUDART_DEVICE

using cudaError = cudaError_t;
inline constexpr auto cudaErrorMemoryAllocation =
    xcc::cuda::status::out_of_memory;
inline constexpr auto cudaErrorInvalidSymbol =
    xcc::cuda::status::invalid_symbol;
inline constexpr auto cudaErrorInvalidDevicePointer =
    xcc::cuda::status::invalid_pointer;
inline constexpr auto cudaErrorInvalidMemcpyDirection =
    xcc::cuda::status::invalid_direction;
inline constexpr auto cudaErrorInitializationError =
    xcc::cuda::status::not_initialised;
inline constexpr auto cudaErrorCudartUnloading = xcc::cuda::status::unloading;
inline constexpr auto cudaErrorInsufficientDriver =
    xcc::cuda::status::old_driver;
inline constexpr auto cudaErrorNoDevice = xcc::cuda::status::no_device;
inline constexpr auto cudaErrorInvalidResourceHandle =
    xcc::cuda::status::invalid_handle;
inline constexpr auto cudaErrorIllegalAddress =
    xcc::cuda::status::illegal_address;
inline constexpr auto cudaErrorLaunchOutOfResources =
    xcc::cuda::status::out_of_resources;
inline constexpr auto cudaErrorLaunchTimeout = xcc::cuda::status::timeout;
inline constexpr auto cudaErrorPeerAccessAlreadyEnabled =
    xcc::cuda::status::peer_enabled;
inline constexpr auto cudaErrorPeerAccessNotEnabled =
    xcc::cuda::status::peer_not_enabled;
inline constexpr auto cudaErrorAssert = xcc::cuda::status::assertion;
inline constexpr auto cudaErrorHostMemoryAlreadyRegistered =
    xcc::cuda::status::registered;
inline constexpr auto cudaErrorHostMemoryNotRegistered =
    xcc::cuda::status::not_registered;
inline constexpr auto cudaErrorNoKernelImageForDevice =
    xcc::cuda::status::no_image;

#define XCC_CUDA_ERROR(name, number)                                           \
  inline constexpr auto cudaError##name = xcc::cuda::status::name;
XCC_CUDA_OTHER_ERRORS(XCC_CUDA_ERROR)
#undef XCC_CUDA_ERROR

using cudaDeviceAttr = xcc::cuda::attribute;
#define XCC_CUDA_ATTRIBUTE(name, number, value)                                \
  inline constexpr auto cudaDevAttr##name = cudaDeviceAttr::name;
XCC_CUDA_ATTRIBUTES(XCC_CUDA_ATTRIBUTE)
#undef XCC_CUDA_ATTRIBUTE
enum cudaComputeMode {
  cudaComputeModeDefault,
  cudaComputeModeExclusive,
  cudaComputeModeProhibited,
  cudaComputeModeExclusiveProcess
};
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what,
                                          int device) {
  return xcc::cuda::device_get_attribute(value, what, device);
}

// These take a variable by its name, which xcc::symbol has to see.
#define cudaMemcpyToSymbol(name, ...)                                          \
  ::xcc::cuda::detail::to_symbol(::xcc::symbol(name), __VA_ARGS__)
#define cudaMemcpyFromSymbol(to, name, ...)                                    \
  ::xcc::cuda::detail::from_symbol(to, ::xcc::symbol(name), __VA_ARGS__)
#define cudaMemcpyToSymbolAsync(name, ...)                                     \
  ::xcc::cuda::detail::to_symbol_async(::xcc::symbol(name), __VA_ARGS__)
#define cudaMemcpyFromSymbolAsync(to, name, ...)                               \
  ::xcc::cuda::detail::from_symbol_async(to, ::xcc::symbol(name), __VA_ARGS__)
#define cudaGetSymbolSize(bytes, name)                                         \
  (*(bytes) = sizeof(name), ::xcc::cuda::status::success)
#define cudaGetSymbolAddress(pointer, name)                                    \
  ::xcc::cuda::detail::symbol_address(pointer, ::xcc::symbol(name))

#endif // XCC_CUDA_H
