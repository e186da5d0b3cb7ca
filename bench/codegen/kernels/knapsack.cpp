// Branch and bound with a stack of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "knapsack.h"
#include <xcc/xcc.h>

static void knapsackKernel(int n, const int *__restrict value,
                           const int *__restrict weight,
                           const int *__restrict room, int *__restrict best) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  best[i] = suite::knapsack(value, weight, room[i]);
}

void suite::knapsack(int n, const int *value, const int *weight,
                     const int *room, int *best) {
  xcc::launch({{(n + 255) / 256}, {256}}, knapsackKernel, n, value, weight,
              room, best);
}
