// Three launches in a row over the same vectors, and no scope
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<float> x = ramp<float>(N), y = ramp<float>(N);
#ifdef _OPENMP
  float *xs = x.data(), *ys = y.data();
#pragma omp target teams distribute parallel for map(to : xs[ : N])            \
    map(tofrom : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    ys[i] += xs[i];
#pragma omp target teams distribute parallel for map(tofrom : xs[ : N])        \
    map(to : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    xs[i] += ys[i];
#pragma omp target teams distribute parallel for map(to : xs[ : N])            \
    map(tofrom : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    ys[i] += xs[i];
#else
  xcc::parallel_for(N, [&](std::size_t i) { y[i] += x[i]; });
  xcc::parallel_for(N, [&](std::size_t i) { x[i] += y[i]; });
  xcc::parallel_for(N, [&](std::size_t i) { y[i] += x[i]; });
  xcc::synchronize();
#endif
  print(x);
  print(y);
}
