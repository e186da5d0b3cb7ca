// The sum of an array
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop, then shuffles within warps, then shared memory among
// them.

#include "../suite.h"

static __device__ float warpSum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}

static __global__ void reduceKernel(int n, const float *__restrict in,
                                    float *__restrict sums) {
  __shared__ float partial[32];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];

  sum = warpSum(sum);
  if (t % 32 == 0)
    partial[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = warpSum(t < int(blockDim.x) / 32 ? partial[t] : 0.0f);
    if (t == 0)
      sums[blockIdx.x] = sum;
  }
}

void suite::reduce(int blocks, int n, const float *in, float *sums) {
  reduceKernel<<<blocks, ReduceThreads>>>(n, in, sums);
}
