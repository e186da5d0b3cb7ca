// Gas that cools, each cell with steps of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cooling.h"

static __global__ void coolingKernel(int n, int entries, double step,
                                     const double *__restrict table,
                                     const double *__restrict density,
                                     double *__restrict energy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  energy[i] = suite::cool(table, entries, energy[i], density[i], step);
}

void suite::cooling(int n, int entries, double step, const double *table,
                    const double *density, double *energy) {
  coolingKernel<<<(n + 255) / 256, 256>>>(n, entries, step, table, density,
                                          energy);
}
