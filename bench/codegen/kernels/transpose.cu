// Through a tile in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

constexpr int Tile = 32, Rows = 8;

static __global__ void transposeKernel(int width, int height,
                                       const float *__restrict in,
                                       float *__restrict out) {
  __shared__ float tile[Tile][Tile + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int bx = blockIdx.x * Tile, by = blockIdx.y * Tile;
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    tile[ty + j][tx] = in[(by + ty + j) * width + bx + tx];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    out[(bx + ty + j) * height + by + tx] = tile[tx][ty + j];
}

void suite::transpose(int width, int height, const float *in, float *out) {
  transposeKernel<<<dim3(width / Tile, height / Tile), dim3(Tile, Rows)>>>(
      width, height, in, out);
}
