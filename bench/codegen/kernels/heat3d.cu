// A stencil in three dimensions, with sizes of 64 bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void heatKernel(std::size_t nx, std::size_t ny,
                                  std::size_t nz, const double *__restrict in,
                                  double *__restrict out) {
  std::size_t x = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  std::size_t y = std::size_t(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x + 1 >= nx || y + 1 >= ny)
    return;
  for (std::size_t z = 1; z + 1 < nz; ++z) {
    std::size_t i = (z * ny + y) * nx + x;
    out[i] =
        0.4 * in[i] + 0.1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] +
                             in[i - nx * ny] + in[i + nx * ny]);
  }
}

void suite::heat3d(std::size_t nx, std::size_t ny, std::size_t nz,
                   const double *in, double *out) {
  heatKernel<<<dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(nx, ny, nz,
                                                                  in, out);
}
