// Five steps between two vectors, which stay on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<float> x = ramp<float>(N), y(N);
#ifdef _OPENMP
  float *xs = x.data(), *ys = y.data();
#pragma omp target data map(tofrom : xs[ : N]) map(to : ys[ : N])
  for (int step = 0; step < 5; ++step) {
#pragma omp target teams distribute parallel for
    for (std::size_t i = 1; i < N - 1; ++i)
      ys[i] = (xs[i - 1] + xs[i] + xs[i + 1]) / 3;
#pragma omp target teams distribute parallel for
    for (std::size_t i = 1; i < N - 1; ++i)
      xs[i] = ys[i];
  }
#else
  {
    xcc::map all(x, xcc::in(y));
    for (int step = 0; step < 5; ++step) {
      xcc::parallel_for(N - 2, [&](std::size_t i) {
        y[i + 1] = (x[i] + x[i + 1] + x[i + 2]) / 3;
      });
      xcc::parallel_for(N - 2, [&](std::size_t i) { x[i + 1] = y[i + 1]; });
    }
  }
#endif
  print(x);
}
