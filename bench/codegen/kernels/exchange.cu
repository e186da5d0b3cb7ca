// Structures of 16 bytes, copied, changed and exchanged
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void exchangeKernel(int n, float mass,
                                      const suite::Body *__restrict in,
                                      suite::Body *__restrict a,
                                      suite::Body *__restrict b,
                                      suite::Body *__restrict out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  suite::Body body = a[i];
  a[i] = b[i];
  b[i] = body;
  out[i] = in[i];
  out[i + n] = in[n - i - 1];
  out[i + n].mass = mass;
}

void suite::exchange(int n, float mass, const Body *in, Body *a, Body *b,
                     Body *out) {
  exchangeKernel<<<(n + 255) / 256, 256>>>(n, mass, in, a, b, out);
}
