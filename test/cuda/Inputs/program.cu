// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <xcc/cuda.h>
#include <cstdio>

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
namespace tools {
template <typename T, int Factor> __global__ void scale(T *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n)
    c[i] *= Factor;
}
} // namespace tools

int main() {
  const int n = 300, threads = 128, blocks = (n + threads - 1) / threads;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    a[i] = i, b[i] = 2 * i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  vector_add<<<blocks, threads>>>(a, b, c, n);
  using tools::scale;
  scale<float, 3><<<dim3(blocks, 1),
                    dim3(threads), 0, stream>>>(
      c, n);
  cudaDeviceSynchronize();
  bool good = true;
  for (int i = 0; i < n; ++i)
    good &= c[i] == 9 * i;
  printf("%s\n", good ? "good" : "bad");
  cudaStreamDestroy(stream);
  cudaFree(a), cudaFree(b), cudaFree(c);
}
