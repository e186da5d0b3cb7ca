// One element for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both matrices pass through 32 x 32 tiles in shared memory.

#include "../suite.h"
#include <xcc/xcc.h>

constexpr int Tile = 32;

static void matmulTiledKernel(int n, const float *__restrict a,
                              const float *__restrict b, float *__restrict c) {
  static xcc::block_shared<float[Tile][Tile]> as, bs;
  int tx = xcc::thread_idx().x, ty = xcc::thread_idx().y;
  int row = xcc::block_idx().y * Tile + ty;
  int col = xcc::block_idx().x * Tile + tx;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + col];
    xcc::sync_block();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
      sum += as[ty][k] * bs[k][tx];
    xcc::sync_block();
  }
  c[row * n + col] = sum;
}

void suite::matmulTiled(int n, const float *a, const float *b, float *c) {
  xcc::launch({{n / Tile, n / Tile}, {Tile, Tile}}, matmulTiledKernel, n, a, b,
              c);
}
