// Five points of a grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void stencil2dKernel(int width, int height, const float *__restrict in,
                            float *__restrict out) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    int i = y * width + x;
    out[i] =
        0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

void suite::stencil2d(int width, int height, const float *in, float *out) {
  xcc::launch({{(width + 31) / 32, (height + 7) / 8}, {32, 8}}, stencil2dKernel,
              width, height, in, out);
}
