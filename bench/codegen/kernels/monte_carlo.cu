// Random points, a generator for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "monte_carlo.h"

static __global__ void monteCarloKernel(int threads, int samples,
                                        std::uint32_t seed,
                                        std::uint32_t *__restrict inside) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < threads)
    inside[i] = suite::pointsInside(seed, i, samples);
}

void suite::monteCarlo(int threads, int samples, std::uint32_t seed,
                       std::uint32_t *inside) {
  monteCarloKernel<<<(threads + 255) / 256, 256>>>(threads, samples, seed,
                                                   inside);
}
