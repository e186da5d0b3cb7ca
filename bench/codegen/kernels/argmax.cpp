// Where the largest element of each row is, a block for each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void argmaxKernel(int columns, const float *in, int *where) {
  static xcc::block_shared<float[1024]> value;
  static xcc::block_shared<int[1024]> index;
  int t = xcc::thread_idx().x;
  const float *row = in + xcc::block_idx().x * columns;
  float most = -3.4e38f;
  int best = 0;
  for (int i = t; i < columns; i += xcc::block_dim().x)
    if (row[i] > most) {
      most = row[i];
      best = i;
    }
  value[t] = most;
  index[t] = best;
  xcc::sync_block();
  for (int half = xcc::block_dim().x / 2; half > 0; half /= 2) {
    if (t < half && value[t + half] > value[t]) {
      value[t] = value[t + half];
      index[t] = index[t + half];
    }
    xcc::sync_block();
  }
  if (t == 0)
    where[xcc::block_idx().x] = index[0];
}

void suite::argmax(int threads, int rows, int columns, const float *in,
                   int *where) {
  const unsigned block = threads, blocks = rows;
  xcc::launch({{blocks}, {block}}, argmaxKernel, columns, in, where);
}
