// 4 x 4 elements for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile of `a` is stored transposed, so that a thread reads both in rows.

#include "../suite.h"
#include <xcc/xcc.h>

constexpr int Tile = 64, Depth = 16, Each = 4, Threads = Tile / Each;

static void matmulRegisterKernel(int n, const float *__restrict a,
                                 const float *__restrict b,
                                 float *__restrict c) {
  static xcc::block_shared<float[Depth][Tile + 4]> as;
  static xcc::block_shared<float[Depth][Tile]> bs;
  int tx = xcc::thread_idx().x, ty = xcc::thread_idx().y;
  int row = xcc::block_idx().y * Tile, col = xcc::block_idx().x * Tile;
  float sum[Each][Each] = {};
  for (int k0 = 0; k0 < n; k0 += Depth) {
#pragma unroll
    for (int j = 0; j < Tile * Depth; j += Threads * Threads) {
      int at = j + ty * Threads + tx;
      as[at % Depth][at / Depth] = a[(row + at / Depth) * n + k0 + at % Depth];
      bs[at / Tile][at % Tile] = b[(k0 + at / Tile) * n + col + at % Tile];
    }
    xcc::sync_block();
#pragma unroll
    for (int k = 0; k < Depth; ++k) {
      float x[Each], y[Each];
#pragma unroll
      for (int i = 0; i < Each; ++i) {
        x[i] = as[k][ty * Each + i];
        y[i] = bs[k][tx * Each + i];
      }
#pragma unroll
      for (int i = 0; i < Each; ++i)
#pragma unroll
        for (int j = 0; j < Each; ++j)
          sum[i][j] += x[i] * y[j];
    }
    xcc::sync_block();
  }
#pragma unroll
  for (int i = 0; i < Each; ++i)
#pragma unroll
    for (int j = 0; j < Each; ++j)
      c[(row + ty * Each + i) * n + col + tx * Each + j] = sum[i][j];
}

void suite::matmulRegister(int n, const float *a, const float *b, float *c) {
  xcc::launch({{n / Tile, n / Tile}, {Threads, Threads}}, matmulRegisterKernel,
              n, a, b, c);
}
