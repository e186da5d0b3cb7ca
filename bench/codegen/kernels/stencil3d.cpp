// Seven points of a grid
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread walks along z with three values of its column in registers.

#include "../suite.h"
#include <xcc/xcc.h>

static void stencil3dKernel(int nx, int ny, int nz, const float *__restrict in,
                            float *__restrict out) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int plane = nx * ny;
  int i = y * nx + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    float above = in[i + plane];
    out[i] = 0.4f * here + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] +
                                   in[i + nx] + below + above);
    below = here;
    here = above;
  }
}

void suite::stencil3d(int nx, int ny, int nz, const float *in, float *out) {
  xcc::launch({{(nx + 31) / 32, (ny + 7) / 8}, {32, 8}}, stencil3dKernel, nx,
              ny, nz, in, out);
}
