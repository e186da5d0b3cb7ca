// c = a + s b
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void triadKernel(int n, float s, const float *__restrict a,
                                   const float *__restrict b,
                                   float *__restrict c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + s * b[i];
}

void suite::triad(int n, float s, const float *a, const float *b, float *c) {
  triadKernel<<<(n + 255) / 256, 256>>>(n, s, a, b, c);
}
