// A product of matrices, as it is written down
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void matmulNaiveKernel(int n, const float *a, const float *b, float *c) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

void suite::matmulNaive(int n, const float *a, const float *b, float *c) {
  const unsigned blocks = (n + 15) / 16;
  xcc::launch({{blocks, blocks}, {16, 16}}, matmulNaiveKernel, n, a, b, c);
}
