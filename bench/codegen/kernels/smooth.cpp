// A loop with barriers, as often as an argument says
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void smoothKernel(int steps, const float *__restrict in,
                         float *__restrict out) {
  static xcc::block_shared<float[suite::SmoothThreads]> tile;
  int lane = xcc::thread_idx().x,
      left = (lane + suite::SmoothThreads - 1) % suite::SmoothThreads,
      right = (lane + 1) % suite::SmoothThreads;
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  float own = in[i];
  for (int step = 0; step < steps; ++step) {
    tile[lane] = own;
    xcc::sync_block();
    own = 0.5f * own + 0.25f * (tile[left] + tile[right]);
    xcc::sync_block();
  }
  out[i] = own;
}

void suite::smooth(int blocks, int steps, const float *in, float *out) {
  xcc::launch({{blocks}, {SmoothThreads}}, smoothKernel, steps, in, out);
}
