// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices as values of uint3 and dim3; names of types after struct and enum;
// the alignment of memory.
#include <cstdio>
#include <cuda_runtime.h>
struct cudaExtent;
static enum cudaMemcpyKind toHost() { return cudaMemcpyDeviceToHost; }
static size_t elements(const struct cudaExtent &of) {
  return of.width * of.height * of.depth;
}
__device__ dim3 place(dim3 block, dim3 size, dim3 thread) {
  return dim3(block.x * size.x + thread.x, block.y * size.y + thread.y, 1);
}
__device__ uint3 product(uint3 a, uint3 b) {
  return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z);
}
__device__ unsigned volume(uint3 d) { return d.x * d.y * d.z; }
template <class V> __device__ unsigned sum(V v) { return v.x + v.y + v.z; }
__global__ void indices(unsigned *o) {
  dim3 a = place(blockIdx, blockDim, threadIdx);
  uint3 b = product(blockIdx, blockDim);
  dim3 c(threadIdx), d = blockDim, e{gridDim};
  const dim3 &r = blockDim;
  const uint3 f = gridDim, g(threadIdx);
  auto h = blockDim;
  o[a.x] = (a.x == b.x + threadIdx.x) + c.x + d.x + e.x + r.y + f.x + g.x +
           h.x + volume(blockDim) + sum(threadIdx) + sum(blockDim);
}
static bool aligned() {
  char *pointers[16];
  bool right = true;
  for (size_t i = 0; i < 16; ++i) {
    right &= cudaMalloc(&pointers[i], 1 + 40 * i) == cudaSuccess;
    right &= size_t(pointers[i]) % 256 == 0;
  }
  for (char *pointer : pointers)
    cudaFree(pointer);
  return right;
}
bool indices() {
  struct cudaExtent all = make_cudaExtent(32, 2, 1);
  unsigned *o, host[64], wrong = 0;
  enum cudaError failed = cudaMalloc(&o, sizeof host);
  indices<<<dim3(2), dim3(32)>>>(o);
  cudaMemcpy(host, o, elements(all) * sizeof *o, toHost());
  for (unsigned n = 0; n < 64; ++n)
    wrong += host[n] != 3 * (n % 32) + 4 * 32 + 8;
  return aligned() && wrong == 0 && failed == cudaSuccess && cudaFree(o) == cudaSuccess;
}
