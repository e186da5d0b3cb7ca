// A matrix times a vector
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  constexpr std::size_t Rows = 64, Columns = N / 64;
  std::vector<float> a = ramp<float>(N), x = ramp<float>(Columns), y(Rows, 1);
#ifdef _OPENMP
  float *as = a.data(), *xs = x.data(), *ys = y.data();
#pragma omp target teams distribute parallel for map(                          \
        to : as[ : N], xs[ : Columns]) map(tofrom : ys[ : Rows])
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t c = 0; c < Columns; ++c)
      ys[r] += as[r * Columns + c] * xs[c];
#else
  xcc::parallel_for(Rows, [&](std::size_t r) {
    for (std::size_t c = 0; c < Columns; ++c)
      y[r] += a[r * Columns + c] * x[c];
  });
  xcc::synchronize();
#endif
  print(y);
}
