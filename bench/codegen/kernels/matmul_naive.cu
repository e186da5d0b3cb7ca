// A product of matrices, as it is written down
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void matmulNaiveKernel(int n, const float *a, const float *b,
                                         float *c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

void suite::matmulNaive(int n, const float *a, const float *b, float *c) {
  const unsigned blocks = (n + 15) / 16;
  matmulNaiveKernel<<<dim3(blocks, blocks), dim3(16, 16)>>>(n, a, b, c);
}
