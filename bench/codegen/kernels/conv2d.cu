// A filter of 5 x 5 over an image, zeros around it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void conv2dKernel(int width, int height, const float *in,
                                    const float *filter, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) {
      int px = x + i, py = y + j;
      if (px >= 0 && px < width && py >= 0 && py < height)
        sum += in[py * width + px] * filter[(j + 2) * 5 + i + 2];
    }
  out[y * width + x] = sum;
}

void suite::conv2d(int width, int height, const float *in, const float *filter,
                   float *out) {
  const unsigned across = (width + 31) / 32, down = (height + 7) / 8;
  conv2dKernel<<<dim3(across, down), dim3(32, 8)>>>(width, height, in, filter,
                                                    out);
}
