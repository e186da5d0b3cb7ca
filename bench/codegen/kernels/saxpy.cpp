// y += a x
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void saxpyKernel(int n, float a, const float *__restrict x,
                        float *__restrict y) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < n)
    y[i] += a * x[i];
}

void suite::saxpy(int n, float a, const float *x, float *y) {
  xcc::launch({{(n + 255) / 256}, {256}}, saxpyKernel, n, a, x, y);
}
