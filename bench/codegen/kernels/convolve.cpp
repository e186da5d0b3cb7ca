// Weights in a constant table
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads read the same place of it together.

#include "../suite.h"
#include <xcc/xcc.h>

SUITE_CONSTANT float Weights[32] = {
    .5f,  .25f, .75f, .125f, .375f, .625f, .875f, .0625f, .1f,  .2f,  .3f,
    .4f,  .6f,  .7f,  .8f,   .9f,   .11f,  .21f,  .31f,   .41f, .61f, .71f,
    .81f, .91f, .12f, .22f,  .32f,  .42f,  .62f,  .72f,   .82f, .92f};

static void convolveKernel(int n, int taps, const float *__restrict in,
                           float *__restrict out) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  float sum = 0;
  for (int tap = 0; tap < taps; ++tap)
    sum += Weights[tap] * in[i + tap];
  out[i] = sum;
}

void suite::convolve(int n, int taps, const float *in, float *out) {
  xcc::launch({{(n + 255) / 256}, {256}}, convolveKernel, n, taps, in, out);
}
