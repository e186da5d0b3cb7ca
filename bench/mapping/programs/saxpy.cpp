// y = a x + y: one vector goes in, one comes back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<float> x = ramp<float>(N), y = ramp<float>(N);
  float a = 2;
#ifdef _OPENMP
  float *xs = x.data(), *ys = y.data();
#pragma omp target teams distribute parallel for map(to : xs[ : N])            \
    map(tofrom : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    ys[i] += a * xs[i];
#else
  xcc::parallel_for(N, [&](std::size_t i) { y[i] += a * x[i]; });
  xcc::synchronize();
#endif
  print(y);
}
