// Recursion, of different depth in each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "recursion.h"

static __global__ void recursionKernel(int n, const int *__restrict depth,
                                       int *__restrict out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int d = depth[i];
  out[i] = suite::fibonacci(d) + suite::ackermann(d & 1, d);
}

void suite::recursion(int n, const int *depth, int *out) {
  recursionKernel<<<(n + 255) / 256, 256>>>(n, depth, out);
}
