// A stage of an FFT of radix 4
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

SUITE_DEVICE suite::FloatComplex plus(suite::FloatComplex a,
                                      suite::FloatComplex b) {
  return {a.re + b.re, a.im + b.im};
}
SUITE_DEVICE suite::FloatComplex minus(suite::FloatComplex a,
                                       suite::FloatComplex b) {
  return {a.re - b.re, a.im - b.im};
}
SUITE_DEVICE suite::FloatComplex times(suite::FloatComplex a,
                                       suite::FloatComplex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
SUITE_DEVICE suite::FloatComplex turned(suite::FloatComplex a) {
  return {a.im, -a.re};
}
static void fft4Kernel(int n, int span,
                       const suite::FloatComplex *__restrict in,
                       const suite::FloatComplex *__restrict roots,
                       suite::FloatComplex *__restrict out) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int quarter = n / 4;
  if (i >= quarter)
    return;
  int k = i & (span - 1), step = quarter / span;
  suite::FloatComplex v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    v[j] = in[i + j * quarter];
#pragma unroll
  for (int j = 1; j < 4; ++j)
    v[j] = times(v[j], roots[j * k * step]);
  suite::FloatComplex a = plus(v[0], v[2]), b = minus(v[0], v[2]),
                      c = plus(v[1], v[3]), d = turned(minus(v[1], v[3]));
  int to = (i - k) * 4 + k;
  out[to] = plus(a, c);
  out[to + span] = plus(b, d);
  out[to + 2 * span] = minus(a, c);
  out[to + 3 * span] = minus(b, d);
}

void suite::fft4(int n, int span, const suite::FloatComplex *in,
                 const suite::FloatComplex *roots, suite::FloatComplex *out) {
  xcc::launch({{(n / 4 + 127) / 128}, {128}}, fft4Kernel, n, span, in, roots,
              out);
}
