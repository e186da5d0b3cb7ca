// A lambda with captures
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

template <class F> static void forEachKernel(int n, F body) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < n)
    body(i);
}

template <class F> static void forEach(int n, F body) {
  xcc::launch({{(n + 255) / 256}, {256}}, forEachKernel<F>, n, body);
}

void suite::lambdas(int n, float a, float b, const float *x, const float *y,
                    float *out) {
  forEach(n, [=](int i) {
    float d = x[i] - a, e = y[i] - b;
    auto square = [](float v) { return v * v; };
    out[i] = square(d) + square(e) + a * b;
  });
}
