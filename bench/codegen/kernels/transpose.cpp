// Through a tile in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

constexpr int Tile = 32, Rows = 8;

static void transposeKernel(int width, int height, const float *__restrict in,
                            float *__restrict out) {
  static xcc::block_shared<float[Tile][Tile + 1]> tile;
  int tx = xcc::thread_idx().x, ty = xcc::thread_idx().y;
  int bx = xcc::block_idx().x * Tile, by = xcc::block_idx().y * Tile;
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    tile[ty + j][tx] = in[(by + ty + j) * width + bx + tx];
  xcc::sync_block();
#pragma unroll
  for (int j = 0; j < Tile; j += Rows)
    out[(bx + ty + j) * height + by + tx] = tile[tx][ty + j];
}

void suite::transpose(int width, int height, const float *in, float *out) {
  xcc::launch({{width / Tile, height / Tile}, {Tile, Rows}}, transposeKernel,
              width, height, in, out);
}
