// Random points, a generator for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "monte_carlo.h"
#include <xcc/xcc.h>

static void monteCarloKernel(int threads, int samples, std::uint32_t seed,
                             std::uint32_t *__restrict inside) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i < threads)
    inside[i] = suite::pointsInside(seed, i, samples);
}

void suite::monteCarlo(int threads, int samples, std::uint32_t seed,
                       std::uint32_t *inside) {
  xcc::launch({{(threads + 255) / 256}, {256}}, monteCarloKernel, threads,
              samples, seed, inside);
}
