// The sum of an array
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop, then shuffles within warps, then shared memory among
// them.

#include "../suite.h"
#include <xcc/xcc.h>

static float warpSum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    v += xcc::shuffle_down(v, d);
  return v;
}

static void reduceKernel(int n, const float *__restrict in,
                         float *__restrict sums) {
  static xcc::block_shared<float[32]> partial;
  int t = xcc::thread_idx().x;
  float sum = 0;
  for (int i = xcc::block_idx().x * xcc::block_dim().x + t; i < n;
       i += xcc::grid_dim().x * xcc::block_dim().x)
    sum += in[i];

  sum = warpSum(sum);
  if (t % 32 == 0)
    partial[t / 32] = sum;
  xcc::sync_block();
  if (t < 32) {
    sum = warpSum(t < int(xcc::block_dim().x) / 32 ? partial[t] : 0.0f);
    if (t == 0)
      sums[xcc::block_idx().x] = sum;
  }
}

void suite::reduce(int blocks, int n, const float *in, float *sums) {
  xcc::launch({{blocks}, {ReduceThreads}}, reduceKernel, n, in, sums);
}
