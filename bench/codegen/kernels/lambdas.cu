// A lambda with captures
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

template <class F> static __global__ void forEachKernel(int n, F body) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    body(i);
}

template <class F> static void forEach(int n, F body) {
  forEachKernel<<<(n + 255) / 256, 256>>>(n, body);
}

void suite::lambdas(int n, float a, float b, const float *x, const float *y,
                    float *out) {
  forEach(n, [=] __device__(int i) {
    float d = x[i] - a, e = y[i] - b;
    auto square = [](float v) { return v * v; };
    out[i] = square(d) + square(e) + a * b;
  });
}
