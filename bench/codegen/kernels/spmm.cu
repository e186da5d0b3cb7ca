// A sparse matrix times a dense one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void
spmmKernel(int rows, int columns, const int *__restrict start,
           const int *__restrict column, const float *__restrict value,
           const float *__restrict dense, float *__restrict out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || x >= columns)
    return;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += value[i] * dense[column[i] * columns + x];
  out[row * columns + x] = sum;
}

void suite::spmm(int rows, int columns, const int *start, const int *column,
                 const float *value, const float *dense, float *out) {
  spmmKernel<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(
      rows, columns, start, column, value, dense, out);
}
