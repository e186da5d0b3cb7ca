// Steps until a point escapes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void mandelbrotKernel(int width, int height, int limit,
                             std::uint16_t *__restrict steps) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x >= width || y >= height)
    return;
  float cr = -2.2f + 3.2f * x / width, ci = -1.2f + 2.4f * y / height;
  float zr = 0, zi = 0;
  int k = 0;
  while (k < limit && zr * zr + zi * zi < 4) {
    float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    ++k;
  }
  steps[y * width + x] = k;
}

void suite::mandelbrot(int width, int height, int limit, std::uint16_t *steps) {
  xcc::launch({{(width + 31) / 32, (height + 7) / 8}, {32, 8}},
              mandelbrotKernel, width, height, limit, steps);
}
