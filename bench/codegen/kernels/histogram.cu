// How often each byte occurs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block counts with atomics in shared memory and adds its counts once.

#include "../suite.h"

static __global__ void histogramKernel(int n,
                                       const std::uint8_t *__restrict text,
                                       std::uint32_t *__restrict bins) {
  __shared__ std::uint32_t local[256];
  int t = threadIdx.x;
  local[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[text[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[t], local[t]);
}

void suite::histogram(int blocks, int n, const std::uint8_t *text,
                      std::uint32_t *bins) {
  histogramKernel<<<blocks, 256>>>(n, text, bins);
}
