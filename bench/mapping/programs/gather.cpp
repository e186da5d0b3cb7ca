// Elements in an order that another vector gives
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<float> x = ramp<float>(N), y = ramp<float>(N);
  std::vector<int> order = ramp<int>(N);
#ifdef _OPENMP
  float *xs = x.data(), *ys = y.data();
  int *at = order.data();
#pragma omp target teams distribute parallel for map(to : xs[ : N], at[ : N])  \
    map(tofrom : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    ys[i] += xs[at[i] % N];
#else
  xcc::parallel_for(N, [&](std::size_t i) { y[i] += x[order[i] % N]; });
  xcc::synchronize();
#endif
  print(y);
}
