// A loop with barriers, as often as an argument says
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void smoothKernel(int steps, const float *__restrict in,
                                    float *__restrict out) {
  __shared__ float tile[suite::SmoothThreads];
  int lane = threadIdx.x,
      left = (lane + suite::SmoothThreads - 1) % suite::SmoothThreads,
      right = (lane + 1) % suite::SmoothThreads;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = in[i];
  for (int step = 0; step < steps; ++step) {
    tile[lane] = own;
    __syncthreads();
    own = 0.5f * own + 0.25f * (tile[left] + tile[right]);
    __syncthreads();
  }
  out[i] = own;
}

void suite::smooth(int blocks, int steps, const float *in, float *out) {
  smoothKernel<<<blocks, SmoothThreads>>>(steps, in, out);
}
