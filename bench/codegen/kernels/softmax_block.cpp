// Softmax, a block for each row
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <cmath>
#include <xcc/xcc.h>

static void softmaxBlockKernel(int columns, const float *in, float *out) {
  static xcc::block_shared<float[1024]> part;
  int t = xcc::thread_idx().x;
  const float *from = in + xcc::block_idx().x * columns;
  float *to = out + xcc::block_idx().x * columns;
  float most = -INFINITY;
  for (int i = t; i < columns; i += xcc::block_dim().x)
    most = fmaxf(most, from[i]);
  part[t] = most;
  xcc::sync_block();
  for (int half = xcc::block_dim().x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] = fmaxf(part[t], part[t + half]);
    xcc::sync_block();
  }
  most = part[0];
  xcc::sync_block();
  float sum = 0;
  for (int i = t; i < columns; i += xcc::block_dim().x)
    sum += expf(from[i] - most);
  part[t] = sum;
  xcc::sync_block();
  for (int half = xcc::block_dim().x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    xcc::sync_block();
  }
  sum = part[0];
  for (int i = t; i < columns; i += xcc::block_dim().x)
    to[i] = expf(from[i] - most) / sum;
}

void suite::softmaxBlock(int threads, int rows, int columns, const float *in,
                         float *out) {
  const unsigned block = threads, blocks = rows;
  xcc::launch({{blocks}, {block}}, softmaxBlockKernel, columns, in, out);
}
