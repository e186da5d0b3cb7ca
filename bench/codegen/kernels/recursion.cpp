// Recursion, of different depth in each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "recursion.h"
#include <xcc/xcc.h>

static void recursionKernel(int n, const int *__restrict depth,
                            int *__restrict out) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  int d = depth[i];
  out[i] = suite::fibonacci(d) + suite::ackermann(d & 1, d);
}

void suite::recursion(int n, const int *depth, int *out) {
  xcc::launch({{(n + 255) / 256}, {256}}, recursionKernel, n, depth, out);
}
