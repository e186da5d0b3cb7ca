// Sparse rows, a thread for each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void spmvScalarKernel(int rows, const int *__restrict start,
                             const int *__restrict column,
                             const float *__restrict value,
                             const float *__restrict x, float *__restrict y) {
  int row = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}

void suite::spmvScalar(int rows, const int *start, const int *column,
                       const float *value, const float *x, float *y) {
  xcc::launch({{(rows + 255) / 256}, {256}}, spmvScalarKernel, rows, start,
              column, value, x, y);
}
