// A matrix by a vector, columns one after the other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void matvecKernel(int rows, int columns, const float *__restrict a,
                         const float *__restrict x, float *__restrict y) {
  int row = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += a[k * rows + row] * x[k];
  y[row] = sum;
}

void suite::matvec(int rows, int columns, const float *a, const float *x,
                   float *y) {
  xcc::launch({{(rows + 255) / 256}, {256}}, matvecKernel, rows, columns, a, x,
              y);
}
