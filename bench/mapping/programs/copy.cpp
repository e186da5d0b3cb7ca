// One vector in, another out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<float> x = ramp<float>(N), y(N);
#ifdef _OPENMP
  float *xs = x.data(), *ys = y.data();
#pragma omp target teams distribute parallel for map(to : xs[ : N])            \
    map(from : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    ys[i] = xs[i];
#else
  xcc::parallel_for(N, [&](std::size_t i) { y[i] = x[i]; });
  xcc::synchronize();
#endif
  print(y);
}
