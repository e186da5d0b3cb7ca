// A sparse matrix times a dense one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void spmmKernel(int rows, int columns, const int *__restrict start,
                       const int *__restrict column,
                       const float *__restrict value,
                       const float *__restrict dense, float *__restrict out) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int row = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (row >= rows || x >= columns)
    return;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += value[i] * dense[column[i] * columns + x];
  out[row * columns + x] = sum;
}

void suite::spmm(int rows, int columns, const int *start, const int *column,
                 const float *value, const float *dense, float *out) {
  xcc::launch({{(columns + 31) / 32, (rows + 7) / 8}, {32, 8}}, spmmKernel,
              rows, columns, start, column, value, dense, out);
}
