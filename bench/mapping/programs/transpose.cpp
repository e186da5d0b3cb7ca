// A matrix turned around
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  constexpr std::size_t Rows = 40, Columns = N / 40;
  std::vector<float> a = ramp<float>(N), b(N);
#ifdef _OPENMP
  float *as = a.data(), *bs = b.data();
#pragma omp target teams distribute parallel for map(to : as[ : N])            \
    map(from : bs[ : N])
  for (std::size_t i = 0; i < N; ++i)
    bs[i % Columns * Rows + i / Columns] = as[i];
#else
  {
    xcc::map all(xcc::out(b));
    xcc::parallel_for(
        N, [&](std::size_t i) { b[i % Columns * Rows + i / Columns] = a[i]; });
  }
#endif
  print(b);
}
