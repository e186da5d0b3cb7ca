// c = a + s b
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void triadKernel(int n, float s, const float *__restrict a,
                        const float *__restrict b, float *__restrict c) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < n)
    c[i] = a[i] + s * b[i];
}

void suite::triad(int n, float s, const float *a, const float *b, float *c) {
  xcc::launch({{(n + 255) / 256}, {256}}, triadKernel, n, s, a, b, c);
}
