// A matrix by a vector, columns one after the other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void matvecKernel(int rows, int columns,
                                    const float *__restrict a,
                                    const float *__restrict x,
                                    float *__restrict y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += a[k * rows + row] * x[k];
  y[row] = sum;
}

void suite::matvec(int rows, int columns, const float *a, const float *x,
                   float *y) {
  matvecKernel<<<dim3((rows + 255) / 256), dim3(256)>>>(rows, columns, a, x, y);
}
