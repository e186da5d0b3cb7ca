// Sorting tiles in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void bitonicKernel(const unsigned *__restrict in,
                                     unsigned *__restrict out) {
  __shared__ unsigned keys[512];
  unsigned t = threadIdx.x, base = blockIdx.x * 512;
  keys[t] = in[base + t];
  keys[t + 256] = in[base + t + 256];
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned i = 2 * t - (t & (stride - 1));
      bool up = (i & size) == 0;
      unsigned a = keys[i], b = keys[i + stride];
      if ((a > b) == up) {
        keys[i] = b;
        keys[i + stride] = a;
      }
    }
  __syncthreads();
  out[base + t] = keys[t];
  out[base + t + 256] = keys[t + 256];
}

void suite::bitonic(int blocks, const unsigned *in, unsigned *out) {
  bitonicKernel<<<dim3(blocks), dim3(256)>>>(in, out);
}
