// Copies between CUDA's arrays, and in a stream
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read by textures.h, which has the arrays. Offsets and widths are in bytes.

#ifndef XCC_CUDA_ARRAY_COPIES_H
#define XCC_CUDA_ARRAY_COPIES_H

inline cudaError_t cudaMemcpy2DFromArrayAsync(
    void *to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
    std::size_t y, std::size_t width, std::size_t height,
    cudaMemcpyKind kind = cudaMemcpyDefault, cudaStream_t on = nullptr) {
  if (!xcc::cuda::detail::holds(from, x, y, width, height))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy2DAsync(to, pitch, xcc::cuda::detail::place(from, x, y),
                           from->row, width, height, kind, on);
}
inline cudaError_t cudaMemcpy2DArrayToArray(
    cudaArray_t to, std::size_t x, std::size_t y, cudaArray_const_t from,
    std::size_t from_x, std::size_t from_y, std::size_t width,
    std::size_t height, cudaMemcpyKind = cudaMemcpyDeviceToDevice) {
  if (!xcc::cuda::detail::holds(to, x, y, width, height) ||
      !xcc::cuda::detail::holds(from, from_x, from_y, width, height))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy2D(xcc::cuda::detail::place(to, x, y), to->row,
                      xcc::cuda::detail::place(from, from_x, from_y), from->row,
                      width, height);
}
inline cudaError_t
cudaMemcpyArrayToArray(cudaArray_t to, std::size_t x, std::size_t y,
                       cudaArray_const_t from, std::size_t from_x,
                       std::size_t from_y, std::size_t bytes,
                       cudaMemcpyKind = cudaMemcpyDeviceToDevice) {
  if (!xcc::cuda::detail::holds_bytes(to, x, y, bytes) ||
      !xcc::cuda::detail::holds_bytes(from, from_x, from_y, bytes))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpy(xcc::cuda::detail::place(to, x, y),
                    xcc::cuda::detail::place(from, from_x, from_y), bytes);
}
inline cudaError_t
cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y,
                       const void *from, std::size_t bytes,
                       cudaMemcpyKind kind = cudaMemcpyDefault,
                       cudaStream_t on = nullptr) {
  if (!xcc::cuda::detail::holds_bytes(to, x, y, bytes))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpyAsync(xcc::cuda::detail::place(to, x, y), from, bytes, kind,
                         on);
}
inline cudaError_t
cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, std::size_t x,
                         std::size_t y, std::size_t bytes,
                         cudaMemcpyKind kind = cudaMemcpyDefault,
                         cudaStream_t on = nullptr) {
  if (!xcc::cuda::detail::holds_bytes(from, x, y, bytes))
    return xcc::cuda::detail::note(xcc::cuda::status::invalid_value);
  return cudaMemcpyAsync(to, xcc::cuda::detail::place(from, x, y), bytes, kind,
                         on);
}
/// Memory is addressed in 32 bits of elements.
inline cudaError_t
cudaDeviceGetTexture1DLinearMaxWidth(std::size_t *elements,
                                     const cudaChannelFormatDesc *, int) {
  *elements = std::size_t(1) << 28; // as NVIDIA's devices
  return cudaSuccess;
}

#endif // XCC_CUDA_ARRAY_COPIES_H
