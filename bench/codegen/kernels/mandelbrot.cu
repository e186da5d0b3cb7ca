// Steps until a point escapes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void mandelbrotKernel(int width, int height, int limit,
                                        std::uint16_t *__restrict steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
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
  mandelbrotKernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
      width, height, limit, steps);
}
