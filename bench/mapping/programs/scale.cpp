// A vector changed in place
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<double> x = ramp<double>(N);
#ifdef _OPENMP
  double *xs = x.data();
#pragma omp target teams distribute parallel for map(tofrom : xs[ : N])
  for (std::size_t i = 0; i < N; ++i)
    xs[i] *= 3;
#else
  xcc::parallel_for(N, [&](std::size_t i) { x[i] *= 3; });
  xcc::synchronize();
#endif
  print(x);
}
