// Where the largest element of each row is, a block for each
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void argmaxKernel(int columns, const float *in, int *where) {
  __shared__ float value[1024];
  __shared__ int index[1024];
  int t = threadIdx.x;
  const float *row = in + blockIdx.x * columns;
  float most = -3.4e38f;
  int best = 0;
  for (int i = t; i < columns; i += blockDim.x)
    if (row[i] > most) {
      most = row[i];
      best = i;
    }
  value[t] = most;
  index[t] = best;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half && value[t + half] > value[t]) {
      value[t] = value[t + half];
      index[t] = index[t + half];
    }
    __syncthreads();
  }
  if (t == 0)
    where[blockIdx.x] = index[0];
}

void suite::argmax(int threads, int rows, int columns, const float *in,
                   int *where) {
  const unsigned block = threads, blocks = rows;
  argmaxKernel<<<dim3(blocks), dim3(block)>>>(columns, in, where);
}
