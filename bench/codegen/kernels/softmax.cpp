// Softmax, a warp for each row
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <cmath>
#include <xcc/xcc.h>

static void softmaxKernel(int rows, int columns, const float *__restrict in,
                          float *__restrict out) {
  int lane = xcc::thread_idx().x % 32;
  int row =
      (xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x) / 32;
  if (row >= rows)
    return;
  const float *from = in + row * columns;
  float *to = out + row * columns;
  float most = -INFINITY;
  for (int i = lane; i < columns; i += 32)
    most = fmaxf(most, from[i]);
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, xcc::shuffle_xor(most, d));
  float sum = 0;
  for (int i = lane; i < columns; i += 32)
    sum += expf(from[i] - most);
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    sum += xcc::shuffle_xor(sum, d);
  for (int i = lane; i < columns; i += 32)
    to[i] = expf(from[i] - most) / sum;
}

void suite::softmax(int rows, int columns, const float *in, float *out) {
  xcc::launch({{(rows + 7) / 8}, {256}}, softmaxKernel, rows, columns, in, out);
}
