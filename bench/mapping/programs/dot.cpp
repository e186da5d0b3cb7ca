// A sum over two vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<double> x = ramp<double>(N), y = ramp<double>(N);
  double sum = 0;
#ifdef _OPENMP
  double *xs = x.data(), *ys = y.data();
#pragma omp target teams distribute parallel for map(to : xs[ : N], ys[ : N])  \
    reduction(+ : sum)
  for (std::size_t i = 0; i < N; ++i)
    sum += xs[i] * ys[i];
#else
  xcc::parallel_for(N, [&](std::size_t i) {
    std::atomic_ref(sum).fetch_add(x[i] * y[i], std::memory_order_relaxed);
  });
  xcc::synchronize();
#endif
  print(std::vector<double>{sum});
}
