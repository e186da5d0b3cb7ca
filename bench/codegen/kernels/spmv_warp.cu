// Sparse rows, a warp for each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void spmvWarpKernel(int rows, const int *__restrict start,
                                      const int *__restrict column,
                                      const float *__restrict value,
                                      const float *__restrict x,
                                      float *__restrict y) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int row = thread / 32, lane = thread % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = start[row] + lane; i < start[row + 1]; i += 32)
    sum += value[i] * x[column[i]];
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (lane == 0)
    y[row] = sum;
}

void suite::spmvWarp(int rows, const int *start, const int *column,
                     const float *value, const float *x, float *y) {
  spmvWarpKernel<<<(rows + 7) / 8, 256>>>(rows, start, column, value, x, y);
}
