// The sum of integers, as a tree
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void reduceTreeKernel(int n, const int *in, int *sums) {
  static xcc::block_shared<int[1024]> part;
  unsigned t = xcc::thread_idx().x;
  unsigned i = xcc::block_idx().x * xcc::block_dim().x + t;
  part[t] = i < n ? in[i] : 0;
  xcc::sync_block();
  for (unsigned half = xcc::block_dim().x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    xcc::sync_block();
  }
  if (t == 0)
    sums[xcc::block_idx().x] = part[0];
}

void suite::reduceTree(int threads, int n, const int *in, int *sums) {
  const unsigned block = threads, blocks = (n + threads - 1) / threads;
  xcc::launch({{blocks}, {block}}, reduceTreeKernel, n, in, sums);
}
