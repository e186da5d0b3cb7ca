// LU of blocks in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void luKernel(int n, double *matrix) {
  __shared__ double panel[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  std::size_t at = std::size_t(blockIdx.x) * 16;
  double *own = matrix + (at + y) * n + at + x;
  panel[y][x] = *own;
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    if (y > k && x == k)
      panel[y][k] /= panel[k][k];
    __syncthreads();
    if (y > k && x > k)
      panel[y][x] -= panel[y][k] * panel[k][x];
    __syncthreads();
  }
  *own = panel[y][x];
}

void suite::lu(int n, double *matrix) {
  luKernel<<<dim3(n / 16), dim3(16, 16)>>>(n, matrix);
}
