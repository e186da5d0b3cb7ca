// One element for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both matrices pass through 32 x 32 tiles in shared memory.

#include "../suite.h"

constexpr int Tile = 32;

static __global__ void matmulTiledKernel(int n, const float *__restrict a,
                                         const float *__restrict b,
                                         float *__restrict c) {
  __shared__ float as[Tile][Tile], bs[Tile][Tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * Tile + ty;
  int col = blockIdx.x * Tile + tx;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

void suite::matmulTiled(int n, const float *a, const float *b, float *c) {
  matmulTiledKernel<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(n, a, b, c);
}
