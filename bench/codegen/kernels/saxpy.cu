// y += a x
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void saxpyKernel(int n, float a, const float *__restrict x,
                                   float *__restrict y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

void suite::saxpy(int n, float a, const float *x, float *y) {
  saxpyKernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
