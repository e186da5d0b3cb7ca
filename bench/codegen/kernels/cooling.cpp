// Gas that cools, each cell with steps of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cooling.h"
#include <xcc/xcc.h>

static void coolingKernel(int n, int entries, double step,
                          const double *__restrict table,
                          const double *__restrict density,
                          double *__restrict energy) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  energy[i] = suite::cool(table, entries, energy[i], density[i], step);
}

void suite::cooling(int n, int entries, double step, const double *table,
                    const double *density, double *energy) {
  xcc::launch({{(n + 255) / 256}, {256}}, coolingKernel, n, entries, step,
              table, density, energy);
}
