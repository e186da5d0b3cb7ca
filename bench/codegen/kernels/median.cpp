// The median of nine neighbours
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

SUITE_DEVICE void order(float &a, float &b) {
  float least = a < b ? a : b;
  b = a < b ? b : a;
  a = least;
}
static void medianKernel(int width, int height, const float *__restrict in,
                         float *__restrict out) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  float v[9];
#pragma unroll
  for (int j = 0; j < 3; ++j)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      v[3 * j + i] = in[(y + j - 1) * width + x + i - 1];
#pragma unroll
  for (int k = 0; k < 5; ++k)
#pragma unroll
    for (int i = k; i < 8; ++i)
      order(v[k], v[i + 1]);
  out[y * width + x] = v[4];
}

void suite::median(int width, int height, const float *in, float *out) {
  xcc::launch({{(width + 31) / 32, (height + 7) / 8}, {32, 8}}, medianKernel,
              width, height, in, out);
}
