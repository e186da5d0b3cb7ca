// The best choice of things, by branch and bound
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it, and the host checks with it.

#ifndef XCC_BENCH_CODEGEN_KNAPSACK_H
#define XCC_BENCH_CODEGEN_KNAPSACK_H

#include "../suite.h"

namespace suite {

constexpr int KnapsackThings = 24;

/// The greatest value of things whose weights are at most `room`; the things
/// come with value / weight falling.
SUITE_INLINE int knapsack(const int *value, const int *weight, int room) {
  int stack[KnapsackThings], depth = 0, best = 0, sum = 0, left = room, k = 0;
  for (;;) {
    int bound = sum, space = left, j = k;
    while (j < KnapsackThings && weight[j] <= space) {
      bound += value[j];
      space -= weight[j++];
    }
    if (j < KnapsackThings)
      bound += value[j] * space / weight[j];
    if (bound > best && k < KnapsackThings) {
      if (weight[k] <= left) {
        stack[depth++] = k;
        sum += value[k];
        left -= weight[k];
        best = sum > best ? sum : best;
      }
      ++k;
      continue;
    }
    if (depth == 0)
      return best;
    k = stack[--depth];
    sum -= value[k];
    left += weight[k++];
  }
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_KNAPSACK_H
