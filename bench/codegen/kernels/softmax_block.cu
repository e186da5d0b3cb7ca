// Softmax, a block for each row
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <cmath>

static __global__ void softmaxBlockKernel(int columns, const float *in,
                                          float *out) {
  __shared__ float part[1024];
  int t = threadIdx.x;
  const float *from = in + blockIdx.x * columns;
  float *to = out + blockIdx.x * columns;
  float most = -INFINITY;
  for (int i = t; i < columns; i += blockDim.x)
    most = fmaxf(most, from[i]);
  part[t] = most;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] = fmaxf(part[t], part[t + half]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x)
    sum += expf(from[i] - most);
  part[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  sum = part[0];
  for (int i = t; i < columns; i += blockDim.x)
    to[i] = expf(from[i] - most) / sum;
}

void suite::softmaxBlock(int threads, int rows, int columns, const float *in,
                         float *out) {
  const unsigned block = threads, blocks = rows;
  softmaxBlockKernel<<<dim3(blocks), dim3(block)>>>(columns, in, out);
}
