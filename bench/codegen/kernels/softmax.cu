// Softmax, a warp for each row
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <cmath>

static __global__ void softmaxKernel(int rows, int columns,
                                     const float *__restrict in,
                                     float *__restrict out) {
  int lane = threadIdx.x % 32;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows)
    return;
  const float *from = in + row * columns;
  float *to = out + row * columns;
  float most = -INFINITY;
  for (int i = lane; i < columns; i += 32)
    most = fmaxf(most, from[i]);
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  float sum = 0;
  for (int i = lane; i < columns; i += 32)
    sum += expf(from[i] - most);
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  for (int i = lane; i < columns; i += 32)
    to[i] = expf(from[i] - most) / sum;
}

void suite::softmax(int rows, int columns, const float *in, float *out) {
  softmaxKernel<<<dim3((rows + 7) / 8), dim3(256)>>>(rows, columns, in, out);
}
