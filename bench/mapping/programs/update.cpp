// A scope in which the host looks and changes in between
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<int> x = ramp<int>(N);
#ifdef _OPENMP
  int *xs = x.data();
#pragma omp target data map(tofrom : xs[ : N])
  {
#pragma omp target teams distribute parallel for
    for (std::size_t i = 0; i < N; ++i)
      xs[i] += 1;
#pragma omp target update from(xs[ : N])
    x[0] = x[N - 1];
#pragma omp target update to(xs[ : N])
#pragma omp target teams distribute parallel for
    for (std::size_t i = 0; i < N; ++i)
      xs[i] *= 2;
  }
#else
  {
    xcc::map all(x);
    xcc::parallel_for(N, [&](std::size_t i) { x[i] += 1; });
    all.to_host(x);
    x[0] = x[N - 1];
    all.to_device(x);
    xcc::parallel_for(N, [&](std::size_t i) { x[i] *= 2; });
  }
#endif
  print(x);
}
