// The sum of integers, as a tree
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void reduceTreeKernel(int n, const int *in, int *sums) {
  __shared__ int part[1024];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

void suite::reduceTree(int threads, int n, const int *in, int *sums) {
  const unsigned block = threads, blocks = (n + threads - 1) / threads;
  reduceTreeKernel<<<dim3(blocks), dim3(block)>>>(n, in, sums);
}
