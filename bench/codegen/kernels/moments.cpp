// A loop whose body loads enough by itself
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five numbers loaded and four sums carried: copies would only take registers.

#include "../suite.h"
#include <xcc/xcc.h>

static void momentsKernel(int n, int rows, const double *__restrict x,
                          const double *__restrict y,
                          const double *__restrict weight,
                          double *__restrict out) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int row = 0; row < rows; ++row) {
    double u = x[row * n + i], v = y[row * n + i];
    double p = weight[row * 3], q = weight[row * 3 + 1],
           r = weight[row * 3 + 2];
    s0 += u * p - v * q;
    s1 += u * q * r + v * p;
    s2 += u * r - v * v;
    s3 += p * q * r * u * v;
  }
  out[i] = s0, out[n + i] = s1, out[2 * n + i] = s2, out[3 * n + i] = s3;
}

void suite::moments(int n, int rows, const double *x, const double *y,
                    const double *weight, double *out) {
  xcc::launch({{(n + 255) / 256}, {256}}, momentsKernel, n, rows, x, y, weight,
              out);
}
