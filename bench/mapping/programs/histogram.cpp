// Bytes counted
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<unsigned char> text = ramp<unsigned char>(N);
  std::vector<unsigned> bins(256);
#ifdef _OPENMP
  unsigned char *in = text.data();
  unsigned *counts = bins.data();
#pragma omp target teams distribute parallel for map(to : in[ : N])            \
    map(tofrom : counts[ : 256])
  for (std::size_t i = 0; i < N; ++i)
#pragma omp atomic
    counts[in[i]] += 1;
#else
  xcc::parallel_for(N, [&](std::size_t i) {
    std::atomic_ref(bins[text[i]]).fetch_add(1, std::memory_order_relaxed);
  });
  xcc::synchronize();
#endif
  print(bins);
}
