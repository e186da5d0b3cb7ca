// Tiles of 4 x 2 elements for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void tileKernel(int width, int pitch,
                                  const float *__restrict in,
                                  float *__restrict out) {
  int x = blockIdx.x * 64 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int i = 0; i < 2; ++i)
      out[(y + 8 * j) * pitch + x + 32 * i] =
          2 * in[(y + 8 * j) * width + x + 32 * i];
}

void suite::tiles(int width, int height, int pitch, const float *in,
                  float *out) {
  tileKernel<<<dim3(width / 64, height / 32), dim3(32, 8)>>>(width, pitch, in,
                                                             out);
}
