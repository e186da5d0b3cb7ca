// Five points of a grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void stencil2dKernel(int width, int height,
                                       const float *__restrict in,
                                       float *__restrict out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    int i = y * width + x;
    out[i] =
        0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

void suite::stencil2d(int width, int height, const float *in, float *out) {
  stencil2dKernel<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
      width, height, in, out);
}
